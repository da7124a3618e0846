// How the bars of an interval are stored in SQLite: what both forms, tiles and blocks, can do.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Blocks, WritableBlocks } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';

export interface BarTables {
  /** What it has read it keeps. */
  reader(): BarReader;
  /** For one transaction, asset by asset. `appends`: what a batch adds. */
  writer(appends?: GroupAppends): BarWriter;
  /** Assets with the same number are stored together: code that reads them one after the other uses one reader. */
  groupOf(asset: AssetNumber): number;
  /** Whether the blocks from this one on have only closes; false if that is not known. */
  hasOnlyCloses(assets: readonly AssetNumber[], from: number): boolean;
  /** The known origins of the closes of one asset, whose days these are, oldest first. */
  originsOf(asset: AssetNumber, days: Int32Array): Map<number, Origin>;
  /** All of it, for each asset the oldest first. */
  each(): Iterable<StoredCells>;
}

/** By asset group: the newest period that it has or gets, and how many of its assets get a few new periods. */
export type GroupAppends = ReadonlyMap<number, { readonly newest: number; readonly assets: number }>;

export interface BarReader extends Blocks {
  /** Reads the blocks of these assets from one to another, both included. */
  readAhead(assets: readonly AssetNumber[], fields: readonly number[], from: number, to: number): void;
  /** Whether it has read a number of this field ahead. */
  hasField(field: number): boolean;
}

export interface BarWriter extends WritableBlocks {
  /** Writes what was changed last. */
  finish(): void;
}

/** The closes of one block of consecutive assets, 32 of each asset. */
export interface StoredCells {
  /** For messages. */
  readonly place: number;
  readonly firstAsset: AssetNumber;
  readonly block: number;
  readonly closes: Float64Array;
  /** As many; null if none is known. A cell without a close may hold anything. */
  readonly origins: Int32Array | null;
}
