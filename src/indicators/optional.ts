// The optional columns that are computed from the bars of an asset: all but those that depend on its current facts.

import type { Steps } from '../common/steps.ts';
import { OPTIONAL_COMPUTED } from '../domain/catalogue.ts';
import { checkCloses, type DailyBars } from './calendar.ts';
import { DAYS_PER_YEAR, Series } from './kernel.ts';
import { type ColumnTable, KernelGroups, type KernelRun } from './kernel-groups.ts';
import type { ReturnSeries } from './return-series.ts';

const GROUPS = new KernelGroups(OPTIONAL_COMPUTED);

/** Numbers of the state that recursions continue from. */
export const STATE_SIZE: number = GROUPS.stateSize;

/** `ath_at` holds days since 1970-01-01. */
export function optionalTable(rows: number): ColumnTable {
  return GROUPS.table(rows);
}

/** The values of the days `first …` of bars that begin with the first close of the asset. */
export function optionalColumns(
  bars: DailyBars,
  benchmark: ReturnSeries | null,
  first: number = 0,
  table: ColumnTable = optionalTable(bars.closes.length - first),
): ColumnTable {
  checkCloses(bars.closes, 0, bars.closes.length);
  GROUPS.into(table).write(new Series(STATE_SIZE).set(bars, benchmark), first, 0);
  return table;
}

/** The same for every day, in steps. */
export function* optionalHistoryInSteps(
  bars: DailyBars,
  benchmark: ReturnSeries | null,
  table: ColumnTable,
  perYear: number = DAYS_PER_YEAR,
): Steps<void> {
  checkCloses(bars.closes, 0, bars.closes.length);
  yield* GROUPS.into(table).writeInSteps(new Series(STATE_SIZE, perYear).set(bars, benchmark));
}

/** What a computation continues from, instead of starting at the first close. */
export interface Continued {
  /** Days of the asset before the first of the bars. */
  readonly skipped: number;
  /** The state after the day `bars[at]`. */
  readonly state: Float64Array;
  readonly at: number;
}

/** The last day of asset after asset. */
export class LastDay {
  /** One value per column. */
  readonly table: ColumnTable = optionalTable(1);
  readonly #run: KernelRun = GROUPS.into(this.table);
  readonly #series: Series;

  constructor(perYear: number = DAYS_PER_YEAR) {
    this.#series = new Series(STATE_SIZE, perYear);
  }

  /**
   * Recursions start at the first close, so `bars` are all that the asset has. A computation that is continued needs the days since its
   * state, and those that `rowNeeds` says: the bits are the same. `saved` gets the state after the last day but one, to continue from:
   * the last day is often replaced, and then is computed again.
   */
  compute(bars: DailyBars, benchmark: ReturnSeries | null, continued: Continued | null, saved: Float64Array): void {
    const series = this.#series.set(bars, benchmark);
    if (continued === null) checkCloses(bars.closes, 0, bars.closes.length);
    else {
      series.skipped = continued.skipped;
      series.next = continued.at + 1;
      series.state.set(continued.state);
    }
    this.#run.stepToDayBefore(series);
    saved.set(series.state);
    this.#run.write(series, series.end - 1, 0);
  }
}
