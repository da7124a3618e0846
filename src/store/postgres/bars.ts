// Daily bars in PostgreSQL.
//
// Blocks that the store cannot have yet, by the first and last day it keeps for each asset, are not asked for.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import { type AssetSpan, type SortedBars, sortBars } from '../bar-batch.ts';
import {
  BLOCK_DAYS,
  type Blocks,
  blockOf,
  type Coverage,
  coverageWith,
  mergeSpan,
  NO_BARS,
  readBars,
  readCloses,
  readOwnCloses,
} from '../bar-blocks.ts';
import { unknownAsset } from '../faults.ts';
import { beforeReplaced, ReplacedBatch, type ReplacedCloses } from '../replaced-closes.ts';
import type { BarChanges, BarStore, DailyCloses } from '../store.ts';
import { markPending } from './assets.ts';
import { type BlockPlace, BlockRows, numbersOf } from './block-rows.ts';
import { arrayText, type Client, type Database, type Transaction } from './connection.ts';
import { copyOut } from './copy.ts';

interface KeyedCoverage extends Coverage {
  readonly key: AssetNumber;
}

export function barStore(db: Database): BarStore {
  return {
    putBars: bars => {
      const sorted = sortBars(bars);
      return db.write(sql => put(sql, sorted));
    },

    bars: (key, from, to) =>
      db.read(async sql => {
        const { blocks, covered } = await read(sql, key, from, to);
        return readBars(blocks, key, covered, from, to);
      }),

    publishedCloses: (key, from, to, wanted) =>
      db.read(async sql => {
        const [meta] = await sql<{ version: number }[]>`SELECT version FROM tidemark.meta`;
        const { version } = meta!; // the migration that made the table put its one row
        if (wanted !== undefined && version !== wanted) return { version, closes: null };
        const { blocks, covered } = await read(sql, key, from, to);
        const closes = readOwnCloses(blocks, key, covered, from, to);
        return { version, closes: beforeReplaced(closes, await replacedOf(sql, key)) };
      }),

    replacedCloses: () =>
      db.query(async sql => {
        const batch = new ReplacedBatch();
        const rows = await sql<{ asset: number; day: number; close: number | null }[]>`
          SELECT asset, day, close FROM tidemark.replaced ORDER BY asset, day`;
        for (const { asset, day, close } of rows) batch.add(asset, day, close ?? Number.NaN);
        return batch;
      }),

    closes: (keys, days) => db.query(sql => closes(sql, keys, days)),
  };
}

async function read(
  sql: Transaction,
  key: AssetNumber,
  from: Day,
  to: Day,
): Promise<{ blocks: Blocks; covered: Coverage }> {
  const covered = (await coverageOf(sql, [key])).get(key) ?? NO_BARS;
  const blocks = new BlockRows();
  const [first, last] = [Math.max(from, covered.firstDay), Math.min(to, covered.lastDay)];
  await blocks.readAll(sql, key, blockOf(first), blockOf(last));
  return { blocks, covered };
}

async function put(sql: Transaction, bars: SortedBars): Promise<BarChanges> {
  const covered = await coverageOf(
    sql,
    bars.spans.map(span => span.key),
  );
  const blocks = new BlockRows();
  await blocks.read(sql, overlaps(bars, covered));
  const total = { inserted: 0, replaced: 0, unchanged: 0 };
  const changed: AssetNumber[] = [];
  const extended: KeyedCoverage[] = [];
  const lost = new ReplacedBatch();
  for (const span of bars.spans) {
    const before = covered.get(span.key);
    if (!before) throw unknownAsset(span.key);
    const { inserted, replaced, unchanged } = mergeSpan(blocks, bars, span, before, lost);
    total.inserted += inserted;
    total.replaced += replaced;
    total.unchanged += unchanged;
    if (inserted + replaced > 0) changed.push(span.key);
    if (inserted > 0) extended.push({ key: span.key, ...coverageWith(before, bars, span, inserted) });
  }
  await blocks.write(sql);
  if (extended.length > 0) await putCoverage(sql, extended);
  if (changed.length > 0) await markPending(sql, changed);
  if (lost.key.length > 0) await addReplaced(sql, lost);
  return total;
}

/** A day that is there already stays as it is: it was replaced twice. */
export async function addReplaced(sql: Transaction, { key, day, close }: ReplacedBatch): Promise<void> {
  await sql`
    INSERT INTO tidemark.replaced
    SELECT * FROM unnest(${arrayText(key)}::int[], ${arrayText(day)}::int[], ${arrayText(close)}::float8[])
    ON CONFLICT DO NOTHING`;
}

async function replacedOf(sql: Transaction, key: AssetNumber): Promise<ReplacedCloses> {
  const rows = await sql<{ day: number; close: number | null }[]>`
    SELECT day, close FROM tidemark.replaced WHERE asset = ${key}`;
  return new Map(rows.map(({ day, close }) => [day, close ?? Number.NaN]));
}

