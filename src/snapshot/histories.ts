// The histories that were asked for last, each computed once for a snapshot, so that paging through one does not compute it
// again.
//
// The store may be ahead of the snapshot. Days that are not published yet are left out; a close that was replaced, though,
// is seen here from the moment it is stored until the snapshot follows, because the store keeps no older ones.

import type { AssetKey } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { Day } from '../domain/day.ts';
import type { IndexedAsset } from './asset-index.ts';
import { historyTable } from './history-table.ts';
import { bytesOfColumns, type Snapshot, type Table } from './table.ts';

/** As `Store.bars`. */
export type ReadBars = (key: AssetKey, from: Day, to: Day) => Promise<BarColumns>;

/** Of one thread: some five assets of 5,000 days, or forty of 500. */
const MAX_BYTES = 64 * 2 ** 20;

interface Kept {
  readonly table: Promise<Table>;
  /** 0 until it is known. */
  bytes: number;
}

export class Histories {
  readonly #readBars: ReadBars;
  readonly #maxBytes: number;
  /** Of the newest snapshot that was asked for, the one that was asked for last at the end. */
  #kept = new Map<AssetKey, Kept>();
  #fingerprint = '';
  #bytes = 0;

  constructor(readBars: ReadBars, maxBytes: number = MAX_BYTES) {
    this.#readBars = readBars;
    this.#maxBytes = maxBytes;
  }

  /** The asset is one of the snapshot's. */
  async table({ fingerprint }: Pick<Snapshot, 'fingerprint'>, asset: IndexedAsset): Promise<Table> {
    if (fingerprint !== this.#fingerprint) [this.#fingerprint, this.#kept, this.#bytes] = [fingerprint, new Map(), 0];
    const all = this.#kept;
    const kept = all.get(asset.key) ?? { table: this.#compute(asset), bytes: 0 };
    all.delete(asset.key);
    all.set(asset.key, kept);
    try {
      const table = await kept.table;
      // Unless it was forgotten while it was computed.
      if (kept.bytes === 0 && this.#kept.get(asset.key) === kept) this.#count(kept, bytesOf(table));
      return table;
    } catch (error) {
      // The next one who asks tries again.
      if (all.get(asset.key) === kept) all.delete(asset.key);
      throw error;
    }
  }

  async #compute({ key, symbol, firstDay, lastDay }: IndexedAsset): Promise<Table> {
    if (firstDay === null || lastDay === null) return historyTable(symbol, NO_BARS);
    return historyTable(symbol, await this.#readBars(key, firstDay, lastDay));
  }

  #count(kept: Kept, bytes: number): void {
    kept.bytes = bytes;
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= freed;
    }
  }
}

const NO_BARS = { day: new Int32Array(), close: new Float64Array() };

/** Rows that were rendered as JSON and as CSV are kept with their table, and take some five times its own memory. */
const WITH_RENDERED_ROWS = 6;
/** However few rows there are, their rendered ones take a block of memory for each format. */
const BLOCKS = 2 * 256 * 2 ** 10;

/** As if all of its orders were made. */
function bytesOf({ rows, columns, history }: Table): number {
  const orders = 4 * rows * (columns.length + 1);
  return (bytesOfColumns(columns) + history.byteLength + orders) * WITH_RENDERED_ROWS + BLOCKS;
}
