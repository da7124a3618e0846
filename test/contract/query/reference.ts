// What a request means, and its answer by the plainest code: the contract read literally, over plain objects.

import type { Dataset } from '../../../src/domain/datasets.ts';
import { type Cell, compareCells, type PlainRow } from './plain-table.ts';

export interface Meaning {
  readonly dataset: Dataset;
  readonly limit: number;
  readonly page: number;
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  readonly ranges: readonly { readonly column: string; readonly low: number | null; readonly high: number | null }[];
  readonly comparisons: readonly { readonly left: string; readonly operator: string; readonly right: string }[];
  readonly notNull: readonly string[];
  readonly notNullFlag: boolean;
  readonly symbols: readonly string[] | null;
  /** Names the asset in a listing of one; which it is does not matter here. */
  readonly asset: { readonly by: 'symbol' | 'id'; readonly text: string } | null;
  /** `YYYY-MM-DD`. */
  readonly from: string | null;
  readonly to: string | null;
  readonly minHistory: number | null;
  readonly search: string | null;
}

export interface Answer {
  /** Tie breakers of the rows, which name them uniquely. */
  readonly page: readonly Cell[];
  readonly total: number;
}

export function answer(meaning: Meaning, rows: readonly PlainRow[]): Answer {
  const passing = rows.filter(row => passes(meaning, row)).sort((a, b) => compareRows(meaning, a, b));
  const start = (meaning.page - 1) * meaning.limit;
  const page = passing.slice(start, start + meaning.limit).map(row => row.cells[meaning.dataset.tieBreaker] ?? null);
  return { page, total: passing.length };
}

function passes(meaning: Meaning, { cells, history }: PlainRow): boolean {
  const cell = (name: string) => cells[name] ?? null;
  for (const { column, low, high } of meaning.ranges) {
    const value = cell(column);
    if (typeof value !== 'number') return false;
    if (low !== null && !(value >= low)) return false;
    if (high !== null && !(value <= high)) return false;
  }
  for (const { left, operator, right } of meaning.comparisons) {
    if (!compares(cell(left), operator, cell(right))) return false;
  }
  if (meaning.notNull.some(name => cell(name) === null)) return false;
  if (meaning.notNullFlag) {
    const named = [
      ...meaning.ranges.map(({ column }) => column),
      ...meaning.comparisons.flatMap(({ left, right }) => [left, right]),
    ];
    if ((named.length > 0 ? named : [meaning.sort]).some(name => cell(name) === null)) return false;
  }
  const day = String(cell('datetimeUTC')).slice(0, 10);
  if (meaning.from !== null && day < meaning.from) return false;
  if (meaning.to !== null && day > meaning.to) return false;
  const ticker = String(cell('symbol')).toUpperCase();
  if (meaning.symbols !== null && !meaning.symbols.some(symbol => symbol.toUpperCase() === ticker)) return false;
  if (meaning.minHistory !== null && history < meaning.minHistory) return false;
  if (meaning.search === null) return true;
  const wanted = folded(meaning.search).trim();
  return ['id', 'name', 'symbol'].some(name => folded(String(cell(name))).includes(wanted));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function compares(left: Cell, operator: string, right: Cell): boolean {
  if (left === null || right === null) return false;
  switch (operator) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    default:
      throw new Error(`no operator ${operator}`);
  }
}

function compareRows({ dataset, sort, order }: Meaning, a: PlainRow, b: PlainRow): number {
  const [left, right] = [a.cells[sort] ?? null, b.cells[sort] ?? null];
  const ties = () => compareCells(a.cells[dataset.tieBreaker] ?? null, b.cells[dataset.tieBreaker] ?? null);
  if (left === null || right === null) return Number(left === null) - Number(right === null) || ties();
  const byValue = compareCells(left, right);
  return (order === 'asc' ? byValue : -byValue) || ties();
}
