// The optional columns of a history, computed when the first of them is read: most requests want none.

import type { OptionalColumn } from '../domain/columns.ts';
import type { DailyBars } from '../indicators/calendar.ts';
import type { ReturnSeries } from '../indicators/kernels/beta.ts';
import { optionalColumns } from '../indicators/optional.ts';
import { COMPUTED_NAMES, type OptionalTable } from '../indicators/optional-table.ts';
import { sharedDoubleColumns, sharedDoubles, sharedIntegers } from './shared-memory.ts';
import type { DayData, NumberData } from './table.ts';

/** Returns the column of each of them. `bars` is called when the first of them is read. */
export function optionalHistory(
  rows: number,
  bars: () => DailyBars,
  benchmark: ReturnSeries | null,
): (column: OptionalColumn) => NumberData | DayData {
  const table = once(() => computed(rows, bars, benchmark));
  return ({ name, kind }) => {
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
}

type SharedOptionalTable = Readonly<Record<keyof OptionalTable, Float64Array<SharedArrayBuffer>>>;

function computed(rows: number, bars: () => DailyBars, benchmark: ReturnSeries | null): SharedOptionalTable {
  const columns = sharedDoubleColumns(COMPUTED_NAMES.length, rows);
  const entries = COMPUTED_NAMES.map((name, i) => [name, columns[i]!]);
  const table = Object.fromEntries(entries) as SharedOptionalTable; // fromEntries forgets the names
  if (rows > 0) optionalColumns(bars(), benchmark, 0, table);
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
