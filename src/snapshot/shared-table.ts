// A table in shared memory: a worker gets its description by message, and all threads read the same copy.
//
// The builder of a table makes its orders and indexes too, so that no request has to wait for one.

import { type Column, isOptional } from '../domain/columns.ts';
import type { Dataset } from '../domain/datasets.ts';
import { rowNumbers } from './consecutive.ts';
import { columnOrder, type RowChanges, type RowMatch, repairOrder } from './orders.ts';
import { ProfileIndex, type ProfileIndexData } from './profile-index.ts';
import { SearchIndex, type SearchIndexData, searchIndexData } from './search-index.ts';
import { type ExternalMemory, externalMemory, sharedCounts } from './shared-memory.ts';
import { SymbolIndex, type SymbolIndexData, symbolIndexData } from './symbol-index.ts';
import { bytesOfColumns, type ColumnData, type Table, type TextData } from './table.ts';
import { compareTexts } from './texts.ts';

/** Can be posted to another thread. */
export interface TableDescriptor extends Pick<Table, 'rows' | 'columns' | 'history'> {
  /** The order of each column that has one, one after the other; the last one is by history. */
  readonly orders: Uint32Array<SharedArrayBuffer>;
  readonly symbolIndex: SymbolIndexData;
  readonly searchIndex: SearchIndexData | null;
  readonly profileIndex: ProfileIndexData;
}

export interface SharedTable extends Table, ExternalMemory {
  readonly descriptor: TableDescriptor;
}

const SEARCHED_COLUMNS = ['id', 'name', 'symbol'];

/** Without its orders, which `makeOrders` makes. `before` is a table with the same texts in the same rows, whose indexes are reused. */
export function createTable(
  { dataset, rows, columns, history }: Pick<Table, 'dataset' | 'rows' | 'columns' | 'history'>,
  makeProfileIndex: () => ProfileIndexData,
  before?: SharedTable,
): SharedTable {
  const symbolIndex = before?.descriptor.symbolIndex ?? symbolIndexData(textColumn(dataset, columns, 'symbol'));
  const searchIndex = before?.descriptor.searchIndex ?? searchIndexOf(dataset, columns);
  const profileIndex = before?.descriptor.profileIndex ?? makeProfileIndex();
  const orders = sharedCounts(rows * orderedColumns(dataset).length + history.length);
  return attachTable(dataset, { rows, columns, history, orders, symbolIndex, searchIndex, profileIndex });
}

function searchIndexOf(dataset: Dataset, columns: readonly ColumnData[]): SearchIndexData | null {
  if (!dataset.extraParameters.includes('q')) return null;
  return searchIndexData(SEARCHED_COLUMNS.map(name => textColumn(dataset, columns, name)));
}

export function attachTable(dataset: Dataset, descriptor: TableDescriptor): SharedTable {
  const { rows, columns, history, symbolIndex, searchIndex, profileIndex } = descriptor;
  const ordered = orderedColumns(dataset);
  const orders = new Map(ordered.map((column, i) => [column, descriptor.orders.subarray(i * rows, (i + 1) * rows)]));
  const bytes = bytesOfColumns(columns) + history.byteLength + descriptor.orders.byteLength;
  return {
    ...{ dataset, rows, columns, history, descriptor, ...externalMemory(bytes) },
    historyOrder: descriptor.orders.subarray(ordered.length * rows),
    symbols: new SymbolIndex(textColumn(dataset, columns, 'symbol'), symbolIndex),
    search: searchIndex && new SearchIndex(searchIndex),
    profiles: new ProfileIndex(profileIndex, rows),
    order(column) {
      if (column >= columns.length) throw new RangeError(`${dataset.name} has no column ${column}`);
      return orders.get(column) ?? null;
    },
  };
}

/** The explorer sorts by rank unless asked otherwise. Ranks seldom change, so that the order of the table before is reused. */
function hasOrder(column: Column): boolean {
  return !isOptional(column) || column.name === 'rank';
}

function orderedColumns({ columns }: Dataset): number[] {
  return [...columns.keys()].filter(i => hasOrder(columns[i]!));
}

/**
 * Makes every order of a table, by repairing those of the table before if that is faster than sorting. `touched` lists the rows that
 * may have other values when every row is where it was; null when rows may have moved.
 */
export function makeOrders(table: SharedTable, previous: SharedTable | null, touched: Uint32Array | null): void {
  const changes: RowChanges | null =
    previous && (touched ? { kind: 'touched', rows: touched } : { kind: 'matched', match: matchRows(previous, table) });
  const scratch = new Uint32Array(previous?.rows ?? 0);
  const [sortings, sortingsBefore] = [sortingsOf(table), previous && sortingsOf(previous)];
  const tieBreaker = table.dataset.columns.findIndex(({ name }) => name === table.dataset.tieBreaker);
  for (const [i, { data, order }] of sortings.entries()) {
    const old = sortingsBefore?.[i];
    if (data === table.columns[tieBreaker]) order.set(rowNumbers(order.length));
    else if (!old || !changes || !repairOrder(old.data, old.order, data, changes, order, scratch)) {
      order.set(columnOrder(data, order.length));
    }
  }
}

function sortingsOf({
  columns,
  history,
  historyOrder,
  order,
}: SharedTable): { data: ColumnData; order: Uint32Array }[] {
  const byColumn = columns.flatMap((data, i) => {
    const own = order(i);
    return own === null ? [] : [{ data, order: own as Uint32Array }];
  });
  if (history.length > 0) byColumn.push({ data: { kind: 'number', values: history }, order: historyOrder });
  return byColumn;
}

/** Rows with the same tie breaker are the same row, so matched rows have the same order in both tables. */
function matchRows(previous: SharedTable, next: SharedTable): RowMatch {
  const tieBreakers = ({ dataset, columns }: SharedTable) => textColumn(dataset, columns, dataset.tieBreaker);
  const [old, fresh] = [tieBreakers(previous), tieBreakers(next)];
  const before = new Int32Array(next.rows).fill(-1);
  const after = new Int32Array(previous.rows).fill(-1);
  for (let i = 0, j = 0; i < previous.rows && j < next.rows; ) {
    const difference = compareTexts(old, i, fresh, j);
    if (difference === 0) {
      before[j] = i;
      after[i] = j;
    }
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return { before, after };
}

function textColumn(dataset: Dataset, columns: readonly ColumnData[], name: string): TextData {
  const data = columns[dataset.columns.findIndex(column => column.name === name)];
  if (data?.kind !== 'text') throw new Error(`${dataset.name} has no column of texts named ${name}`);
  return data;
}
