// The histories that were asked for last, each computed once for a snapshot, so that paging through one does not compute it
// again.
//
// The store may have published something newer than the snapshot, or a standby may be behind: what is kept here is of the snapshot's
// version.

import type { AssetNumber } from '../domain/asset.ts';
import type { Store } from '../store/store.ts';
import type { IndexedAsset } from './asset-index.ts';
import { historyTable } from './history-table.ts';
import { bytesOfColumns, type Snapshot, type Table } from './table.ts';

export type ReadCloses = Store['publishedCloses'];

/** Of one thread: some five assets of 5,000 days, or forty of 500. */
const MAX_BYTES = 64 * 2 ** 20;

interface Kept {
  readonly table: Promise<Table | null>;
  /** 0 until it is known. */
  bytes: number;
}

export class Histories {
  readonly #readCloses: ReadCloses;
  readonly #onForgotten: (table: Table) => void;
  readonly #maxBytes: number;
  /** Of the newest snapshot that was asked for, the one that was asked for last at the end. */
  #kept = new Map<AssetNumber, Kept>();
  #fingerprint = '';
  #bytes = 0;

  /** `onForgotten` is told of each table that was kept and is not any more. */
  constructor(readCloses: ReadCloses, onForgotten: (table: Table) => void, maxBytes: number = MAX_BYTES) {
    this.#readCloses = readCloses;
    this.#onForgotten = onForgotten;
    this.#maxBytes = maxBytes;
  }

  /** Of an asset of the snapshot; null when the store has published another version. */
  async table(
    { fingerprint, version }: Pick<Snapshot, 'fingerprint' | 'version'>,
    asset: IndexedAsset,
  ): Promise<Table | null> {
    if (fingerprint !== this.#fingerprint) this.#turnTo(fingerprint);
    const all = this.#kept;
    const kept = all.get(asset.key) ?? { table: this.#compute(asset, version), bytes: 0 };
    all.delete(asset.key);
    all.set(asset.key, kept);
    let table: Table | null = null;
    try {
      table = await kept.table;
    } finally {
      // The next one who asks tries again.
      if (table === null && all.get(asset.key) === kept) all.delete(asset.key);
    }
    // Unless it was forgotten while it was computed.
    if (table !== null && kept.bytes === 0 && this.#kept.get(asset.key) === kept) this.#count(kept, bytesOf(table));
    return table;
  }

  /** Of the same days, in whatever version is published; not kept. */
  async newest({ key, symbol, firstDay, lastDay }: IndexedAsset): Promise<{ version: number; table: Table }> {
    if (firstDay === null || lastDay === null) throw new Error(`${symbol} has no prices, hence one history for ever`);
    const { version, closes } = await this.#readCloses(key, firstDay, lastDay);
    return { version, table: historyTable(symbol, closes ?? NO_CLOSES) };
  }

  async #compute({ key, symbol, firstDay, lastDay }: IndexedAsset, version: number): Promise<Table | null> {
    if (firstDay === null || lastDay === null) return historyTable(symbol, NO_CLOSES);
    const { closes } = await this.#readCloses(key, firstDay, lastDay, version);
    return closes && historyTable(symbol, closes);
  }

  #turnTo(fingerprint: string): void {
    for (const kept of this.#kept.values()) this.#forget(kept);
    [this.#fingerprint, this.#kept, this.#bytes] = [fingerprint, new Map(), 0];
  }

  #count(kept: Kept, bytes: number): void {
    kept.bytes = bytes;
    this.#bytes += bytes;
    for (const [key, oldest] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(key);
      this.#bytes -= oldest.bytes;
      this.#forget(oldest);
    }
  }

  #forget({ table }: Kept): void {
    table.then(
      made => made && this.#onForgotten(made),
      () => undefined, // whoever asked for it was told
    );
  }
}

const NO_CLOSES = { day: new Int32Array(), close: new Float64Array() };

/** Rows that were rendered as JSON and as CSV are kept with their table, and take some five times its own memory. */
const WITH_RENDERED_ROWS = 6;
/** However few rows there are, their rendered ones take a block of memory for each format. */
const BLOCKS = 2 * 256 * 2 ** 10;

/** As if all of its orders were made. */
function bytesOf({ rows, columns, history }: Table): number {
  const orders = 4 * rows * (columns.length + 1);
  return (bytesOfColumns(columns) + history.byteLength + orders) * WITH_RENDERED_ROWS + BLOCKS;
}
