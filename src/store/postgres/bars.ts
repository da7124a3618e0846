// Daily bars in PostgreSQL.
//
// Bars that the store cannot have yet, by the first and last day it keeps for each asset, go straight into the table by COPY;
// those that it may have are compared here first. A table in between would halve the rate of a first load (measured).
// What is read comes as one row of packed bytes for each asset: a row for each bar would take four times as long.

import type { AssetKey } from '../../domain/asset.ts';
import { barColumns } from '../../domain/bar.ts';
import { BarMerge, type Coverage, type CoverageChange, type Overlap, type SortedBars, sortBars } from '../bar-merge.ts';
import { unknownAsset } from '../faults.ts';
import type { CloseSpans, Store } from '../store.ts';
import { markPending } from './assets.ts';
import { arrayText, type Client, type Database, type Transaction } from './connection.ts';
import { CopyRows, copyInto } from './copy.ts';

/** Bars of one asset as they come from the server: big-endian, oldest first; null where there are none. */
interface PackedBars {
  readonly asset: number;
  readonly day: Buffer | null;
  readonly open: Buffer | null;
  readonly high: Buffer | null;
  readonly low: Buffer | null;
  readonly close: Buffer | null;
  readonly volume: Buffer | null;
}

/** From so many bars on COPY is faster than INSERT, although a COPY ends with a packet that waits for an acknowledgement (40 ms). */
const COPY_FROM = 2000;

export function barStore(db: Database): Pick<Store, 'putBars' | 'bars' | 'closes'> {
  return {
    putBars: bars => {
      const sorted = sortBars(bars);
      return db.write(async sql => {
        const merge = new BarMerge(sorted, await coverageOf(sql, sorted));
        await compareOverlaps(sql, merge);
        const inserted = merge.inserted();
        if (inserted.length < COPY_FROM) await upsertBars(sql, sorted, inserted);
        else await copyBars(sql, sorted, inserted);
        await upsertBars(sql, sorted, merge.replaced());
        await putCoverage(sql, merge.changedAssets());
        return merge.changes();
      });
    },

    bars: (key, from, to) =>
      db.query(async sql => {
        const [packed] = await packedBars(sql, [{ key, from, to }]);
        const count = (packed?.day?.length ?? 0) / 4;
        const columns = barColumns(count);
        if (!packed?.day) return columns;
        for (let at = 0; at < count; at++) {
          columns.day[at] = packed.day.readInt32BE(at * 4);
          columns.open[at] = packed.open!.readDoubleBE(at * 8);
          columns.high[at] = packed.high!.readDoubleBE(at * 8);
          columns.low[at] = packed.low!.readDoubleBE(at * 8);
          columns.close[at] = packed.close!.readDoubleBE(at * 8);
          columns.volume[at] = packed.volume!.readDoubleBE(at * 8);
        }
        return columns;
      }),

    closes: (keys, days) => db.query(sql => readCloses(sql, keys, days)),
  };
}

async function coverageOf(sql: Transaction, { spans }: SortedBars): Promise<Coverage[]> {
  const rows = await sql<{ asset: number; first: number; last: number; bars: number }[]>`
    SELECT asset, first_day AS first, last_day AS last, bars FROM tidemark.coverage
    WHERE asset = ANY(${arrayText(spans.map(span => span.key))}::int[])`;
  const byAsset = new Map(rows.map(row => [row.asset, row]));
  return spans.map(({ key }) => {
    const row = byAsset.get(key);
    if (!row) throw unknownAsset(key);
    return { firstDay: row.first, lastDay: row.last, bars: row.bars };
  });
}

async function compareOverlaps(sql: Transaction, merge: BarMerge): Promise<void> {
  const overlaps = merge.overlaps();
  if (overlaps.length === 0) return;
  for (const { asset, day, open, high, low, close, volume } of await packedBars(sql, overlaps)) {
    if (!day) continue;
    for (let at = 0; at * 4 < day.length; at++) {
      merge.stored(
        asset,
        day.readInt32BE(at * 4),
        open!.readDoubleBE(at * 8),
        high!.readDoubleBE(at * 8),
        low!.readDoubleBE(at * 8),
        close!.readDoubleBE(at * 8),
        volume!.readDoubleBE(at * 8),
      );
    }
  }
}

