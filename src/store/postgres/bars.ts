// Daily bars in PostgreSQL.
//
// Blocks that the store cannot have yet, by the first and last day it keeps for each asset, are not asked for.

import type { AssetKey } from '../../domain/asset.ts';
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
} from '../bar-blocks.ts';
import { unknownAsset } from '../faults.ts';
import type { BarChanges, DailyCloses, Store } from '../store.ts';
import { markPending } from './assets.ts';
import { type BlockPlace, BlockRows, numbersOf } from './block-rows.ts';
import { arrayText, type Client, type Database, type Transaction } from './connection.ts';

interface KeyedCoverage extends Coverage {
  readonly key: AssetKey;
}

export function barStore(db: Database): Pick<Store, 'putBars' | 'bars' | 'closes'> {
  return {
    putBars: bars => {
      const sorted = sortBars(bars);
      return db.write(sql => put(sql, sorted));
    },

    bars: (key, from, to) =>
      db.read(async sql => {
        const covered = (await coverageOf(sql, [key])).get(key) ?? NO_BARS;
        const blocks = new BlockRows();
        const [first, last] = [Math.max(from, covered.firstDay), Math.min(to, covered.lastDay)];
        await blocks.readAll(sql, key, blockOf(first), blockOf(last));
        return readBars(blocks, key, covered, from, to);
      }),

    closes: (keys, days) => db.query(sql => closes(sql, keys, days)),
  };
}

async function put(sql: Transaction, bars: SortedBars): Promise<BarChanges> {
  const covered = await coverageOf(
    sql,
    bars.spans.map(span => span.key),
  );
  const blocks = new BlockRows();
  await blocks.read(sql, overlaps(bars, covered));
  const total = { inserted: 0, replaced: 0, unchanged: 0 };
  const changed: KeyedCoverage[] = [];
  for (const span of bars.spans) {
    const before = covered.get(span.key);
    if (!before) throw unknownAsset(span.key);
    const { inserted, replaced, unchanged } = mergeSpan(blocks, bars, span);
    total.inserted += inserted;
    total.replaced += replaced;
    total.unchanged += unchanged;
    if (inserted + replaced > 0) changed.push({ key: span.key, ...coverageWith(before, bars, span, inserted) });
  }
  await blocks.write(sql);
  await putCoverage(sql, changed);
  return total;
}

async function coverageOf(sql: Client | Transaction, keys: readonly AssetKey[]): Promise<Map<AssetKey, Coverage>> {
  const rows = await sql<{ asset: number; first: number; last: number; bars: number }[]>`
    SELECT asset, first_day AS first, last_day AS last, bars FROM tidemark.coverage
    WHERE asset = ANY(${arrayText(keys)}::int[])`;
  return new Map(rows.map(({ asset, first, last, bars }) => [asset, { firstDay: first, lastDay: last, bars }]));
}

/** The blocks of a batch that the store may have. */
function overlaps(bars: SortedBars, covered: ReadonlyMap<AssetKey, Coverage>): BlockPlace[] {
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

interface ClosesRow {
  readonly asset: number;
  readonly first: number;
  readonly last: number;
  readonly bars: number;
  /** Numbers of blocks, ascending, and their closes; null without bars. */
  readonly blocks: Buffer | null;
  readonly closes: Buffer | null;
}

/** From the block before the first day that is asked for: every block has a close, so that gaps can be filled. */
async function closes(sql: Client, keys: readonly AssetKey[], days: number): Promise<DailyCloses> {
  const rows = await sql<ClosesRow[]>`
    SELECT coverage.asset, first_day AS first, last_day AS last, bars, packed.*
    FROM tidemark.coverage,
    LATERAL (
      SELECT string_agg(int4send(block), '') AS blocks, string_agg(close, '') AS closes
      FROM (
        SELECT block, close FROM tidemark.blocks
        WHERE blocks.asset = coverage.asset AND block >= coalesce(
          (SELECT max(older.block) FROM tidemark.blocks AS older
           WHERE older.asset = coverage.asset AND older.block < (coverage.last_day - ${days}::int) / ${BLOCK_DAYS}::int),
          0)
        ORDER BY block
      ) AS newest
    ) AS packed
    WHERE coverage.asset = ANY(${arrayText(keys)}::int[])`;
  const byKey = new Map(rows.map(row => [row.asset, row]));
  const covered = keys.map(key => {
    const row = byKey.get(key);
    return row ? { firstDay: row.first, lastDay: row.last, bars: row.bars } : NO_BARS;
  });
  return readCloses(new ReadCloses(rows), keys, covered, days);
}

/** Closes of many assets as they were read. */
class ReadCloses implements Blocks {
  readonly #closes: ReadonlyMap<AssetKey, { readonly blocks: readonly number[]; readonly numbers: Float64Array }>;

  constructor(rows: readonly ClosesRow[]) {
    this.#closes = new Map(
      rows.map(({ asset, blocks, closes }) => {
        const count = (blocks?.length ?? 0) / 4;
        const numbers = closes ? numbersOf(closes) : new Float64Array();
        return [asset, { blocks: Array.from({ length: count }, (_, i) => blocks!.readInt32BE(i * 4)), numbers }];
      }),
    );
  }

  find(key: AssetKey, _field: number, block: number): Float64Array | null {
    const found = this.#closes.get(key);
    return found?.blocks.includes(block) ? found.numbers : null;
  }

  cellsOf(key: AssetKey, block: number): number {
    return (this.#closes.get(key)?.blocks.indexOf(block) ?? 0) * BLOCK_DAYS;
  }
}
