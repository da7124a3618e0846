// The history tables of recently requested assets, each computed once per snapshot, so that paging through a history does not
// compute it again.
//
// The store may have published something newer than the snapshot, and a standby may be behind. A cached table is always of the
// snapshot's version.

import { ByteCache } from '../common/byte-cache.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { Store } from '../store/store.ts';
import type { IndexedAsset } from './asset-index.ts';
import { historyTable } from './history-table.ts';
import { bytesOfColumns, type Snapshot, type Table } from './table.ts';

export type ReadCloses = Store['publishedCloses'];

/** Per thread: about five assets of 5,000 days, or forty of 500. */
const MAX_BYTES = 64 * 2 ** 20;

export class Histories {
  readonly #readCloses: ReadCloses;
  /** Of the newest snapshot that was requested. */
  readonly #tables: ByteCache<Table, AssetNumber>;
  /** Tables that are being computed for that snapshot: concurrent requests wait for the same one. */
  #pending = new Map<AssetNumber, Promise<Table | null>>();
  #fingerprint = '';

  /** `onRemoved` gets each table that was cached and no longer is. */
  constructor(readCloses: ReadCloses, onRemoved: (table: Table) => void, maxBytes: number = MAX_BYTES) {
    this.#readCloses = readCloses;
    this.#tables = new ByteCache(maxBytes, onRemoved);
  }

  /** Of an asset of the snapshot; null when the store has published another version. */
  async table(
    { fingerprint, version }: Pick<Snapshot, 'fingerprint' | 'version'>,
    asset: IndexedAsset,
  ): Promise<Table | null> {
    if (fingerprint !== this.#fingerprint) {
      [this.#fingerprint, this.#pending] = [fingerprint, new Map()];
      this.#tables.clear();
    }
    return this.#tables.get(asset.key) ?? this.#pending.get(asset.key) ?? this.#compute(asset, version);
  }

  /** Of the same days, in whatever version is published; not cached. */
  async newest({ key, symbol, firstDay, lastDay }: IndexedAsset): Promise<{ version: number; table: Table }> {
    if (firstDay === null || lastDay === null) throw new Error(`${symbol} has no prices, so its history never changes`);
    const { version, closes } = await this.#readCloses(key, firstDay, lastDay);
    return { version, table: historyTable(symbol, closes ?? NO_CLOSES) };
  }

  async #compute(asset: IndexedAsset, version: number): Promise<Table | null> {
    const [pending, made] = [this.#pending, this.#make(asset, version)];
    pending.set(asset.key, made);
    try {
      const table = await made;
      // Unless a newer snapshot was requested meanwhile.
      if (table !== null && pending === this.#pending) this.#tables.set(asset.key, table, bytesOf(table));
      return table;
    } finally {
      // After a failure, the next request tries again.
      pending.delete(asset.key);
    }
  }

  async #make({ key, symbol, firstDay, lastDay }: IndexedAsset, version: number): Promise<Table | null> {
    if (firstDay === null || lastDay === null) return historyTable(symbol, NO_CLOSES);
    const { closes } = await this.#readCloses(key, firstDay, lastDay, version);
    return closes && historyTable(symbol, closes);
  }
}

const NO_CLOSES = { day: new Int32Array(), close: new Float64Array() };

/** A table's rows are cached as JSON and as CSV too, which takes about five times its own memory. */
const WITH_RENDERED_ROWS = 6;
/** Even few rendered rows take a block of memory per format. */
const BLOCKS = 2 * 256 * 2 ** 10;

/** As if all orders were made. */
function bytesOf({ rows, columns, history }: Table): number {
  const orders = 4 * rows * (columns.length + 1);
  return (bytesOfColumns(columns) + history.byteLength + orders) * WITH_RENDERED_ROWS + BLOCKS;
}
