// Current rows, pending marks and the version in PostgreSQL.

import { CurrentRows } from '../current-rows.ts';
import { storable } from '../records.ts';
import type { CurrentPart, CurrentRow, Store } from '../store.ts';
import { bytesOfValues } from '../values-blob.ts';
import { requireAssets } from './assets.ts';
import { arrayText, type Client, type Database, type Transaction } from './connection.ts';
import { notify } from './watch.ts';

interface Meta {
  readonly version: number;
  readonly columns: string | null;
  readonly all_since: number;
}

/** Rows are read in parts of this many: as the client gives them they take several times their memory. */
const ROWS_AT_ONCE = 4096;

export function currentStore(db: Database): Pick<Store, 'pending' | 'publish' | 'version' | 'currentSince'> {
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
        const next = meta.version + 1;
        let dropped = 0;
        if (meta.columns !== storable(columns)) {
          await sql`INSERT INTO tidemark.pending SELECT asset FROM tidemark.current ON CONFLICT DO NOTHING`;
          dropped += (await sql`DELETE FROM tidemark.current`).count;
        }
        for await (const part of parts) dropped += await putPart(sql, part, next);
        await sql`
          UPDATE tidemark.meta
          SET version = ${next}, columns = ${storable(columns)}, all_since = ${dropped > 0 ? next : meta.all_since}`;
        await notify(sql);
        return next;
      }),

    version: () => db.query(async sql => (await readMeta(sql)).version),

    currentSince: seen =>
      db.read(async sql => {
        const { version, columns, all_since } = await readMeta(sql);
        const all = seen <= 0 || seen > version || seen < all_since;
        // Without an index: to look at 50,000 rows takes milliseconds, to keep an index costs more at every publication.
        const found = new CurrentRows();
        const parts = sql<{ asset: number; day: number; history: number; price: number; indicators: Buffer }[]>`
          SELECT asset, day, history, price, indicators FROM tidemark.current
          WHERE version > ${all ? -1 : seen} ORDER BY asset`.cursor(ROWS_AT_ONCE);
        for await (const part of parts) {
          for (const { asset, day, history, price, indicators } of part)
            found.add(asset, day, history, price, indicators);
        }
        return { version, columns, all, rows: found.rows };
      }),
  };
}

async function readMeta(sql: Client | Transaction): Promise<Meta> {
  const [meta] = await sql<Meta[]>`SELECT version, columns, all_since FROM tidemark.meta`;
  // The migration that made the table put its one row.
  return meta!;
}

/** Returns how many rows it removed. */
async function putPart(sql: Transaction, part: CurrentPart, version: number): Promise<number> {
  const rows = new Map(part.rows.map(row => [row.key, row]));
  const written = [...rows.keys()];
  const removed = part.removed.filter(key => !rows.has(key));
  await requireAssets(sql, written);
  const dropped = await sql`DELETE FROM tidemark.current WHERE asset = ANY(${arrayText(removed)}::int[])`;
  await putRows(sql, [...rows.values()], version);
  await sql`DELETE FROM tidemark.pending WHERE asset = ANY(${arrayText([...written, ...removed])}::int[])`;
  return dropped.count;
}

async function putRows(sql: Transaction, rows: readonly CurrentRow[], version: number): Promise<void> {
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
