// The facts of one asset in each period of its history.

import { partitionPoint } from '../common/partition-point.ts';
import { dayOfMillis } from '../domain/day.ts';
import { type Interval, isFinerThanDay, startOfPeriod } from '../domain/interval.ts';
import { marketCapOf } from '../snapshot/columns/past-facts.ts';
import { sharedDoubles } from '../snapshot/columns/shared-memory.ts';
import type { FactRecord } from '../store/store.ts';

/** The optional columns that are facts, or computed from one. */
export type FactColumn = 'rank' | 'supply' | 'market_cap';

export function isFactColumn(name: string): name is FactColumn {
  return name === 'rank' || name === 'supply' || name === 'market_cap';
}

/** A period has the facts of its last UTC day. */
export function factDay(interval: Interval, period: number): number {
  return interval === '1d' ? period : dayOfMillis(startOfPeriod(interval, period + 1) - 1)!; // a period of the domain
}

/** NaN for none. */
interface FactsOfDay {
  readonly rank: number;
  readonly supply: number;
  /** As a source gives it for the day. */
  readonly marketCap: number;
}

const NONE: FactsOfDay = { rank: Number.NaN, supply: Number.NaN, marketCap: Number.NaN };

export class FactSeries {
  readonly #days: readonly number[];
  readonly #facts: readonly FactsOfDay[];

  /** `records`: oldest first. The market capitalisation of a day is not that of its hours. */
  constructor(records: readonly FactRecord[], interval: Interval) {
    this.#days = records.map(record => record.day);
    let state = NONE;
    this.#facts = records.map(({ rank = state.rank, supply = state.supply, marketCap }) => {
      state = {
        rank: rank ?? Number.NaN,
        supply: supply ?? Number.NaN,
        marketCap: isFinerThanDay(interval) ? Number.NaN : (marketCap ?? Number.NaN),
      };
      return state;
    });
  }

  on(day: number): FactsOfDay {
    const at = partitionPoint(0, this.#days.length, place => this.#days[place]! <= day) - 1;
    if (at < 0) return NONE;
    return this.#days[at] === day ? this.#facts[at]! : { ...this.#facts[at]!, marketCap: Number.NaN };
  }
}

/** `first` is the period of the first row; `prices` has the close of each row. */
export function factHistory(
  records: readonly FactRecord[],
  column: FactColumn,
  first: number,
  prices: Float64Array,
  interval: Interval,
): Float64Array<SharedArrayBuffer> {
  const facts = new FactSeries(records, interval);
  const values = sharedDoubles(prices.length);
  for (let row = 0; row < prices.length; row++) {
    const { rank, supply, marketCap } = facts.on(factDay(interval, first + row));
    values[row] =
      column === 'rank' ? rank : column === 'supply' ? supply : marketCapOf(prices[row]!, supply, marketCap);
  }
  return values;
}
