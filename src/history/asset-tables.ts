// The tables of recently requested assets (`ta-hist`, `bars`), each computed once per snapshot, so that paging through a table does not
// compute it again.
//
// The store may have published something newer than the snapshot, and a standby may be behind. A cached table is always of the
// snapshot's version.

import { ByteCache } from '../common/byte-cache.ts';
import { SharedWork } from '../common/shared-work.ts';
import { type AtTurn, finish, type RunSteps, type Steps } from '../common/steps.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { Interval } from '../domain/interval.ts';
import { type IndexedAsset, RENDERED_ASSET_BYTES, type Snapshot, type Table } from '../snapshot/table.ts';

/** A table that makes some of its columns and orders when they are first read. */
export interface SizedTable extends Table {
  /** Of the memory that it has now. */
  readonly bytes: number;
}

/** How the table of one asset is made from what the store has published of it. */
export interface AssetTableMaker<Data, T extends SizedTable = SizedTable> {
  /** With `version`, null if another version is published. */
  read(
    atTurn: AtTurn,
    ...asked: [asset: IndexedAsset, interval: Interval, version?: number | undefined, quote?: AssetNumber | null]
  ): Promise<{ version: number; data: Data | null }>;
  /** Of an asset without prices. */
  readonly none: Data;
  make(symbol: string, data: Data, interval: Interval): Steps<T>;
}

/** The turns of the client that wants a table. */
export interface Turns {
  readonly run: RunSteps;
  readonly atTurn: AtTurn;
}

const AT_ONCE: Turns = { run: finish, atTurn: read => read() };

export class AssetTables<Data, T extends SizedTable = SizedTable> {
  readonly #maker: AssetTableMaker<Data, T>;
  /** Of the newest snapshot that was requested; by asset, interval and quote. */
  readonly #tables: ByteCache<T>;
  readonly #computing = new SharedWork<T | null>();
  #fingerprint = '';

  /** `onRemoved` gets each table that was cached and no longer is. */
  constructor(maker: AssetTableMaker<Data, T>, onRemoved: (table: T) => void, maxBytes: number) {
    this.#maker = maker;
    this.#tables = new ByteCache(maxBytes, onRemoved, maxBytes);
  }

  /** Of an asset of the snapshot; null when the store has published another version. */
  async table(
    { fingerprint, version }: Pick<Snapshot, 'fingerprint' | 'version'>,
    asset: IndexedAsset,
    interval: Interval,
    turns: Turns = AT_ONCE,
    quote: AssetNumber | null = null,
  ): Promise<T | null> {
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint;
      this.#tables.clear();
    }
    const name = `${asset.assetNumber} ${interval} ${quote}`;
    const known = this.#tables.get(name);
    if (known !== undefined) {
      this.#tables.resize(name, sizeOf(known));
      return known;
    }
    return this.#computing.get(`${fingerprint} ${name}`, async () => {
      const table = await this.#read(asset, interval, version, turns, quote);
      // Unless a newer snapshot was requested meanwhile.
      if (table !== null && fingerprint === this.#fingerprint) this.#tables.set(name, table, sizeOf(table));
      return table;
    });
  }

  /** Of the same days, in whatever version is published; not cached. */
  async newest(
    asset: IndexedAsset,
    interval: Interval,
    { run, atTurn }: Turns = AT_ONCE,
    quote: AssetNumber | null = null,
  ): Promise<{ version: number; table: T }> {
    const { symbol, firstDay } = asset;
    if (firstDay === null) throw new Error(`${symbol} has no prices, so its table never changes`);
    const { version, data } = await this.#maker.read(atTurn, asset, interval, undefined, quote);
    return { version, table: await run(this.#maker.make(symbol, data ?? this.#maker.none, interval)) };
  }

  async #read(
    asset: IndexedAsset,
    interval: Interval,
    version: number,
    { run, atTurn }: Turns,
    quote: AssetNumber | null,
  ): Promise<T | null> {
    const { symbol, firstDay } = asset;
    const { read, none, make } = this.#maker;
    if (firstDay === null) return run(make(symbol, none, interval));
    const { data } = await read(atTurn, asset, interval, version, quote);
    return data && run(make(symbol, data, interval));
  }
}

/** A table's rows are cached as JSON and as CSV too, which takes about five times its own memory, within bounds. */
const RENDERED_SHARE = 5;
/** Even few rendered rows take a block of memory per format. */
const BLOCKS = 2 * 256 * 2 ** 10;

/** A request that makes more of it has counted when the table is next asked for. */
function sizeOf({ bytes }: SizedTable): number {
  return bytes + Math.min(RENDERED_SHARE * bytes, 2 * RENDERED_ASSET_BYTES) + BLOCKS;
}
