// The newest closes of many assets, as indicators need them, read from the table of bar blocks.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, type Blocks, type Coverage, NO_BARS } from '../bar-blocks.ts';
import { arrayText, type Sql } from './connection.ts';
import type { CopyReader } from './copy.ts';

/** More than the number of any block. */
const BLOCK_SPACE = 2 ** 20;

export class RecentCloses implements Blocks {
  readonly #days: number;
  readonly #coverage = new Map<AssetNumber, Coverage>();
  /** Where the closes of a block begin in `#closes`, by asset and block. */
  readonly #places = new Map<number, number>();
  /** One memory for all: thousands of small ones are slow to come by and slow to be given back. */
  #closes: Float64Array;
  #used = 0;

  constructor(assets: number, days: number) {
    this.#days = days;
    this.#closes = new Float64Array(assets * (Math.ceil(days / BLOCK_DAYS) + 2) * BLOCK_DAYS);
  }

  /**
   * The blocks from the first day that is wanted on, and for an asset with missing days the block before, whose last close may have
   * to be carried forward. With OFFSET 0 the server looks up asset after asset; left to itself it may read the whole table.
   */
  async read(sql: Sql, keys: readonly AssetNumber[]): Promise<void> {
    const wanted = `coverage.asset = ANY('${arrayText(keys)}'::int[])`;
    const first = `(coverage.last_day - ${this.#days}) / ${BLOCK_DAYS}`;
    await sql.copyOut(
      `SELECT coverage.asset, first_day, last_day, bars, newest.block, newest.close
       FROM tidemark.coverage CROSS JOIN LATERAL (
         SELECT block, close FROM tidemark.bar_blocks
         WHERE bar_blocks.asset = coverage.asset AND block >= ${first} OFFSET 0
       ) AS newest
       WHERE ${wanted}
       UNION ALL
       SELECT coverage.asset, first_day, last_day, bars, before.block, before.close
       FROM tidemark.coverage CROSS JOIN LATERAL (
         SELECT block, close FROM tidemark.bar_blocks
         WHERE bar_blocks.asset = coverage.asset AND block < ${first} ORDER BY block DESC LIMIT 1
       ) AS before
       WHERE ${wanted} AND bars < last_day - first_day + 1`,
      row => this.#add(row),
    );
  }

  coverageOf(key: AssetNumber): Coverage {
    return this.#coverage.get(key) ?? NO_BARS;
  }

  find(key: AssetNumber, _field: number, block: number): Float64Array | null {
    return this.#places.has(key * BLOCK_SPACE + block) ? this.#closes : null;
  }

  cellsOf(key: AssetNumber, block: number): number {
    return this.#places.get(key * BLOCK_SPACE + block) ?? 0;
  }

  #add(row: CopyReader): void {
    const [key, firstDay, lastDay, bars] = [row.integer(), row.integer(), row.integer(), row.integer()];
    if (!this.#coverage.has(key)) this.#coverage.set(key, { firstDay, lastDay, bars });
    this.#places.set(key * BLOCK_SPACE + row.integer(), this.#used);
    if (this.#used + BLOCK_DAYS > this.#closes.length) this.#grow();
    row.arrayInto(this.#closes, this.#used);
    this.#used += BLOCK_DAYS;
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#closes.length + BLOCK_DAYS);
    larger.set(this.#closes);
    this.#closes = larger;
  }
}