async function packedBars(sql: Client | Transaction, wanted: readonly Overlap[]): Promise<PackedBars[]> {
  return sql<PackedBars[]>`
    SELECT wanted.asset, packed.*
    FROM unnest(
      ${arrayText(wanted.map(one => one.key))}::int[],
      ${arrayText(wanted.map(one => one.from))}::int[],
      ${arrayText(wanted.map(one => one.to))}::int[]
    ) AS wanted (asset, first, last),
    LATERAL (
      SELECT string_agg(int4send(day), '') AS day,
        string_agg(float8send(coalesce(open, 'NaN')), '') AS open,
        string_agg(float8send(coalesce(high, 'NaN')), '') AS high,
        string_agg(float8send(coalesce(low, 'NaN')), '') AS low,
        string_agg(float8send(close), '') AS close,
        string_agg(float8send(coalesce(volume, 'NaN')), '') AS volume
      FROM (
        SELECT * FROM tidemark.bars WHERE bars.asset = wanted.asset AND day BETWEEN wanted.first AND wanted.last ORDER BY day
      ) AS inner_bars
    ) AS packed
    ORDER BY wanted.asset`;
}

async function copyBars(sql: Transaction, bars: SortedBars, indices: Uint32Array): Promise<void> {
  const rows = new CopyRows();
  for (const at of indices) {
    rows.row(7);
    rows.integer(bars.key[at]!);
    rows.integer(bars.day[at]!);
    rows.double(bars.open[at]!);
    rows.double(bars.high[at]!);
    rows.double(bars.low[at]!);
    rows.double(bars.close[at]!);
    rows.double(bars.volume[at]!);
  }
  await copyInto(sql, 'tidemark.bars (asset, day, open, high, low, close, volume)', rows);
}

async function upsertBars(sql: Transaction, bars: SortedBars, indices: Uint32Array): Promise<void> {
  if (indices.length === 0) return;
  const column = (values: Int32Array | Uint32Array | Float64Array) => arrayText(Array.from(indices, at => values[at]!));
  await sql`
    INSERT INTO tidemark.bars (asset, day, open, high, low, close, volume)
    SELECT * FROM unnest(
      ${column(bars.key)}::int[], ${column(bars.day)}::int[], ${column(bars.open)}::float8[], ${column(bars.high)}::float8[],
      ${column(bars.low)}::float8[], ${column(bars.close)}::float8[], ${column(bars.volume)}::float8[])
    ON CONFLICT (asset, day) DO UPDATE
    SET open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close, volume = excluded.volume`;
}

async function putCoverage(sql: Transaction, changed: readonly CoverageChange[]): Promise<void> {
  if (changed.length === 0) return;
  const keys = changed.map(one => one.key);
  await sql`
    INSERT INTO tidemark.coverage (asset, first_day, last_day, bars)
    SELECT * FROM unnest(
      ${arrayText(keys)}::int[], ${arrayText(changed.map(one => one.firstDay))}::int[],
      ${arrayText(changed.map(one => one.lastDay))}::int[], ${arrayText(changed.map(one => one.bars))}::int[])
    ON CONFLICT (asset) DO UPDATE
    SET first_day = excluded.first_day, last_day = excluded.last_day, bars = excluded.bars`;
  await markPending(sql, keys);
}

interface PackedCloses {
  readonly asset: number;
  readonly first: number;
  readonly day: Buffer | null;
  readonly close: Buffer | null;
}

async function readCloses(sql: Client, keys: readonly AssetKey[], days: number): Promise<CloseSpans> {
  const packed = new Map((await packedCloses(sql, keys, days)).map(one => [one.asset, one]));
  const total = keys.reduce((sum, key) => sum + (packed.get(key)?.day?.length ?? 0) / 4, 0);
  const spans = {
    starts: new Uint32Array(keys.length + 1),
    day: new Int32Array(total),
    close: new Float64Array(total),
    firstDay: Int32Array.from(keys, key => packed.get(key)?.first ?? 0),
  };
  let to = 0;
  for (const [index, key] of keys.entries()) {
    const { day, close } = packed.get(key) ?? { day: null, close: null };
    if (day && close) {
      for (let at = 0; at * 4 < day.length; at++) {
        spans.day[to] = day.readInt32BE(at * 4);
        spans.close[to++] = close.readDoubleBE(at * 8);
      }
    }
    spans.starts[index + 1] = to;
  }
  return spans;
}

async function packedCloses(sql: Client, keys: readonly AssetKey[], days: number): Promise<PackedCloses[]> {
  return sql<PackedCloses[]>`
    SELECT coverage.asset, coverage.first_day AS first, packed.*
    FROM tidemark.coverage,
    LATERAL (
      SELECT string_agg(int4send(day), '') AS day, string_agg(float8send(close), '') AS close
      FROM (
        SELECT day, close FROM tidemark.bars
        WHERE bars.asset = coverage.asset AND day >= coalesce(
          (SELECT max(day) FROM tidemark.bars AS older
           WHERE older.asset = coverage.asset AND older.day < coverage.last_day - ${days}::int),
          coverage.last_day - ${days}::int)
        ORDER BY day
      ) AS newest
    ) AS packed
    WHERE coverage.asset = ANY(${arrayText(keys)}::int[])`;
}
