// The table of `ta-cur`: the active assets, one per ticker, with their prices and indicators.

import { isActive, outranks } from '../../domain/asset-state.ts';
import { INDICATORS, PUBLISHED_COLUMNS } from '../../domain/catalogue.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { marketCapOf } from '../columns/past-facts.ts';
import { sharedDoubleColumns, sharedDoubles, sharedIntegers } from '../columns/shared-memory.ts';
import { factTexts } from '../indexes/profile-index.ts';
import { type ColumnData, publishedColumns } from '../table.ts';
import type { QualityColumn } from './quality-book.ts';
import type { SharedTable, TableColumns } from './shared-table.ts';
import { cells, type RowSource, type TableBuilder, type TableSource, texts } from './table-builder.ts';

export const listingBuilder: TableBuilder = { usesMoment: true, selectSlots, build };

/** The columns that `Numbers` are; without the optional ones if they are not published. */
const NUMBERS: readonly string[] = ['price', ...PUBLISHED_COLUMNS.map(({ name }) => name)];
const NOT_PUBLISHED: ColumnData = { kind: 'number', values: sharedDoubles(0) };
const PLACES = NUMBERS.map(name => TA_CUR.columns.findIndex(column => column.name === name));
const NUMBER_KINDS = PLACES.map(i => TA_CUR.columns[i]!.kind);

/** By symbol. If several assets share a ticker, the best-ranked one has the row, and an active one before an inactive one. */
function selectSlots({ book, rows, moment: { newestDay, activeDays, listInactive } }: RowSource): Uint32Array {
  const { ticker, tickers, bySymbol, delisted } = book;
  const { day } = rows;
  const owner = new Int32Array(tickers).fill(-1);
  const active = (slot: number) => isActive(day[slot]!, newestDay, delisted[slot] === 1, activeDays);
  const precedes = (slot: number, rival: number) =>
    listInactive && active(slot) !== active(rival) ? active(slot) : outranks(book.standing(slot), book.standing(rival));
  for (let i = 0; i < bySymbol.length; i++) {
    const slot = bySymbol[i]!;
    if (day[slot]! < 0 || !(listInactive || active(slot))) continue;
    const rival = owner[ticker[slot]!]!;
    if (rival < 0 || precedes(slot, rival)) owner[ticker[slot]!] = slot;
  }
  return bySymbol.filter(slot => owner[ticker[slot]!] === slot);
}

function build(source: TableSource): TableColumns {
  const { book, rows, slots, before, moment } = source;
  const numbers = listingNumbers(source);
  const history = cells(source, sharedDoubles, before?.table.history, slot => rows.history[slot]!);
  const columns = TA_CUR.columns.map(({ name }, i): ColumnData => {
    const old = before?.table.columns[i];
    const place = NUMBERS.indexOf(name);
    if (place >= 0) return numbers[place] ?? NOT_PUBLISHED;
    switch (name) {
      case 'datetimeUTC': {
        const known = old?.kind === 'day' ? old.values : undefined;
        const values = cells(source, sharedIntegers, known, slot => rows.day[slot]!);
        return { kind: 'day', interval: source.moment.interval, values };
      }
      case 'symbol':
        return old ?? texts(source, 'symbol');
      case 'history':
        return { kind: 'number', values: history };
      case 'rank':
        return old ?? factCells(source, slot => moment.past?.rank(book.assetNumbers[slot]!) ?? book.rank[slot]!);
      case 'supply':
        return old ?? factCells(source, slot => moment.past?.supply(book.assetNumbers[slot]!) ?? book.supply[slot]!);
      case 'market_cap':
        return marketCaps(source, numbers[NUMBERS.indexOf('price')]!, old);
      case 'sources':
      case 'gaps365':
      case 'stale':
      case 'findings30':
      case 'findings365':
        return qualityColumn(source, name, old);
      default:
        throw new Error(`the listing has no values for its column ${name}`);
    }
  });
  const profiles = () => factTexts(fact => book.text(fact), slots);
  return { dataset: TA_CUR, rows: slots.length, columns, history, profiles };
}

function factCells(source: TableSource, value: (slot: number) => number): ColumnData {
  return { kind: 'number', values: cells(source, sharedDoubles, undefined, value) };
}

function qualityColumn(source: TableSource, name: QualityColumn, old: ColumnData | undefined): ColumnData {
  const { book, rows, quality, moment, sameMoment } = source;
  const value = (slot: number) => {
    if (moment.past || moment.interval !== '1d') return Number.NaN;
    const day = rows.day[slot]!;
    return quality.value(name, book.assetNumbers[slot]!, day, moment.newestDay, book.delisted[slot] === 1);
  };
  const known = sameMoment && old?.kind === 'number' ? old.values : undefined;
  return { kind: 'number', values: cells(source, sharedDoubles, known, value) };
}

function marketCaps(source: TableSource, prices: ColumnData, old: ColumnData | undefined): ColumnData {
  const { book, moment } = source;
  const capOf = (slot: number, row: number) => {
    const price = prices.kind === 'number' ? prices.values[row]! : Number.NaN;
    return moment.past?.marketCap(book.assetNumbers[slot]!, price) ?? marketCapOf(price, book.supply[slot]!);
  };
  const known = old?.kind === 'number' ? old.values : undefined;
  return { kind: 'number', values: cells(source, sharedDoubles, known, capOf) };
}

/** If a larger share of the rows is touched, writing all of them is faster. */
const MANY = 1 / 4;

function listingNumbers({ rows, slots, before, copies, moment: { interval } }: TableSource): NumberColumn[] {
  const kept = before && before.touched.length < MANY * slots.length ? before : null;
  const old = kept && numbersOf(kept.table);
  const copied = (i: number) => old && copies.copy(old[i]!.buffer);
  const kinds = NUMBER_KINDS.slice(0, 1 + (rows.optional ? PUBLISHED_COLUMNS : INDICATORS).length);
  const doubles = kinds.filter(kind => kind !== 'time').length;
  // In one memory, which begins with the prices.
  const values = sharedDoubleColumns(doubles, slots.length, copied(0) ?? undefined).values();
  const columns = kinds.map(
    (kind, i): NumberColumn =>
      kind === 'time'
        ? { kind: 'day', interval, values: sharedIntegers(copied(i) ?? slots.length) }
        : { kind: 'number', values: values.next().value! }, // there is one for each
  );
  const numbers = columns.map(column => column.values);
  if (kept) for (const row of kept.touched) rows.write(slots[row]!, numbers, row);
  else rows.writeAll(slots, numbers);
  return columns;
}

type NumberColumn = Extract<ColumnData, { kind: 'number' | 'day' }>;

export function numbersOf(listing: SharedTable): NumberColumn['values'][] {
  const published = new Set(publishedColumns(listing));
  return PLACES.filter(i => published.has(i)).map(i => {
    const column = listing.columns[i];
    if (column?.kind !== 'number' && column?.kind !== 'day') {
      throw new Error(`${TA_CUR.columns[i]?.name} is not a column of numbers`);
    }
    return column.values;
  });
}
