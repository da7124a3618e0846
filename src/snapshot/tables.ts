// The two tables of a snapshot, column by column as the catalogue lists them.

import { isActive, isNew } from '../domain/asset-state.ts';
import { ASSET_COLUMNS, INDICATORS } from '../domain/columns.ts';
import { ASSETS, TA_CUR } from '../domain/datasets.ts';
import type { AssetBook, TextFact } from './asset-book.ts';
import type { Numbers, PublishedRows } from './published-rows.ts';
import { sharedBytes, sharedDoubleColumns, sharedDoubles, sharedIntegers } from './shared-memory.ts';
import { createTable, type SharedTable } from './shared-table.ts';
import type { ColumnData } from './table.ts';
import { gatherTexts } from './texts.ts';

export interface TableSource {
  readonly book: AssetBook;
  readonly rows: PublishedRows;
  /** The slots of the table's rows, in the order of its tie breaker. */
  readonly slots: Uint32Array;
  readonly before: TableBefore | null;
}

/** The table that this one takes the place of, when it has the same assets with the same facts in the same rows. */
export interface TableBefore {
  readonly table: SharedTable;
  /** Rows whose prices may differ. */
  readonly touched: Uint32Array;
}

/** The columns of the listing that `Numbers` are. */
const NUMBERS = ['price', ...INDICATORS.map(({ name }) => name)].map(name =>
  TA_CUR.columns.findIndex(column => column.name === name),
);

export function listingTable(source: TableSource): SharedTable {
  const { rows, slots, before } = source;
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
  return createTable({ dataset: TA_CUR, rows: slots.length, columns, history }, before?.table);
}

/** Row by row: so the numbers of one, which lie together where they come from, are read together. */
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
    if (column?.kind !== 'number') throw new Error(`${TA_CUR.columns[i]?.name} is no column of numbers`);
    return column.values;
  });
}

/** Days since 1970-01-01. */
export interface Moment {
  readonly today: number;
  readonly newestDay: number;
}

/** `sameMoment` says that the table before was made for this moment too: states then differ where prices do. */
export function assetsTable(source: TableSource, moment: Moment, sameMoment: boolean): SharedTable {
  const { book, rows, slots, before } = source;
  const dayOf = (slot: number) => rows.day[slot]!;
  const flags = (old: ColumnData | undefined, isSet: (slot: number) => boolean): ColumnData => {
    const value = (slot: number) => Number(isSet(slot));
    return {
      kind: 'flag',
      values: cells(source, sharedBytes(slots.length), sameMoment ? valuesOf(old) : undefined, value),
    };
  };
  const days = (old: ColumnData | undefined, value: (slot: number) => number): ColumnData => {
    return { kind: 'day', values: cells(source, sharedIntegers(slots.length), valuesOf(old), value) };
  };
  const ranks = (): ColumnData => {
    return { kind: 'number', values: cells(source, sharedDoubles(slots.length), undefined, slot => book.rank[slot]!) };
  };
  const make: Readonly<Record<(typeof ASSET_COLUMNS)[number]['name'], (old: ColumnData | undefined) => ColumnData>> = {
    id: old => old ?? texts(source, 'id'),
    name: old => old ?? texts(source, 'name'),
    symbol: old => old ?? texts(source, 'symbol'),
    rank: old => old ?? ranks(),
    is_new: old => flags(old, slot => dayOf(slot) >= 0 && isNew(rows.firstDay(slot), moment.today)),
    is_active: old =>
      flags(old, slot => dayOf(slot) >= 0 && isActive(dayOf(slot), moment.newestDay, book.delisted[slot] === 1)),
    type: old => old ?? texts(source, 'type'),
    first_data_at: old => days(old, slot => rows.firstDay(slot)),
    last_data_at: old => days(old, dayOf),
  };
  const columns = ASSET_COLUMNS.map(({ name }, i) => make[name](before?.table.columns[i]));
  return createTable({ dataset: ASSETS, rows: slots.length, columns, history: sharedDoubles(0) }, before?.table);
}

function texts({ book, slots }: TableSource, fact: TextFact): ColumnData {
  return gatherTexts(book.text(fact), slots);
}

type Cells = Exclude<ColumnData, { kind: 'text' }>['values'];

function valuesOf(column: ColumnData | undefined): Cells | undefined {
  return column === undefined || column.kind === 'text' ? undefined : column.values;
}

/** Fills a column: from the one before and the touched rows where there is one, otherwise row by row. */
function cells<A extends Cells>(
  { slots, before }: TableSource,
  column: A,
  old: Cells | undefined,
  value: (slot: number) => number,
): A {
  if (old !== undefined && before !== null) {
    column.set(old);
    for (const row of before.touched) column[row] = value(slots[row]!);
  } else {
    for (let row = 0; row < slots.length; row++) column[row] = value(slots[row]!);
  }
  return column;
}
