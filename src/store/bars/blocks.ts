// Bars in blocks of 32 days, apart from any database. Of other intervals, a day stands for a period.
//
// With one row per bar, writing one day of 50,000 assets takes seconds and reading one year takes ten, most of it the cost of rows. A
// block holds one field (the close, say) of 32 days as doubles. NaN is an unknown number; a day has a bar if its close is a number.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Origin } from '../port/origins.ts';

export const FIELDS = ['close', 'open', 'high', 'low', 'volume'] as const;
/** The first of the fields: it says whether there is a bar. */
export const CLOSE = 0;

export const BLOCK_DAYS = 32;

export function blockOf(day: number): number {
  return Math.floor(day / BLOCK_DAYS);
}

/** Several blocks may share an array; the 32 days of one begin at its `cellsOf`. */
export interface Blocks {
  /** For reading only; null if none of these numbers is known. */
  find(asset: AssetNumber, field: number, block: number): Float64Array | null;
  cellsOf(asset: AssetNumber, block: number): number;
}

export interface WritableBlocks extends Blocks {
  /** For writing. */
  open(asset: AssetNumber, field: number, block: number): Float64Array;
  /** 0 if it is unknown. */
  originOf(asset: AssetNumber, day: number): Origin;
  /** Called after the close of the day was written. */
  setOrigin(asset: AssetNumber, day: number, origin: Origin): void;
}

/** Days of an asset's oldest and newest bar, and how many bars it has; without bars the days are undefined. */
export interface Coverage {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly bars: number;
}

/** Whether there is a bar on every day. */
export function isGapless({ firstDay, lastDay, bars }: Coverage): boolean {
  return bars === lastDay - firstDay + 1;
}

export const NO_BARS: Coverage = { firstDay: 0, lastDay: 0, bars: 0 };

/** Fewer bars are stored than the coverage says. */
export class MissingBars extends Error {
  constructor(asset: AssetNumber) {
    super(`bars of the asset ${asset} are missing`);
  }
}
