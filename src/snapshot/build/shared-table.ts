// A table in shared memory: a worker gets its description by message, and all threads read the same copy.
//
// The builder of a table makes its orders and indexes too, so that no request has to wait for one.

import { type Column, isOptional } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { type ExternalMemory, rowNumbers, sharedCounts, tableMemory } from '../columns/shared-memory.ts';
import { compareTexts } from '../columns/texts.ts';
import { MANY_MOVED, type RowChanges, type RowMatch } from '../indexes/orders.ts';
import { type FactTexts, ProfileIndex, type ProfileIndexData } from '../indexes/profile-index.ts';
import { SearchIndex, type SearchIndexData } from '../indexes/search-index.ts';
import { SymbolIndex, type SymbolIndexData } from '../indexes/symbol-index.ts';
import { bytesOfColumns, type ColumnData, columnOf, type ProfileFact, type Rows, type Table } from '../table.ts';
import type { PreparedCopies } from './prepared-copies.ts';
import type { WorkList } from './work-list.ts';

/** Can be posted to another thread. */
export interface TableDescriptor extends Pick<Table, 'rows' | 'columns' | 'history'> {
  /** The order of each column that has one, and then the order by history. */
  readonly orders: readonly Uint32Array<SharedArrayBuffer>[];
  readonly symbolIndex: SymbolIndexData;
  readonly searchIndex: SearchIndexData | null;
  readonly profileIndex: ProfileIndexData;
}

export interface SharedTable extends Table, ExternalMemory {
  readonly descriptor: TableDescriptor;
}

const SEARCHED_COLUMNS = ['id', 'name', 'symbol'];

/** What a table is made of. */
export interface TableColumns extends Pick<Table, 'dataset' | 'rows' | 'columns' | 'history'> {
  /** The facts that the index of profiles is made of, or the index. */
  readonly profiles: ProfileIndexData | (() => Readonly<Record<ProfileFact, FactTexts>>);
}

/** A table that another one replaces. */
export interface EarlierTable {
  readonly table: SharedTable;
  /** It has the same texts and facts in the same rows, so that its indexes are used again. */
  readonly sameAssets: boolean;
  /** The rows that may have other values, when every row is where it was; null when rows may have moved. */
  readonly touched: Uint32Array | null;
  readonly copies: PreparedCopies;
}

/** Lists the work of making a table: its indexes and orders. The function that it returns gives the table once the work is done. */
export function planTable(given: TableColumns, before: EarlierTable | null, works: WorkList): () => SharedTable {
  const { dataset, rows, columns, history, profiles } = given;
  const same = before?.sameAssets ? before.table.descriptor : null;
  const texts = (name: string) => columnOf({ dataset, columns }, name, 'text');
  const symbolIndex = same ? () => same.symbolIndex : works.add('symbols', texts('symbol'));
  const isSearched = dataset.extraParameters.includes('q');
  const searchIndex =
    same || !isSearched ? () => same?.searchIndex ?? null : works.add('search', SEARCHED_COLUMNS.map(texts));
  const profileIndex = planProfiles(same?.profileIndex ?? profiles, works);
  const orders = planOrders(given, before, works);
  return () =>
    attachTable(dataset, {
      ...{ rows, columns, history, orders },
      ...{ symbolIndex: symbolIndex(), searchIndex: searchIndex(), profileIndex: profileIndex() },
    });
}

function planProfiles(profiles: TableColumns['profiles'], works: WorkList): () => ProfileIndexData {
  if (typeof profiles !== 'function') return () => profiles;
  const facts = profiles();
  const [tag, type] = [works.add('fact', facts.tag), works.add('fact', facts.type)];
  return () => ({ tag: tag(), type: type() });
}

/** The orders, still to be written: by repairing those of the table before, or by sorting. */
function planOrders(given: TableColumns, before: EarlierTable | null, works: WorkList): TableDescriptor['orders'] {
  const { dataset, rows, columns } = given;
  const tieBreaker = columnOf({ dataset, columns }, dataset.tieBreaker, 'text');
  const old = before && sortingsOf(before.table);
  let changed: RowChanges | null = null;
  return sortingsOf(given).map((data, i) => {
    if (data === tieBreaker) return rowNumbers(rows);
    const [previous, previousOrder] = [old?.[i], before?.table.descriptor.orders[i]];
    if (!before || !previous || !previousOrder) {
      const order = sharedCounts(rows);
      works.add('order', { data, order, changes: null });
      return order;
    }
    if (isSame(previous, data)) return previousOrder;
    changed ??= changesSince(before, given);
    const isPatched = changed.kind === 'touched' && changed.rows.length < MANY_MOVED * rows;
    const next = isPatched ? before.copies.take(previousOrder.buffer) : null;
    const order = sharedCounts(next?.memory ?? rows);
    const changes = { previous, previousOrder, rows: changed, isCopied: next?.isCopied ?? false };
    works.add('order', { data, order, changes });
    return order;
  });
}

/** Unchanged columns are used again. */
function isSame(one: ColumnData, other: ColumnData): boolean {
  return one === other || (one.kind !== 'text' && other.kind !== 'text' && one.values === other.values);
}

function changesSince({ table, touched }: EarlierTable, given: Rows): RowChanges {
  return touched ? { kind: 'touched', rows: touched } : { kind: 'matched', match: matchRows(table, given) };
}

export function attachTable(dataset: Dataset, descriptor: TableDescriptor): SharedTable {
  const { rows, columns, history, symbolIndex, searchIndex, profileIndex } = descriptor;
  const ordered = orderedColumns(dataset);
  const orders = new Map(ordered.map((column, i) => [column, descriptor.orders[i]!]));
  const bytes = bytesOfColumns(columns) + history.byteLength + 4 * rows * descriptor.orders.length;
  return {
    ...{ dataset, rows, columns, history, descriptor, ...tableMemory(bytes) },
    historyOrder: descriptor.orders[ordered.length] ?? sharedCounts(0),
    symbols: new SymbolIndex(columnOf({ dataset, columns }, 'symbol', 'text'), symbolIndex),
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

/** The columns that have an order, and the histories. */
function sortingsOf({ dataset, columns, history }: TableColumns | SharedTable): ColumnData[] {
  const byColumn = orderedColumns(dataset).map(i => columns[i]!);
  return history.length === 0 ? byColumn : [...byColumn, { kind: 'number', values: history }];
}

/** Rows with the same tie breaker are the same row, so matched rows have the same order in both tables. */
function matchRows(previous: Rows, next: Rows): RowMatch {
  const tieBreakers = (table: Rows) => columnOf(table, table.dataset.tieBreaker, 'text');
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
