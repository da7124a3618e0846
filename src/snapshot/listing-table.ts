// The table of `ta-cur`: the active assets, one per ticker, with their prices and indicators.

import { isActive, outranks } from '../domain/asset-state.ts';
import { INDICATORS } from '../domain/columns.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { profileIndexData } from './profile-index.ts';
import type { Numbers } from './published-rows.ts';
import { sharedDoubleColumns, sharedDoubles, sharedIntegers } from './shared-memory.ts';
import { createTable, type SharedTable } from './shared-table.ts';
import type { ColumnData } from './table.ts';
import { cells, type RowSource, type TableBuilder, type TableSource, texts, valuesOf } from './table-builder.ts';

export const listingBuilder: TableBuilder = { usesMoment: false, selectSlots, build };

/** The columns of the listing that `Numbers` are. */
const NUMBERS = ['price', ...INDICATORS.map(({ name }) => name)].map(name =>
  TA_CUR.columns.findIndex(column => column.name === name),
);

/** By symbol. If several active assets share a ticker, the best-ranked one has the row. */
function selectSlots({ book, rows, moment: { newestDay, activeDays } }: RowSource): Uint32Array {
  const { ticker, tickers, bySymbol, delisted } = book;
  const { day } = rows;
  const owner = new Int32Array(tickers).fill(-1);
  for (let i = 0; i < bySymbol.length; i++) {
    const slot = bySymbol[i]!;
    if (day[slot]! < 0 || !isActive(day[slot]!, newestDay, delisted[slot] === 1, activeDays)) continue;
    const rival = owner[ticker[slot]!]!;
    if (rival < 0 || outranks(book.standing(slot), book.standing(rival))) owner[ticker[slot]!] = slot;
  }
  return bySymbol.filter(slot => owner[ticker[slot]!] === slot);
}

function build(source: TableSource): SharedTable {
  const { book, rows, slots, before } = source;
  const numbers = listingNumbers(source);
  const columns = TA_CUR.columns.map((column, i): ColumnData => {
    const old = before?.table.columns[i];
    if (column.kind === 'text') return old ?? texts(source, 'symbol');
    if (column.kind === 'time') {
      const dayOf = (slot: number) => rows.day[slot]!;
      return { kind: 'day', values: cells(source, sharedIntegers(slots.length), valuesOf(old), dayOf) };
    }
    const values = numbers[NUMBERS.indexOf(i)];
    if (!values) throw new Error(`the listing has no values for its column ${column.name}`);
    return { kind: 'number', values };
  });
  const history = cells(source, sharedDoubles(slots.length), before?.table.history, slot => rows.history[slot]!);
  return createTable(
    { dataset: TA_CUR, rows: slots.length, columns, history },
    () => profileIndexData(book, slots),
    before?.table,
  );
}

/** Row by row: the numbers of one row are adjacent in their source, so they are read together. */
function listingNumbers({ rows, slots, before }: TableSource): Float64Array<SharedArrayBuffer>[] {
  const numbers = sharedDoubleColumns(NUMBERS.length, slots.length);
  if (before) {
    for (const [i, old] of numbersOf(before.table).entries()) numbers[i]!.set(old);
    for (const row of before.touched) rows.write(slots[row]!, numbers, row);
  } else {
    for (let row = 0; row < slots.length; row++) rows.write(slots[row]!, numbers, row);
  }
  return numbers;
}

export function numbersOf(listing: SharedTable): Numbers {
  return NUMBERS.map(i => {
    const column = listing.columns[i];
    if (column?.kind !== 'number') throw new Error(`${TA_CUR.columns[i]?.name} is not a column of numbers`);
    return column.values;
  });
}
