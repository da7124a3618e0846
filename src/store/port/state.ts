// How much a store holds, and whether it is whole.

import type { Day } from '../../domain/day.ts';

export interface StoreState {
  totals(): Promise<Totals>;
  /** Reads everything and fails if anything is damaged. PostgreSQL compares its checksums with every read, so that it does nothing here. */
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
