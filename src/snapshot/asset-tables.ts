// The tables of recently requested assets (`ta-hist`, `bars`), each computed once per snapshot, so that paging through a table does not
// compute it again.
//
// The store may have published something newer than the snapshot, and a standby may be behind. A cached table is always of the
// snapshot's version.

import { ByteCache } from '../common/byte-cache.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { Interval } from '../domain/bar.ts';
import type { Day } from '../domain/day.ts';
import type { IndexedAsset } from './asset-index.ts';
import type { Snapshot, Table } from './table.ts';

/** How the table of one asset is made from what the store has published of it. */
export interface AssetTableMaker<Data> {
  /** With `version`, null if another version is published. */
  read(asset: AssetNumber, from: Day, to: Day, version?: number): Promise<{ version: number; data: Data | null }>;
  /** Of an asset without prices. */
  readonly none: Data;
  /** `interval` is null for a dataset that does not have this parameter. */
  make(symbol: string, data: Data, interval: Interval | null): Table;
}

export class AssetTables<Data> {
  readonly #maker: AssetTableMaker<Data>;
  /** Of the newest snapshot that was requested; by asset and interval. */
  readonly #tables: ByteCache<Table>;
  /** Tables that are being computed for that snapshot: concurrent requests wait for the same one. */
  #pending = new Map<string, Promise<Table | null>>();
  #fingerprint = '';

  /** `onRemoved` gets each table that was cached and no longer is. */
  constructor(maker: AssetTableMaker<Data>, onRemoved: (table: Table) => void, maxBytes: number) {
    this.#maker = maker;
    this.#tables = new ByteCache(maxBytes, onRemoved);
  }

  /** Of an asset of the snapshot; null when the store has published another version. */
  async table(
    { fingerprint, version }: Pick<Snapshot, 'fingerprint' | 'version'>,
    asset: IndexedAsset,
    interval: Interval | null,
  ): Promise<Table | null> {
    if (fingerprint !== this.#fingerprint) {
      [this.#fingerprint, this.#pending] = [fingerprint, new Map()];
      this.#tables.clear();
    }
    const name = `${asset.assetNumber} ${interval}`;
    const known = this.#tables.get(name) ?? this.#pending.get(name);
    return known ?? this.#compute(name, this.#read(asset, interval, version));
  }

  /** Of the same days, in whatever version is published; not cached. */
  async newest(asset: IndexedAsset, interval: Interval | null): Promise<{ version: number; table: Table }> {
    const { assetNumber, symbol, firstDay, lastDay } = asset;
    if (firstDay === null || lastDay === null) throw new Error(`${symbol} has no prices, so its table never changes`);
    const { version, data } = await this.#maker.read(assetNumber, firstDay, lastDay);
    return { version, table: this.#maker.make(symbol, data ?? this.#maker.none, interval) };
  }

  async #compute(name: string, made: Promise<Table | null>): Promise<Table | null> {
    const pending = this.#pending;
    pending.set(name, made);
    try {
      const table = await made;
      // Unless a newer snapshot was requested meanwhile.
      if (table !== null && pending === this.#pending) this.#tables.set(name, table, bytesOf(table));
      return table;
    } finally {
      // After a failure, the next request tries again.
      pending.delete(name);
    }
  }

  async #read(asset: IndexedAsset, interval: Interval | null, version: number): Promise<Table | null> {
    const { assetNumber, symbol, firstDay, lastDay } = asset;
    const { read, none, make } = this.#maker;
    if (firstDay === null || lastDay === null) return make(symbol, none, interval);
    const { data } = await read(assetNumber, firstDay, lastDay, version);
    return data && make(symbol, data, interval);
  }
}

/** A table's rows are cached as JSON and as CSV too, which takes about five times its own memory. */
const WITH_RENDERED_ROWS = 6;
/** Even few rendered rows take a block of memory per format. */
const BLOCKS = 2 * 256 * 2 ** 10;

/** Of a value and of its place in the order of its column. */
const CELL_BYTES = 8 + 4;

/** As if all columns and orders were made. */
function bytesOf({ rows, columns }: Table): number {
  return CELL_BYTES * rows * (columns.length + 1) * WITH_RENDERED_ROWS + BLOCKS;
}