async function coverageOf(
  sql: Client | Transaction,
  keys: readonly AssetNumber[],
): Promise<Map<AssetNumber, Coverage>> {
  const rows = await sql<{ asset: number; first: number; last: number; bars: number }[]>`
    SELECT asset, first_day AS first, last_day AS last, bars FROM tidemark.coverage
    WHERE asset = ANY(${arrayText(keys)}::int[])`;
  return new Map(rows.map(({ asset, first, last, bars }) => [asset, { firstDay: first, lastDay: last, bars }]));
}

/** The blocks of a batch that the store may have. */
function overlaps(bars: SortedBars, covered: ReadonlyMap<AssetNumber, Coverage>): BlockPlace[] {
  const places: BlockPlace[] = [];
  for (const span of bars.spans) {
    const stored = covered.get(span.key) ?? NO_BARS;
    if (stored.bars === 0) continue;
    for (const block of blocksOf(bars, span)) {
      if (block >= blockOf(stored.firstDay) && block <= blockOf(stored.lastDay)) places.push({ key: span.key, block });
    }
  }
  return places;
}

function blocksOf({ day }: SortedBars, { start, end }: AssetSpan): Set<number> {
  const blocks = new Set<number>();
  for (let bar = start; bar < end; bar++) blocks.add(blockOf(day[bar]!));
  return blocks;
}

async function putCoverage(sql: Transaction, changed: readonly KeyedCoverage[]): Promise<void> {
  await sql`
    INSERT INTO tidemark.coverage (asset, first_day, last_day, bars)
    SELECT * FROM unnest(
      ${arrayText(changed.map(one => one.key))}::int[], ${arrayText(changed.map(one => one.firstDay))}::int[],
      ${arrayText(changed.map(one => one.lastDay))}::int[], ${arrayText(changed.map(one => one.bars))}::int[])
    ON CONFLICT (asset) DO UPDATE
    SET first_day = excluded.first_day, last_day = excluded.last_day, bars = excluded.bars`;
}

/**
 * The blocks from the first day that is asked for on, and the one before, so that gaps can be filled: every block has a close.
 * Packed by the server into two values, because each row costs it and the client more than what it holds. With OFFSET 0 it
 * looks up asset after asset; left to itself it may read the whole table.
 */
async function closes(sql: Client, keys: readonly AssetNumber[], days: number): Promise<DailyCloses> {
  const wanted = `asset = ANY('${arrayText(keys)}'::int[])`;
  const first = `(coverage.last_day - ${days}) / ${BLOCK_DAYS}`;
  const select = `
    SELECT
      (SELECT string_agg(int4send(asset) || int4send(first_day) || int4send(last_day) || int4send(bars), '')
       FROM tidemark.coverage WHERE ${wanted}),
      (SELECT string_agg(int4send(asset) || int4send(block) || close, '')
       FROM (
         SELECT newest.*
         FROM tidemark.coverage CROSS JOIN LATERAL (
           SELECT asset, block, close FROM tidemark.blocks
           WHERE blocks.asset = coverage.asset AND block >= ${first} OFFSET 0
         ) AS newest
         WHERE coverage.${wanted}
         UNION ALL
         SELECT before.*
         FROM tidemark.coverage CROSS JOIN LATERAL (
           SELECT asset, block, close FROM tidemark.blocks
           WHERE blocks.asset = coverage.asset AND block < ${first} ORDER BY block DESC LIMIT 1
         ) AS before
         WHERE coverage.${wanted}
       ) AS found)`;
  const covered = new Map<AssetNumber, Coverage>();
  let blocks: Blocks = new PackedCloses(Buffer.alloc(0));
  await copyOut(sql, select, row => {
    const coverage = row.bytes() ?? Buffer.alloc(0);
    for (let at = 0; at < coverage.length; at += 16) {
      const [key, firstDay, lastDay, bars] = [0, 4, 8, 12].map(place => coverage.readInt32BE(at + place));
      covered.set(key!, { firstDay: firstDay!, lastDay: lastDay!, bars: bars! });
    }
    blocks = new PackedCloses(row.bytes() ?? Buffer.alloc(0));
  });
  return readCloses(
    blocks,
    keys,
    keys.map(key => covered.get(key) ?? NO_BARS),
    days,
  );
}

/** The closes of a block, and before them its asset and number, which take as much room as one of them. */
const PACKED = 1 + BLOCK_DAYS;
/** More than the number of any block. */
const BLOCK_SPACE = 2 ** 20;

class PackedCloses implements Blocks {
  readonly #numbers: Float64Array;
  /** Where the closes begin, by asset and block. */
  readonly #places = new Map<number, number>();

  constructor(bytes: Buffer) {
    this.#numbers = numbersOf(bytes);
    for (let at = 0; at < this.#numbers.length; at += PACKED) {
      const [key, block] = [bytes.readInt32BE(at * 8), bytes.readInt32BE(at * 8 + 4)];
      this.#places.set(key * BLOCK_SPACE + block, at + 1);
    }
  }

  find(key: AssetNumber, _field: number, block: number): Float64Array | null {
    return this.#places.has(key * BLOCK_SPACE + block) ? this.#numbers : null;
  }

  cellsOf(key: AssetNumber, block: number): number {
    return this.#places.get(key * BLOCK_SPACE + block) ?? 0;
  }
}
