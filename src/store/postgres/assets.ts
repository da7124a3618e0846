// Assets in PostgreSQL.

import type { Asset, AssetDraft, AssetNumber } from '../../domain/asset.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import type { Day } from '../../domain/day.ts';
import { idTaken } from '../port/errors.ts';
import type { AssetChanges, AssetFacts, AssetStore, KnownAt } from '../port/store.ts';
import { recordFacts } from '../records/facts.ts';
import type { CurrentFacts } from '../records/steps.ts';
import { storable, storableDraft } from '../records/storable.ts';
import { arrayText, type Database, type Sql } from './database.ts';
import { markPending, requireAssets } from './known-assets.ts';
import { runSteps } from './records.ts';

export function assetStore(db: Database): AssetStore {
  const assetsSince = (seen: number): Promise<AssetChanges> =>
    db.read(async sql => {
      const [meta] = await sql<{ version: number }>`SELECT facts_version AS version FROM tidemark.meta`;
      // The migration that made the table put its one row.
      const { version } = meta!;
      const all = seen <= 0 || seen > version;
      if (seen === version) return { version, all, assets: [] };
      const assets = await sql<AssetFacts>`
        SELECT key AS "assetNumber", id, symbol, name, rank, type, supply, tags, provisional, delisted FROM tidemark.assets
        WHERE changed > ${all ? -1 : seen} ORDER BY key`;
      return { version, all, assets };
    });

  return {
    assets: () =>
      db.query(async sql => {
        const rows = await sql<AssetRow>`
          SELECT key AS "assetNumber", id, symbol, name, rank, type, supply, tags, provisional, delisted, first_day AS first, last_day AS last, bars
          FROM tidemark.assets JOIN tidemark.coverage ON asset = key ORDER BY key`;
        return rows.map(assetOf);
      }),

    assetsWithTicker: ticker =>
      db.query(async sql => {
        const rows = await sql<AssetRow>`
          SELECT key AS "assetNumber", id, symbol, name, rank, type, supply, tags, provisional, delisted, first_day AS first, last_day AS last, bars
          FROM tidemark.assets JOIN tidemark.coverage ON asset = key WHERE ticker = ${tickerKey(ticker)} ORDER BY key`;
        return rows.map(assetOf);
      }),

    assetsSince,

    // In one part: the client has received all of them before it gives any.
    readAssetsSince: async (seen, take) => {
      const { assets, ...changes } = await assetsSince(seen);
      take(assets);
      return changes;
    },

    putAssets: (drafts, at) =>
      writeFacts(db, async sql => {
        const latest = new Map(drafts.map(draft => [storable(draft.id), storableDraft(draft)]));
        const numbers = await numbersById(sql, [...latest.keys()]);
        const { known = [], fresh = [] } = Object.groupBy(latest.values(), draft =>
          numbers.has(draft.id) ? 'known' : 'fresh',
        );
        const written = [
          ...(await update(
            sql,
            known.map(draft => ({ ...draft, assetNumber: numbers.get(draft.id)! })),
          )),
          ...(await create(sql, fresh)),
        ];
        for (const { assetNumber, id } of written) numbers.set(id, assetNumber);
        await record(db, sql, written, at);
        return drafts.map(draft => numbers.get(storable(draft.id))!);
      }),

    renameAsset: (assetNumber, draft, at) =>
      writeFacts(db, async sql => {
        const owner = (await numbersById(sql, [storable(draft.id)])).get(storable(draft.id));
        if (owner !== undefined && owner !== assetNumber) throw idTaken(draft.id);
        await requireAssets(sql, [assetNumber]);
        await record(db, sql, await update(sql, [{ ...storableDraft(draft), assetNumber }]), at);
      }),

    setDelisted: (assetNumbers, delisted) =>
      writeFacts(db, async sql => {
        const changed = await sql<{ key: number }>`
          UPDATE tidemark.assets SET delisted = ${delisted}, changed = (SELECT facts_version FROM tidemark.meta)
          WHERE key = ANY(${arrayText(assetNumbers)}::int[]) AND delisted <> ${delisted} RETURNING key`;
        await markPending(
          sql,
          changed.map(row => row.key),
        );
      }),
  };
}

