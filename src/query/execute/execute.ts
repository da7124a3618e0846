// Runs a plan: finds the row numbers of its page, by the cheapest of several access paths:
//   1. no filter, or filters on the sort column only: the page is a slice of the column's order
//   2. a filter leaves few rows (tickers, a narrow range): test them one by one, sort as many as the page shows
//   3. walk the order and filter on the way, as long as the page may be full soon
//   4. make a bitmap of all rows that pass, then sort as many as the page shows or walk the order and look them up in the bitmap

import { finish, type Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import type { Filter, Plan } from '../parse/plan.ts';
import { collectRows } from './collect-rows.ts';
import { ExpressionTest } from './expression-test.ts';
import { filterBitmapCacheOf, filtersKey } from './filter-bitmap-cache.ts';
import { rangedValues, testsOf } from './filter-tests.ts';
import { choosesFirstRows, FirstRows, sortNode, takeAll } from './first-rows.ts';
import { OrderedRows } from './ordered-rows.ts';
import { RowBitmap } from './row-bitmap.ts';
import { keepAll, type RowTest, selectAll } from './row-test.ts';
import { giveBack, type Scratch, takeScratch } from './scratch.ts';
import { selectRows, sortsByNumber } from './select-rows.ts';
import type { Span } from './sort-keys.ts';
import { presentSpan, rangeSpan } from './span-test.ts';
import { TUNING, type Tuning } from './tuning.ts';

/** The rows of one page, and the number of rows in all. */
export interface Page {
  /** Row numbers, in the requested order. */
  readonly rows: Uint32Array;
  readonly hasNext: boolean;
  /** Rows of all pages. If the page did not need it, it is counted on first use. */
  readonly total: number;
}

class UncountedPage implements Page {
  readonly rows: Uint32Array;
  readonly hasNext: boolean;
  readonly #count: () => Steps<number>;
  #total: number | null = null;

  constructor(rows: Uint32Array, hasNext: boolean, count: () => Steps<number>) {
    this.rows = rows;
    this.hasNext = hasNext;
    this.#count = count;
  }

  get total(): number {
    return finish(this.counted());
  }

  *counted(): Steps<number> {
    this.#total ??= yield* this.#count();
    return this.#total;
  }
}

export function* totalInSteps(page: Page): Steps<number> {
  return page instanceof UncountedPage ? yield* page.counted() : page.total;
}

function emptyPage(total: number): Page {
  return { rows: new Uint32Array(0), hasNext: false, total };
}

/** `limit` is the limit applied: the tier of the API key may have lowered the requested one. */
export function execute(plan: Plan, table: Table, limit: number, tuning: Tuning = TUNING): Page {
  return finish(executeInSteps(plan, table, limit, tuning));
}

/** The same in steps. */
export function* executeInSteps(plan: Plan, table: Table, limit: number, tuning: Tuning = TUNING): Steps<Page> {
  const scratch = takeScratch();
  try {
    return yield* new Query(plan, table, limit, tuning, scratch).page();
  } finally {
    giveBack(scratch);
  }
}

/** Up to this share of the rows, the first ones are chosen while they are computed; beyond it all are sorted. */
const FIRST_ROWS_SHARE = 8;
/** And no more than so many. */
const MOST_FIRST_ROWS = 2 ** 16;

class Query {
  readonly #plan: Plan;
  readonly #table: Table;
  readonly #tuning: Tuning;
  readonly #scratch: Scratch;
  /** Position of the page among all rows that pass. */
  readonly #from: number;
  readonly #to: number;
  /** Of the sort column; null if it has none. */
  readonly #order: Uint32Array | null;
  /** Span of the order outside of which no row passes. */
  readonly #sortSpan: Span;

  constructor(plan: Plan, table: Table, limit: number, tuning: Tuning, scratch: Scratch) {
    this.#plan = plan;
    this.#table = table;
    this.#tuning = tuning;
    this.#scratch = scratch;
    this.#from = (plan.page - 1) * limit;
    this.#to = this.#from + limit;
    this.#order = sortOrder(plan, table);
    this.#sortSpan = sortSpan(plan, table, this.#order);
  }

  *page(): Steps<Page> {
    const { filters, symbols, minHistory, search, where, sort } = this.#plan;
    const onlyFilters = symbols === null && minHistory === null && search === null && where === null;
    const hasOrder = this.#order !== null;
    if (onlyFilters && hasOrder && filters.every(filter => filtersColumn(filter, sort))) return this.#sliceOfOrder();
    const tests = testsOf(this.#plan, this.#table);
    if (symbols !== null) return yield* this.#fromCandidates(this.#table.symbols.rowsOf(symbols), tests);
    const candidates = tests[0]?.candidates ?? null;
    if (candidates !== null && candidates.length <= this.#table.rows * this.#tuning.candidateShare) {
      return yield* this.#fromCandidates(candidates, tests);
    }
    return (hasOrder ? yield* this.#walked(tests) : null) ?? (yield* this.#fromBitmap(tests));
  }

  #sliceOfOrder(): Page {
    const total = this.#sortSpan.to - this.#sortSpan.from;
    if (this.#from >= total) return emptyPage(total);
    const walk = this.#orderedRows();
    walk.seek(this.#from);
    const rows = new Uint32Array(Math.min(this.#to, total) - this.#from);
    walk.next(rows, rows.length);
    return { rows, hasNext: this.#to < total, total };
  }

  *#fromCandidates(candidates: Uint32Array, tests: readonly RowTest[]): Steps<Page> {
    const { bitmap } = this.#scratch;
    const rows = this.#scratch.rowBuffer(candidates.length);
    rows.set(candidates);
    const total = keepAll(tests, rows, candidates.length);
    if (!this.#walkIsShorter(total)) return yield* this.#sorted(total);
    bitmap.clear(this.#table.rows);
    bitmap.add(rows, total);
    return yield* this.#selected(total);
  }

  /** Null when the page was not full within the allowed number of steps. */
  *#walked(tests: readonly RowTest[]): Steps<Page | null> {
    const { rows } = this.#table;
    const steps = rows * this.#tuning.walkShare;
    const { from, to } = this.#sortSpan;
    // The number of steps if the rows that pass are spread evenly.
    if (this.#to * (to - from) > steps * tests[0]!.atMost) return null;
    const limit = this.#to - this.#from;
    const found = yield* collectRows(this.#orderedRows(), tests, this.#from, limit + 1, steps);
    return found && new UncountedPage(found.subarray(0, limit), found.length > limit, () => this.#count(tests));
  }

  *#fromBitmap(tests: readonly RowTest[]): Steps<Page> {
    const isChosen = this.#order === null && choosesFirstRows(this.#plan, this.#table);
    const first = isChosen && this.#to <= MOST_FIRST_ROWS ? new FirstRows(this.#plan, this.#to) : null;
    const { total, isTaken } = yield* this.#select(tests, first);
    if (this.#walkIsShorter(total)) return yield* this.#selected(total);
    if (first === null || this.#from >= total || this.#to > total / FIRST_ROWS_SHARE) {
      this.#scratch.bitmap.list(this.#scratch.rowBuffer(total));
      return yield* this.#sorted(total);
    }
    if (!isTaken) yield* takeAll(first, this.#plan, this.#table, this.#scratch, total);
    return { rows: first.rows(this.#from), hasNext: this.#to < total, total };
  }

  /** Makes the bitmap of the rows that pass every test, and counts them. `first` takes them if a condition is computed for it. */
  *#select(tests: readonly RowTest[], first: FirstRows | null): Steps<{ total: number; isTaken: boolean }> {
    const { bitmapCacheBytes } = this.#tuning;
    const { bitmap } = this.#scratch;
    const cache = bitmapCacheBytes > 0 ? filterBitmapCacheOf(this.#table, bitmapCacheBytes) : null;
    const key = filtersKey(this.#plan);
    const cached = cache?.get(key);
    if (cached) {
      bitmap.copyFrom(cached.words);
      return { total: cached.total, isTaken: false };
    }
    const condition = first && tests.find(test => test instanceof ExpressionTest);
    const others = tests.filter(test => test !== condition);
    let total = yield* selectAll(others, bitmap, this.#table.rows);
    if (first && condition) {
      yield* condition.narrowAndTake(bitmap, sortNode(this.#plan, this.#table), first);
      total = bitmap.count();
    }
    cache?.set(key, bitmap.words, total);
    return { total, isTaken: Boolean(condition) };
  }

  /** After the query: it may no longer use its scratch buffers. */
  *#count(tests: readonly RowTest[]): Steps<number> {
    const { bitmapCacheBytes } = this.#tuning;
    const cached =
      bitmapCacheBytes > 0 && filterBitmapCacheOf(this.#table, bitmapCacheBytes).get(filtersKey(this.#plan));
    return cached ? cached.total : yield* selectAll(tests, new RowBitmap(), this.#table.rows);
  }

  /** Whether walking is cheaper than sorting so many rows, if they are spread evenly over the order. */
  #walkIsShorter(total: number): boolean {
    if (this.#from >= total || this.#order === null) return false;
    const { sortNumberCost, sortTextCost, walkCost } = this.#tuning;
    const share = Math.min(this.#to / total, 1 - this.#from / total);
    const walking = (this.#sortSpan.to - this.#sortSpan.from) * share * walkCost;
    return walking < total * (sortsByNumber(this.#plan) ? sortNumberCost : sortTextCost);
  }

  /** The page of the first `total` rows in the buffer. */
  *#sorted(total: number): Steps<Page> {
    if (this.#from >= total) return emptyPage(total);
    const span = { from: this.#from, to: Math.min(this.#to, total) };
    const rows = this.#scratch.rowBuffer(total);
    yield* selectRows(this.#plan, this.#table, rows, total, span, this.#scratch.keyBuffer(total));
    return { rows: rows.slice(span.from, span.to), hasNext: this.#to < total, total };
  }

  /** The page of the selected rows, which are `total`. */
  *#selected(total: number): Steps<Page> {
    const { bitmap } = this.#scratch;
    const walk = this.#orderedRows();
    walk.seekSelected(bitmap, this.#from, total);
    const wanted = Math.min(this.#to, total) - this.#from;
    const rows = (yield* collectRows(walk, [bitmap], 0, wanted, Number.POSITIVE_INFINITY))!; // without a limit on its steps it is never null
    return { rows, hasNext: this.#to < total, total };
  }

  #orderedRows(): OrderedRows {
    const { sort, order } = this.#plan;
    if (this.#order === null) throw new Error(`${this.#table.dataset.name} has no order by column ${sort}`);
    return new OrderedRows(this.#table.columns[sort]!, this.#order, order === 'desc', this.#sortSpan);
  }
}

function filtersColumn(filter: Filter, column: number): boolean {
  return filter.kind !== 'comparison' && filter.column === column;
}

/** Null for a column that has no order in the table: a computed one, or an optional one of a snapshot. */
function sortOrder({ dataset, computed, sort }: Plan, table: Table): Uint32Array | null {
  return sort >= dataset.columns.length - computed.length ? null : table.order(sort);
}

/** At most one filter of a plan gives a span. */
function sortSpan({ filters, sort }: Plan, table: Table, order: Uint32Array | null): Span {
  if (order === null) return { from: 0, to: table.rows };
  const filter = filters.find(each => filtersColumn(each, sort));
  if (filter?.kind === 'range') return rangeSpan(rangedValues(table, sort), order, filter.low, filter.high);
  if (filter?.kind === 'not_null') return presentSpan(table.columns[sort]!, order);
  return { from: 0, to: table.rows };
}
