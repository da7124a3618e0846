// The optional columns of a history, computed when the first of them is read: most requests want none.

import { finish, type Steps } from '../common/steps.ts';
import { OPTIONAL_COMPUTED } from '../domain/catalogue.ts';
import type { OptionalColumn } from '../domain/columns.ts';
import { type ListedInterval, periodsPerYear } from '../domain/interval.ts';
import type { DailyBars } from '../indicators/calendar.ts';
import { optionalHistoryInSteps } from '../indicators/optional.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import { sharedDoubleColumns, sharedIntegers } from '../snapshot/columns/shared-memory.ts';
import type { DayData, NumberData } from '../snapshot/table.ts';

export interface OptionalHistory {
  readonly column: (column: OptionalColumn) => NumberData | DayData;
  /** Computes the columns, if they are not: without it, the first read of one does. */
  readonly prepare: () => Steps<void>;
  /** Of the columns that were computed. */
  readonly bytes: () => number;
}

/** `bars` is called when the columns are computed, and `facts` when a column of facts is first read. */
export function optionalHistory(
  rows: number,
  bars: () => DailyBars,
  benchmark: ReturnSeries | null,
  interval: ListedInterval,
  facts: (column: string) => NumberData['values'],
): OptionalHistory {
  let made: Float64Array<SharedArrayBuffer>[] | null = null;
  function* prepare(): Steps<void> {
    made ??= yield* computed(rows, bars, benchmark, periodsPerYear(interval));
  }
  const valuesAt = (place: number) => {
    if (made === null) finish(prepare());
    return made![place]!; // `prepare` has made it, with one array per column
  };
  const column = ({ name, kind }: OptionalColumn): NumberData | DayData => {
    const place = OPTIONAL_COMPUTED.findIndex(each => each.name === name);
    if (place < 0) return lazyNumbers(() => facts(name));
    if (kind !== 'time') return lazyNumbers(() => valuesAt(place));
    return lazyPeriods(interval, () => {
      const days = sharedIntegers(rows);
      days.set(valuesAt(place));
      return days;
    });
  };
  return { column, prepare, bytes: () => (made === null ? 0 : made.length * 8 * rows) };
}

function* computed(
  rows: number,
  bars: () => DailyBars,
  benchmark: ReturnSeries | null,
  perYear: number,
): Steps<Float64Array<SharedArrayBuffer>[]> {
  const columns = sharedDoubleColumns(OPTIONAL_COMPUTED.length, rows);
  if (rows > 0) yield* optionalHistoryInSteps(bars(), benchmark, columns, perYear);
  // Served numbers are finite, and 0 has one form.
  for (const column of columns) {
    for (let row = 0; row < rows; row++) column[row] = Number.isFinite(column[row]!) ? column[row]! + 0 : Number.NaN;
  }
  return columns;
}

function lazyNumbers(make: () => NumberData['values']): NumberData {
  const values = once(make);
  return {
    kind: 'number',
    get values() {
      return values();
    },
  };
}

function lazyPeriods(interval: ListedInterval, make: () => DayData['values']): DayData {
  const values = once(make);
  return {
    kind: 'day',
    interval,
    get values() {
      return values();
    },
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
