// The newest closes of many assets, as indicators need them, read from the table of bar blocks.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, type Blocks, CLOSE, type Coverage, FIELDS } from '../bars/blocks.ts';
import type { CopyReader } from './copy.ts';
import { arrayText, type Sql } from './database.ts';
import type { SeriesLayout } from './series-layout.ts';

/** The first block of an asset's place is the one before those that are wanted; its number is kept apart. */
const BEFORE = 0;

const OTHERS = FIELDS.filter((_, field) => field !== CLOSE).join();

/** Memory of earlier uses: to allocate and clear megabytes for each thousand assets would cost more than to fill them. */
const spare: Float64Array[] = [];
const SPARE = 3;

function memoryFor(length: number): Float64Array {
  const found = spare.pop();
  return found !== undefined && found.length >= length ? found : new Float64Array(length);
}

/** Each asset has a place of the same size in one memory, so that a block is found without a search. */
export class RecentCloses implements Blocks {
  readonly #layout: SeriesLayout;
  readonly #days: number;
  /** Blocks per place. */
  readonly #blocks: number;
  readonly #slots: ReadonlyMap<AssetNumber, number>;
  readonly #coverage: readonly Coverage[];
  readonly #closes: Float64Array;
  /** By place and block in it: whether the store has it. */
  readonly #known: Uint8Array;
  readonly #before: Int32Array;
  #hasOthers = false;
  /** The asset that was asked for last: the same one is asked for again and again. */
  #asset: AssetNumber = -1;
  #slot = 0;

  /** `coverage` has one entry per asset. */
  constructor(layout: SeriesLayout, assets: readonly AssetNumber[], coverage: readonly Coverage[], days: number) {
    this.#layout = layout;
    this.#days = days;
    this.#blocks = Math.ceil(days / BLOCK_DAYS) + 3;
    this.#slots = new Map(assets.map((asset, slot) => [asset, slot]));
    this.#coverage = coverage;
    this.#closes = memoryFor(assets.length * this.#blocks * BLOCK_DAYS);
    this.#known = new Uint8Array(assets.length * this.#blocks);
    this.#before = new Int32Array(assets.length);
  }

  /**
   * The blocks from the first day that is wanted on, up to `until`, and for an asset with missing days the block before, whose last close may have
   * to be carried forward. One row per asset: to take a row apart costs as much as to read a block. The GROUP BY makes the server look up
   * asset after asset, where it might read the whole table, and lets Citus answer it on the workers.
   */
  async read(sql: Sql, until: number): Promise<void> {
    const { blocks, coverage, first: oldest, last: newest } = this.#layout;
    const wanted = `covered.asset = ANY('${arrayText(this.#slots.keys())}'::int[])`;
    const last = `least(covered.${newest}, ${until})`;
    const first = `(${last} - ${this.#days}) / ${BLOCK_DAYS}`;
    await sql.copyOut(
      `SELECT covered.asset, recent.blocks, recent.closes, recent.others
       FROM ${coverage} AS covered CROSS JOIN LATERAL (
         SELECT array_agg(block) AS blocks, array_agg(close) AS closes, max(num_nonnulls(${OTHERS})) AS others FROM ${blocks} AS stored
         WHERE stored.asset = covered.asset AND block BETWEEN ${first} AND ${last} / ${BLOCK_DAYS}
         GROUP BY stored.asset
       ) AS recent
       WHERE ${wanted}
       UNION ALL
       SELECT covered.asset, ARRAY[before.block], ARRAY[before.close], 0
       FROM ${coverage} AS covered CROSS JOIN LATERAL (
         SELECT block, close FROM ${blocks} AS stored
         WHERE stored.asset = covered.asset AND block < ${first} ORDER BY block DESC LIMIT 1
       ) AS before
       WHERE ${wanted} AND bars < ${newest} - ${oldest} + 1`,
      row => this.#add(row),
    );
  }

  /** Whether no other number was stored on the days that are wanted. */
  get hasOnlyCloses(): boolean {
    return !this.#hasOthers;
  }

  /** Ends its use. */
  free(): void {
    if (spare.length < SPARE) spare.push(this.#closes);
  }

  find(asset: AssetNumber, _field: number, block: number): Float64Array | null {
    const index = this.#indexOf(asset, block);
    return index >= 0 && this.#known[index] === 1 ? this.#closes : null;
  }

  cellsOf(asset: AssetNumber, block: number): number {
    return this.#indexOf(asset, block) * BLOCK_DAYS;
  }

  /** Which of all blocks in memory this one is; negative if there is no room for it. */
  #indexOf(asset: AssetNumber, block: number): number {
    const slot = this.#slotOf(asset);
    const first = this.#firstBlock(this.#coverage[slot]!);
    const at = block >= first ? 1 + block - first : block === this.#before[slot] ? BEFORE : -1;
    return at < 0 || at >= this.#blocks ? -1 : slot * this.#blocks + at;
  }

  #slotOf(asset: AssetNumber): number {
    if (asset !== this.#asset) {
      this.#slot = this.#slots.get(asset)!; // only what was read is asked for
      this.#asset = asset;
    }
    return this.#slot;
  }

  #firstBlock({ lastDay }: Coverage): number {
    return Math.trunc((lastDay - this.#days) / BLOCK_DAYS); // as PostgreSQL divides
  }

  #add(row: CopyReader): void {
    const asset = row.integer();
    const blocks = row.integers()!; // not NULL, because GROUP BY gives no row to an asset without blocks
    row.rowsInto(
      this.#closes,
      Array.from(blocks, block => this.#roomFor(asset, block)),
    );
    if (row.integer() > 0) this.#hasOthers = true;
  }

  /** Where the 32 days of a block begin that the store has. */
  #roomFor(asset: AssetNumber, block: number): number {
    const slot = this.#slotOf(asset);
    if (block < this.#firstBlock(this.#coverage[slot]!)) this.#before[slot] = block;
    const index = this.#indexOf(asset, block);
    this.#known[index] = 1;
    return index * BLOCK_DAYS;
  }
}
