// The optional columns of a history, computed when the first of them is read: most requests want none.

import { finish, type Steps } from '../common/steps.ts';
import type { OptionalColumn } from '../domain/columns.ts';
import type { DailyBars } from '../indicators/calendar.ts';
import type { ReturnSeries } from '../indicators/kernels/beta.ts';
import { optionalHistoryInSteps } from '../indicators/optional.ts';
import { COMPUTED_NAMES, type OptionalTable } from '../indicators/optional-table.ts';
import { sharedDoubleColumns, sharedDoubles, sharedIntegers } from '../snapshot/columns/shared-memory.ts';
import type { DayData, NumberData } from '../snapshot/table.ts';

export interface OptionalHistory {
  readonly column: (column: OptionalColumn) => NumberData | DayData;
  /** Computes the columns, if they are not: without it, the first read of one does. */
  readonly prepare: () => Steps<void>;
}

/** `bars` is called when the columns are computed. */
export function optionalHistory(rows: number, bars: () => DailyBars, benchmark: ReturnSeries | null): OptionalHistory {
  let made: SharedOptionalTable | null = null;
  function* prepare(): Steps<void> {
    made ??= yield* computed(rows, bars, benchmark);
  }
  const table = () => {
    if (made === null) finish(prepare());
    return made!; // `prepare` has made it
  };
  const column = ({ name, kind }: OptionalColumn): NumberData | DayData => {
    const known = COMPUTED_NAMES.find(each => each === name);
    // What depends on the current facts of an asset has no history.
    if (known === undefined) return lazyNumbers(() => sharedDoubles(rows).fill(Number.NaN));
    if (kind !== 'time') return lazyNumbers(() => table()[known]);
    return lazyDays(() => {
      const days = sharedIntegers(rows);
      days.set(table()[known]);
      return days;
    });
  };
  return { column, prepare };
}

type SharedOptionalTable = Readonly<Record<keyof OptionalTable, Float64Array<SharedArrayBuffer>>>;

function* computed(rows: number, bars: () => DailyBars, benchmark: ReturnSeries | null): Steps<SharedOptionalTable> {
  const columns = sharedDoubleColumns(COMPUTED_NAMES.length, rows);
  const entries = COMPUTED_NAMES.map((name, i) => [name, columns[i]!]);
  const table = Object.fromEntries(entries) as SharedOptionalTable; // fromEntries forgets the names
  if (rows > 0) yield* optionalHistoryInSteps(bars(), benchmark, table);
  // Served numbers are finite, and 0 has one form.
  for (const column of columns) {
    for (let row = 0; row < rows; row++) column[row] = Number.isFinite(column[row]!) ? column[row]! + 0 : Number.NaN;
  }
  return table;
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

function lazyDays(make: () => DayData['values']): DayData {
  const values = once(make);
  return {
    kind: 'day',
    get values() {
      return values();
    },
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
