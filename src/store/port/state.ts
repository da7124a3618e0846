// How much a store holds, and whether it is whole.

import type { Day } from '../../domain/day.ts';

export interface StoreState {
  totals(): Promise<Totals>;
  /** Fails when the database finds damage in itself, wherever it is; reads all of it. Some find it only while they work. */
  checkIntegrity(): Promise<void>;
}

export interface Totals {
  readonly assets: number;
  readonly profiles: number;
  readonly bars: number;
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
  readonly pending: number;
  readonly version: number;
  readonly bytes: number;
}
