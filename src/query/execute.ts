// A plan to the row numbers of its page. Several ways lead there; the cheapest one is taken:
//   1. nothing filters, or only the sort column does: the page is a piece of the kept order
//   2. a few candidates (tickers, a narrow range along a kept order): filter them, sort what the page shows
//   3. walk the kept order and filter on the way, hoping that the page is soon full
//   4. filter all rows, then sort what the page shows or walk the kept order looking only for what passed

import type { Table } from '../snapshot/table.ts';
import { collectRows } from './collect-rows.ts';
import { historyTest, testOf } from './filter-tests.ts';
import { rangeOrder, rangeSpan, sortOrder } from './kept-orders.ts';
import { OrderedRows, type Span } from './ordered-rows.ts';
import { emptyPage, type Page, UncountedPage } from './page.ts';
import type { Filter, Plan } from './plan.ts';
import type { RowTest } from './row-test.ts';
import { countAll, filterAll, keepAll } from './run-tests.ts';
import { keyBuffer, marks, rowBuffer } from './scratch.ts';
import { searchTest } from './search-index.ts';
import { selectRows, sortsByNumber } from './select-rows.ts';
import { isNull, partitionPoint } from './sort-keys.ts';
import { symbolIndex } from './symbol-index.ts';
import { TUNING, type Tuning } from './tuning.ts';

/** `limit` is the one that applies, which the key's tier may have lowered. */
export function execute(plan: Plan, table: Table, limit: number, tuning: Tuning = TUNING): Page {
  return new Query(plan, table, limit, tuning).page();
}

class Query {
  readonly #plan: Plan;
  readonly #table: Table;
  readonly #tuning: Tuning;
  /** Of the page among all rows that pass. */
  readonly #from: number;
  readonly #to: number;

  constructor(plan: Plan, table: Table, limit: number, tuning: Tuning) {
    this.#plan = plan;
    this.#table = table;
    this.#tuning = tuning;
    this.#from = (plan.page - 1) * limit;
    this.#to = this.#from + limit;
  }

  page(): Page {
    const { filters, symbols, minHistory, search } = this.#plan;
    const onlyFilters = symbols === null && minHistory === null && search === null;
    if (onlyFilters && filters.every(filter => this.#filtersSortColumn(filter))) return this.#pieceOfOrder();
    const tests = this.#tests();
    const candidates = this.#candidates();
    if (candidates !== null) return this.#arranged(keepAll(tests, rowBuffer(candidates), 0, candidates));
    return this.#walked(tests) ?? this.#arranged(filterAll(tests, this.#table.rows));
  }

  #tests(): RowTest[] {
    const { filters, minHistory, search } = this.#plan;
    const tests = filters.map(filter => testOf(filter, this.#table));
    if (minHistory !== null) tests.push(historyTest(this.#table, minHistory));
    if (search !== null) tests.push(searchTest(this.#table, search));
    return tests;
  }

  #pieceOfOrder(): Page {
    const { from, to } = this.#sortSpan();
    const total = to - from;
    if (this.#from >= total) return emptyPage(total);
    const walk = this.#orderedRows({ from, to });
    walk.seek(this.#from);
    const rows = new Uint32Array(Math.min(this.#to, total) - this.#from);
    walk.next(rows, rows.length);
    return { rows, hasNext: this.#to < total, total };
  }

  /** Puts rows into the buffer that include all that pass, and returns their number; null where there would be too many. */
  #candidates(): number | null {
    if (this.#plan.symbols !== null) return intoBuffer(symbolIndex(this.#table).rowsOf(this.#plan.symbols));
    let narrowest: Uint32Array | null = null;
    let fewest = this.#table.rows * this.#tuning.candidateShare;
    for (const filter of this.#plan.filters) {
      if (filter.kind !== 'range') continue;
      const order = rangeOrder(this.#table, filter.column, this.#tuning.rangesWorthAnOrder);
      if (order === null) continue;
      const { from, to } = rangeSpan(this.#table, filter.column, order, filter.low, filter.high);
      if (to - from > fewest) continue;
      narrowest = order.subarray(from, to);
      fewest = to - from;
    }
    return narrowest === null ? null : intoBuffer(narrowest);
  }

  /** Null where the page was not full in time. */
  #walked(tests: readonly RowTest[]): Page | null {
    const { rows } = this.#table;
    const steps = rows * this.#tuning.walkShare;
    // A search is dear for single rows, and cheap for many.
    if (this.#to > steps || this.#plan.search !== null) return null;
    const limit = this.#to - this.#from;
    const found = collectRows(this.#orderedRows(this.#sortSpan()), tests, this.#from, limit + 1, steps);
    return found && new UncountedPage(found.subarray(0, limit), found.length > limit, () => countAll(tests, rows));
  }

  /** The page of the first `total` rows in the buffer, which are in no order. */
  #arranged(total: number): Page {
    if (this.#from >= total) return emptyPage(total);
    const span = { from: this.#from, to: Math.min(this.#to, total) };
    const { sortNumberCost, sortTextCost, walkCost } = this.#tuning;
    const sorting = total * (sortsByNumber(this.#plan) ? sortNumberCost : sortTextCost);
    // As if what passed were spread evenly over the order. Where it is not, the walk stops when sorting would have been done.
    const walking = this.#table.rows * walkCost * (span.to / total);
    const walked = walking < sorting ? this.#marked(total, span, sorting / walkCost) : null;
    return { rows: walked ?? this.#sorted(total, span), hasNext: span.to < total, total };
  }

  #sorted(total: number, span: Span): Uint32Array {
    const rows = rowBuffer(total);
    selectRows(this.#plan, this.#table, rows, total, span, keyBuffer(total));
    return rows.slice(span.from, span.to);
  }

  /** Null where that many steps were not enough. */
  #marked(total: number, span: Span, steps: number): Uint32Array | null {
    marks.reset(this.#table.rows);
    marks.addAll(rowBuffer(total), total);
    const walk = this.#orderedRows({ from: 0, to: this.#table.rows });
    if (!walk.skipMarked(marks, span.from, steps)) return null;
    return collectRows(walk, [marks], 0, span.to - span.from, steps);
  }

  #orderedRows(span: Span): OrderedRows {
    const { sort, order } = this.#plan;
    return new OrderedRows(this.#table.columns[sort]!, sortOrder(this.#table, sort), order === 'desc', span);
  }

  #filtersSortColumn(filter: Filter): boolean {
    return filter.kind !== 'comparison' && filter.column === this.#plan.sort;
  }

  /** Outside of it no row passes. A plan has at most one filter that gives a span. */
  #sortSpan(): Span {
    const { filters, sort } = this.#plan;
    const filter = filters.find(each => this.#filtersSortColumn(each));
    const [from, to] = [0, this.#table.rows];
    if (filter === undefined || filter.kind === 'comparison') return { from, to };
    const order = sortOrder(this.#table, sort);
    if (filter.kind === 'range') return rangeSpan(this.#table, sort, order, filter.low, filter.high);
    return { from, to: partitionPoint(from, to, p => !isNull(this.#table.columns[sort]!, order[p]!)) };
  }
}

function intoBuffer(rows: Uint32Array): number {
  rowBuffer(rows.length).set(rows);
  return rows.length;
}
