// Current rows, pending marks and the version in PostgreSQL.

import type { AssetNumber } from '../../domain/asset.ts';
import { CurrentRows } from '../current-rows.ts';
import { nextVersion, PUBLICATIONS_KEPT } from '../next-version.ts';
import { storable } from '../records.ts';
import type { CurrentPart, CurrentRow, PublicationStore } from '../store.ts';
import { bytesOfValues } from '../values-blob.ts';
import { requireAssets } from './assets.ts';
import { arrayText, type Client, type Database, type Transaction } from './connection.ts';
import { CopyRows, copyInto, copyOut } from './copy.ts';
import type { Said } from './seen-versions.ts';
import { notify } from './watch.ts';

interface Meta extends Said {
  readonly columns: string | null;
  readonly all_since: number;
}

/** Rows are written in parts of this many. */
const ROWS_AT_ONCE = 4096;
/** From so many rows on COPY is faster than INSERT, see block-rows.ts. */
const COPY_FROM = 1000;

export function currentStore(db: Database): PublicationStore {
  return {
    pending: columns =>
      db.read(async sql => {
        const stale = columns !== undefined && (await readMeta(sql)).columns !== columns;
        const rows = stale
          ? await sql<{ asset: number }[]>`SELECT asset FROM tidemark.coverage ORDER BY asset`
          : await sql<{ asset: number }[]>`SELECT asset FROM tidemark.pending ORDER BY asset`;
        return rows.map(row => row.asset);
      }),

    publish: (columns, parts) =>
      db.write(async sql => {
        const meta = await readMeta(sql);
        const next = nextVersion(meta.version);
        let dropped = 0;
        if (meta.columns !== storable(columns)) {
          await sql`INSERT INTO tidemark.pending SELECT asset FROM tidemark.current ON CONFLICT DO NOTHING`;
          dropped += (await sql`DELETE FROM tidemark.current`).count;
        }
        for await (const part of gathered(parts)) dropped += await putPart(sql, part, next);
        await sql`
          UPDATE tidemark.meta
          SET version = ${next}, columns = ${storable(columns)}, all_since = ${dropped > 0 ? next : meta.all_since}`;
        await sql`INSERT INTO tidemark.publications VALUES (${next})`;
        await sql`
          DELETE FROM tidemark.publications WHERE version <= (
            SELECT version FROM tidemark.publications ORDER BY version DESC LIMIT 1 OFFSET ${PUBLICATIONS_KEPT})`;
        await notify(sql);
        return next;
      }),

    version: () => db.query(async sql => db.seen.accept('data', await readMeta(sql))),

    currentSince: seen =>
      db.read(async sql => {
        const meta = await readMeta(sql);
        const { columns, all_since } = meta;
        const version = db.seen.accept('data', meta);
        const noted = await sql`SELECT 1 FROM tidemark.publications WHERE version = ${seen}`;
        const all = seen < all_since || noted.length === 0;
        const found = new CurrentRows();
        // Without an index: to look at 50,000 rows takes milliseconds, to keep an index costs more at every publication.
        const select = `SELECT asset, day, history, price, indicators FROM tidemark.current
          WHERE version > ${all ? -1 : seen} ORDER BY asset`;
        await copyOut(sql, select, row =>
          found.add(row.integer(), row.integer(), row.integer(), row.double(), row.bytes()!),
        );
        return { version, columns, all, rows: found.rows };
      }),
  };
}

async function readMeta(sql: Client | Transaction): Promise<Meta> {
  const [meta] = await sql<Meta[]>`
    SELECT version, columns, all_since, pg_is_in_recovery() AS standby FROM tidemark.meta`;
  // The migration that made the table put its one row.
  return meta!;
}

/** The same in larger parts, in which each asset is once: what came last. */
async function* gathered(
  parts: AsyncIterable<CurrentPart> | Iterable<CurrentPart>,
): AsyncGenerator<CurrentPart, void, undefined> {
  const waiting = new Map<AssetNumber, CurrentRow | null>();
  const part = () => {
    const rows = [...waiting.values()].filter(row => row !== null);
    const removed = [...waiting.keys()].filter(key => waiting.get(key) === null);
    waiting.clear();
    return { rows, removed };
  };
  for await (const { rows, removed } of parts) {
    for (const key of removed) waiting.set(key, null);
    for (const row of rows) waiting.set(row.key, row);
    if (waiting.size >= ROWS_AT_ONCE) yield part();
  }
  if (waiting.size > 0) yield part();
}

/** Returns how many rows it removed. */
async function putPart(sql: Transaction, { rows, removed }: CurrentPart, version: number): Promise<number> {
  const written = rows.map(row => row.key);
  await requireAssets(sql, written);
  const dropped = await sql`DELETE FROM tidemark.current WHERE asset = ANY(${arrayText(removed)}::int[])`;
  if (rows.length < COPY_FROM) await insertRows(sql, rows, version);
  else await copyRows(sql, rows, version);
  const published = arrayText([...written, ...removed]);
  await sql`DELETE FROM tidemark.pending WHERE asset = ANY(${published}::int[])`;
  await sql`DELETE FROM tidemark.replaced WHERE asset = ANY(${published}::int[])`;
  return dropped.count;
}

async function copyRows(sql: Transaction, rows: readonly CurrentRow[], version: number): Promise<void> {
  await sql`DELETE FROM tidemark.current WHERE asset = ANY(${arrayText(rows.map(row => row.key))}::int[])`;
  const target = new CopyRows();
  for (const { key, day, history, price, values } of rows) {
    target.row(6);
    target.integer(key);
    target.integer(day);
    target.integer(history);
    target.double(price);
    target.bytes(bytesOfValues(values));
    target.long(version);
  }
  await copyInto(sql, 'tidemark.current (asset, day, history, price, indicators, version)', target);
}

async function insertRows(sql: Transaction, rows: readonly CurrentRow[], version: number): Promise<void> {
  const hex = rows.map(row => Buffer.from(bytesOfValues(row.values).buffer).toString('hex'));
  await sql`
    INSERT INTO tidemark.current (asset, day, history, price, indicators, version)
    SELECT asset, day, history, price, decode(hex, 'hex'), ${version}::bigint
    FROM unnest(
      ${arrayText(rows.map(row => row.key))}::int[], ${arrayText(rows.map(row => row.day))}::int[],
      ${arrayText(rows.map(row => row.history))}::int[], ${arrayText(rows.map(row => row.price))}::float8[],
      ${`{${hex.map(digits => `"${digits}"`).join(',')}}`}::text[]
    ) AS new (asset, day, history, price, hex)
    ON CONFLICT (asset) DO UPDATE
    SET day = excluded.day, history = excluded.history, price = excluded.price,
      indicators = excluded.indicators, version = excluded.version`;
}