type AssetRow = Omit<Asset, 'firstDay' | 'lastDay'> & { readonly first: number; readonly last: number };

function assetOf({ first, last, bars, ...facts }: AssetRow): Asset {
  return {
    ...facts,
    // Only days from the domain are ever stored.
    firstDay: bars > 0 ? (first as Day) : null,
    lastDay: bars > 0 ? (last as Day) : null,
    bars,
  };
}

/** Before any facts are written: those of one transaction get one version. */
function writeFacts<T>(db: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return db.write(async sql => {
    await sql`UPDATE tidemark.meta SET facts_version = facts_version + 1`;
    return work(sql);
  });
}

async function numbersById(sql: Sql, ids: readonly string[]): Promise<Map<string, AssetNumber>> {
  const rows = await sql<{ assetNumber: number; id: string }>`
    SELECT key AS "assetNumber", id FROM tidemark.assets WHERE id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::json))`;
  return new Map(rows.map(({ assetNumber, id }) => [id, assetNumber]));
}

interface WrittenAsset extends CurrentFacts {
  readonly id: string;
}

async function record(db: Database, sql: Sql, assets: readonly CurrentFacts[], at: KnownAt | undefined): Promise<void> {
  if (at !== undefined) await runSteps(sql, db, () => recordFacts(assets, at));
}

/** By a plain INSERT of what is new: with ON CONFLICT each repeat would use up numbers. */
async function create(sql: Sql, drafts: readonly AssetDraft[]): Promise<readonly WrittenAsset[]> {
  const created = await sql<WrittenAsset>`
    INSERT INTO tidemark.assets (id, symbol, ticker, name, rank, type, supply, tags, provisional, delisted, changed)
    SELECT new.*, facts_version FROM tidemark.meta, json_to_recordset(${JSON.stringify(drafts.map(withTicker))}::json)
      AS new (id text, symbol text, ticker text, name text, rank int, type text, supply float8, tags text, provisional boolean, delisted boolean)
    RETURNING key AS "assetNumber", id, rank, supply`;
  const assetNumbers = created.map(row => row.assetNumber);
  await sql`INSERT INTO tidemark.coverage (asset) SELECT unnest(${arrayText(assetNumbers)}::int[])`;
  return created;
}

function withTicker<T extends AssetDraft>(draft: T): T & { readonly ticker: string } {
  return { ...draft, ticker: tickerKey(draft.symbol) };
}

/** Returns those that have changed. */
async function update(
  sql: Sql,
  known: readonly (AssetDraft & { readonly assetNumber: AssetNumber })[],
): Promise<readonly WrittenAsset[]> {
  if (known.length === 0) return [];
  const changed = await sql<WrittenAsset>`
    UPDATE tidemark.assets AS old
    SET id = new.id, symbol = new.symbol, ticker = new.ticker, name = new.name, rank = new.rank, type = new.type,
      supply = new.supply, tags = new.tags, provisional = new.provisional, delisted = new.delisted, changed = (SELECT facts_version FROM tidemark.meta)
    FROM json_to_recordset(${JSON.stringify(known.map(withTicker))}::json)
      AS new ("assetNumber" int, id text, symbol text, ticker text, name text, rank int, type text, supply float8, tags text, provisional boolean, delisted boolean)
    WHERE old.key = new."assetNumber"
      AND (old.id, old.symbol, old.name, old.rank, old.type, old.supply, old.tags, old.provisional, old.delisted)
        IS DISTINCT FROM (new.id, new.symbol, new.name, new.rank, new.type, new.supply, new.tags, new.provisional, new.delisted)
    RETURNING old.key AS "assetNumber", old.id, old.rank, old.supply`;
  await markPending(
    sql,
    changed.map(row => row.assetNumber),
  );
  return changed;
}
