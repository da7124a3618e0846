// Assets and profiles in SQLite.

import type { Asset, AssetDraft, AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import { idTaken, unknownAsset } from '../faults.ts';
import { profileOfRecord, recordOfProfile, storable, storableDraft } from '../records.ts';
import type { AssetFacts, AssetStore, ProfileStore } from '../store.ts';
import type { Connection } from './connection.ts';

type FactsRow = [
  key: number,
  id: string,
  symbol: string,
  name: string,
  rank: number | null,
  type: string | null,
  tags: string,
  provisional: number,
  delisted: number,
];
type AssetRow = [...FactsRow, firstDay: number, lastDay: number, bars: number];

/** Profiles are read in parts of this many, so that no read stays open while a caller works on one. */
const PROFILES_AT_ONCE = 200;

export function assetStore(db: Connection): AssetStore & ProfileStore {
  const all = db.query<AssetRow>(
    `SELECT key, id, symbol, name, rank, type, tags, provisional, delisted, first_day, last_day, bars
     FROM assets JOIN coverage ON asset = key ORDER BY key`,
  );
  const since = db.query<FactsRow>(
    'SELECT key, id, symbol, name, rank, type, tags, provisional, delisted FROM assets WHERE changed > ? ORDER BY key',
  );
  const version = db.query<[number]>('SELECT facts_version FROM meta');
  const raise = db.command('UPDATE meta SET facts_version = facts_version + 1');
  const keyOf = db.query<[number]>('SELECT key FROM assets WHERE id = ?');
  const exists = db.query<[number]>('SELECT 1 FROM assets WHERE key = ?');
  const insert = db.query<[number]>(
    `INSERT INTO assets (id, symbol, name, rank, type, tags, provisional, delisted, changed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT facts_version FROM meta)) RETURNING key`,
  );
  const cover = db.command('INSERT INTO coverage (asset) VALUES (?)');
  const update = db.command(
    `UPDATE assets SET id = ?1, symbol = ?2, name = ?3, rank = ?4, type = ?5, tags = ?6, provisional = ?7, delisted = ?8,
       changed = (SELECT facts_version FROM meta)
     WHERE key = ?9 AND (id, symbol, name, rank, type, tags, provisional, delisted) IS NOT (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
  );
  const delist = db.command(
    `UPDATE assets SET delisted = ?2, changed = (SELECT facts_version FROM meta) WHERE key = ?1 AND delisted <> ?2`,
  );
  const mark = db.command('INSERT OR IGNORE INTO pending VALUES (?)');
  const record = db.query<[string]>('SELECT record FROM profiles WHERE asset = ?');
  const putRecord = db.command('REPLACE INTO profiles VALUES (?, ?)');
  const recordsAfter = db.query<[number, string]>(
    `SELECT asset, record FROM profiles WHERE asset > ? ORDER BY asset LIMIT ${PROFILES_AT_ONCE}`,
  );

  /** Before any facts are written: those of one transaction get one version. */
  function writeFacts<T>(work: () => T): T {
    return db.write(() => {
      raise.run();
      return work();
    });
  }

  function create(draft: AssetDraft): AssetNumber {
    const key = insert.get(...cells(draft))![0];
    cover.run(key);
    mark.run(key);
    return key;
  }

  function change(key: AssetNumber, draft: AssetDraft): void {
    if (update.run(...cells(draft), key) > 0) mark.run(key);
  }

  return {
    assets: async () => db.read(() => all.all().map(assetOfRow)),

    assetsSince: async seen =>
      db.read(() => {
        const latest = version.get()![0];
        const all = seen <= 0 || seen > latest;
        return { version: latest, all, assets: seen === latest ? [] : since.all(all ? -1 : seen).map(factsOfRow) };
      }),

    putAssets: async drafts =>
      writeFacts(() =>
        drafts.map(draft => {
          const known = keyOf.get(storable(draft.id));
          if (!known) return create(draft);
          change(known[0], draft);
          return known[0];
        }),
      ),

    renameAsset: async (key, draft) =>
      writeFacts(() => {
        const owner = keyOf.get(storable(draft.id));
        if (owner && owner[0] !== key) throw idTaken(draft.id);
        if (!exists.get(key)) throw unknownAsset(key);
        change(key, draft);
      }),

    setDelisted: async (keys, delisted) =>
      writeFacts(() => {
        for (const key of keys) if (delist.run(key, Number(delisted)) > 0) mark.run(key);
      }),

    putProfiles: async profiles =>
      db.write(() => {
        const changes = { inserted: 0, replaced: 0, unchanged: 0 };
        for (const { key, sourced } of profiles) {
          if (!exists.get(key)) throw unknownAsset(key);
          const text = recordOfProfile(sourced);
          const stored = record.get(key);
          if (stored?.[0] === text) {
            changes.unchanged++;
            continue;
          }
          putRecord.run(key, text);
          mark.run(key);
          changes[stored ? 'replaced' : 'inserted']++;
        }
        return changes;
      }),

    profile: async key =>
      db.read(() => {
        const stored = record.get(key);
        return stored ? profileOfRecord(stored[0]) : null;
      }),

    profiles: async function* () {
      for (let after = -1; ; ) {
        const part = db.read(() => recordsAfter.all(after));
        for (const [key, text] of part) yield { key, sourced: profileOfRecord(text) };
        const last = part.at(-1);
        if (!last) return;
        after = last[0];
      }
    },
  };
}

function cells(draft: AssetDraft): [string, string, string, number | null, string | null, string, number, number] {
  const { id, symbol, name, rank, type, tags, provisional, delisted } = storableDraft(draft);
  return [id, symbol, name, rank, type, tags, Number(provisional), Number(delisted)];
}

function factsOfRow(row: FactsRow): AssetFacts {
  const [key, id, symbol, name, rank, type, tags, provisional, delisted] = row;
  return { key, id, symbol, name, rank, type, tags, provisional: provisional === 1, delisted: delisted === 1 };
}

function assetOfRow([
  key,
  id,
  symbol,
  name,
  rank,
  type,
  tags,
  provisional,
  delisted,
  first,
  last,
  bars,
]: AssetRow): Asset {
  return {
    ...factsOfRow([key, id, symbol, name, rank, type, tags, provisional, delisted]),
    // Only days from the domain are ever stored.
    firstDay: bars > 0 ? (first as Day) : null,
    lastDay: bars > 0 ? (last as Day) : null,
    bars,
  };
}
