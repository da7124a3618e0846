// Sorts a set of rows only as far as the page shows them, without the order of a column.

import type { Steps } from '../../common/steps.ts';
import { compareTexts } from '../../snapshot/columns/texts.ts';
import type { Table, TextData } from '../../snapshot/table.ts';
import { fillComputed } from '../expression/computed-values.ts';
import type { Plan } from '../parse/plan.ts';
import type { Span } from './sort-keys.ts';

/** Below this many rows, insertion sort is faster than partitioning. */
const INSERTION_ROWS = 12;

/** Whether the rows are sorted by numbers, which is much faster. */
export function sortsByNumber(plan: Plan): boolean {
  const { kind, name } = plan.dataset.columns[plan.sort]!;
  return kind !== 'text' || name === plan.dataset.tieBreaker;
}

/** Arranges `rows[0 … count - 1]` so that its span is the same as in the sorted rows. */
export function* selectRows(
  plan: Plan,
  table: Table,
  rows: Uint32Array,
  count: number,
  span: Span,
  keys: Float64Array,
): Steps<void> {
  const data = table.columns[plan.sort];
  const sign = plan.order === 'desc' ? -1 : 1;
  if (data === undefined) {
    yield* fillComputed(table, [plan.computed[plan.sort - table.dataset.columns.length]!], rows, count, [keys]);
    toKeys(keys, count, sign);
  } else if (data.kind !== 'text') {
    fillKeys(keys, data.values, data.kind === 'day', rows, count, sign);
  } else if (sortsByNumber(plan)) {
    // Rows are in the order of the tie breaker, the only text column that gets here.
    for (let i = 0; i < count; i++) keys[i] = rows[i]! * sign;
  } else {
    rows.subarray(0, count).sort((a, b) => compareTextRows(data, a, b, sign));
    return;
  }
  yield* sortSpanInSteps(keys, rows, 0, count, span);
}

/** Ascending keys give the wanted order. Values are finite, so infinity can stand for null (NaN, and days below 0) and sorts last. */
function fillKeys(
  keys: Float64Array,
  values: Float64Array | Int32Array | Uint8Array,
  areDays: boolean,
  rows: Uint32Array,
  count: number,
  sign: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[rows[i]!]!;
    keys[i] = Number.isNaN(value) || (areDays && value < 0) ? Number.POSITIVE_INFINITY : value * sign;
  }
}

/** The same for values that are there already. */
function toKeys(keys: Float64Array, count: number, sign: number): void {
  for (let i = 0; i < count; i++) keys[i] = Number.isNaN(keys[i]!) ? Number.POSITIVE_INFINITY : keys[i]! * sign;
}

function compareTextRows(data: TextData, a: number, b: number, sign: number): number {
  const nulls = data.missing[a]! - data.missing[b]!;
  if (nulls !== 0 || data.missing[a] === 1) return nulls || a - b;
  return compareTexts(data, a, data, b) * sign || a - b;
}

/** Rows that are sorted in one step. */
const STEP_ROWS = 2 ** 15;

function* sortSpanInSteps(keys: Float64Array, rows: Uint32Array, from: number, to: number, span: Span): Steps<void> {
  if (from >= span.to || to <= span.from) return;
  if (to - from <= STEP_ROWS) {
    sortSpan(keys, rows, from, to, span);
    yield;
    return;
  }
  const split = partition(keys, rows, from, to);
  yield;
  yield* sortSpanInSteps(keys, rows, from, split, span);
  yield* sortSpanInSteps(keys, rows, split, to, span);
}

/** Quicksort by key, then row, which skips the parts outside the span. */
export function sortSpan(keys: Float64Array, rows: Uint32Array, from: number, to: number, span: Span): void {
  let [low, high] = [from, to];
  while (high - low > INSERTION_ROWS) {
    if (low >= span.to || high <= span.from) return;
    const split = partition(keys, rows, low, high);
    // Recursion into the smaller part keeps the stack shallow.
    if (split - low < high - split) {
      sortSpan(keys, rows, low, split, span);
      low = split;
    } else {
      sortSpan(keys, rows, split, high, span);
      high = split;
    }
  }
  insertionSort(keys, rows, low, high);
}

/** Hoare partition: everything before the returned index sorts before the rest; both sides have rows. */
function partition(keys: Float64Array, rows: Uint32Array, low: number, high: number): number {
  const middle = (low + high) >>> 1;
  sortPair(keys, rows, low, middle);
  sortPair(keys, rows, middle, high - 1);
  sortPair(keys, rows, low, middle);
  const key = keys[middle]!;
  const row = rows[middle]!;
  let i = low;
  let j = high - 1;
  for (;;) {
    do i++;
    while (keys[i]! < key || (keys[i] === key && rows[i]! < row));
    do j--;
    while (keys[j]! > key || (keys[j] === key && rows[j]! > row));
    if (i >= j) return i;
    swap(keys, rows, i, j);
  }
}

function sortPair(keys: Float64Array, rows: Uint32Array, a: number, b: number): void {
  if (keys[a]! > keys[b]! || (keys[a] === keys[b] && rows[a]! > rows[b]!)) swap(keys, rows, a, b);
}

function swap(keys: Float64Array, rows: Uint32Array, a: number, b: number): void {
  const key = keys[a]!;
  const row = rows[a]!;
  keys[a] = keys[b]!;
  rows[a] = rows[b]!;
  keys[b] = key;
  rows[b] = row;
}

function insertionSort(keys: Float64Array, rows: Uint32Array, low: number, high: number): void {
  for (let i = low + 1; i < high; i++) {
    for (let j = i; j > low; j--) sortPair(keys, rows, j - 1, j);
  }
}
