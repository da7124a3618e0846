// How much a store holds, and whether it is whole.

import type { Day } from '../../domain/day.ts';

export interface StoreState {
  totals(): Promise<Totals>;
  /**
   * Fails if anything is damaged: SQLite reads everything. PostgreSQL compares its own checksums with every read, so that only the bars are
   * compared with what is known of them.
   */
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
