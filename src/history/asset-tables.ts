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
import type { IndexedAsset } from '../snapshot/asset-index.ts';
import type { Snapshot, Table } from '../snapshot/table.ts';

/** How the table of one asset is made from what the store has published of it. */
export interface AssetTableMaker<Data, T extends Table = Table> {
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

export class AssetTables<Data, T extends Table = Table> {
  readonly #maker: AssetTableMaker<Data, T>;
  /** Of the newest snapshot that was requested; by asset, interval and quote. */
  readonly #tables: ByteCache<T>;
  readonly #computing = new SharedWork<T | null>();
  #fingerprint = '';

  /** `onRemoved` gets each table that was cached and no longer is. */
  constructor(maker: AssetTableMaker<Data, T>, onRemoved: (table: T) => void, maxBytes: number) {
    this.#maker = maker;
    this.#tables = new ByteCache(maxBytes, onRemoved);
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
    if (known !== undefined) return known;
    return this.#computing.get(`${fingerprint} ${name}`, async () => {
      const table = await this.#read(asset, interval, version, turns, quote);
      // Unless a newer snapshot was requested meanwhile.
      if (table !== null && fingerprint === this.#fingerprint) this.#tables.set(name, table, bytesOf(table));
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
