// A plan to the row numbers of its page. Several ways lead there; the cheapest one is taken:
//   1. nothing filters, or only the sort column does: the page is a piece of the kept order
//   2. a filter leaves few rows (tickers, a narrow range): test them one by one, sort what the page shows
//   3. walk the kept order and filter on the way, hoping that the page is soon full
//   4. mark all rows that pass, then sort what the page shows or walk the kept order looking only at the marks

import type { Table } from '../snapshot/table.ts';
import { collectRows } from './collect-rows.ts';
import { rangedValues, testsOf } from './filter-tests.ts';
import { filterKey, keptMarksOf } from './kept-marks.ts';
import { OrderedRows } from './ordered-rows.ts';
import { emptyPage, type Page, UncountedPage } from './page.ts';
import type { Filter, Plan } from './plan.ts';
import { keepAll, markAll, type RowTest } from './row-test.ts';
import { keyBuffer, marks, rowBuffer } from './scratch.ts';
import { selectRows, sortsByNumber } from './select-rows.ts';
import type { Span } from './sort-keys.ts';
import { presentSpan, rangeSpan } from './span-test.ts';
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
  /** Of the order; outside of it no row passes. */
  readonly #sortSpan: Span;

  constructor(plan: Plan, table: Table, limit: number, tuning: Tuning) {
    this.#plan = plan;
    this.#table = table;
    this.#tuning = tuning;
    this.#from = (plan.page - 1) * limit;
    this.#to = this.#from + limit;
    this.#sortSpan = sortSpan(plan, table);
  }

  page(): Page {
    const { filters, symbols, minHistory, search, sort } = this.#plan;
    const onlyFilters = symbols === null && minHistory === null && search === null;
    if (onlyFilters && filters.every(filter => filtersColumn(filter, sort))) return this.#pieceOfOrder();
    const tests = testsOf(this.#plan, this.#table);
    if (symbols !== null) return this.#fromCandidates(this.#table.symbols.rowsOf(symbols), tests);
    const { candidates } = tests[0]!;
    if (candidates !== null && candidates.length <= this.#table.rows * this.#tuning.candidateShare) {
      return this.#fromCandidates(candidates, tests);
    }
    return this.#walked(tests) ?? this.#fromMarks(tests);
  }

  #pieceOfOrder(): Page {
    const total = this.#sortSpan.to - this.#sortSpan.from;
    if (this.#from >= total) return emptyPage(total);
    const walk = this.#orderedRows();
    walk.seek(this.#from);
    const rows = new Uint32Array(Math.min(this.#to, total) - this.#from);
    walk.next(rows, rows.length);
    return { rows, hasNext: this.#to < total, total };
  }

  #fromCandidates(candidates: Uint32Array, tests: readonly RowTest[]): Page {
    const rows = rowBuffer(candidates.length);
    rows.set(candidates);
    const total = keepAll(tests, rows, candidates.length);
    if (!this.#walkIsShorter(total)) return this.#sorted(total);
    marks.markNone(this.#table.rows);
    marks.add(rows, total);
    return this.#marked(total);
  }

  /** Null where the page was not full in time. */
  #walked(tests: readonly RowTest[]): Page | null {
    const { rows } = this.#table;
    const steps = rows * this.#tuning.walkShare;
    const { from, to } = this.#sortSpan;
    // As many steps it takes if what passes is spread evenly.
    if (this.#to * (to - from) > steps * tests[0]!.atMost) return null;
    const limit = this.#to - this.#from;
    const found = collectRows(this.#orderedRows(), tests, this.#from, limit + 1, steps);
    return found && new UncountedPage(found.subarray(0, limit), found.length > limit, () => this.#mark(tests));
  }

  #fromMarks(tests: readonly RowTest[]): Page {
    const total = this.#mark(tests);
    if (this.#walkIsShorter(total)) return this.#marked(total);
    marks.list(rowBuffer(total));
    return this.#sorted(total);
  }

  /** Marks the rows that pass every test, and returns their number. */
  #mark(tests: readonly RowTest[]): number {
    const { keptBytes } = this.#tuning;
    const marksBefore = keptBytes > 0 ? keptMarksOf(this.#table) : null;
    const filter = filterKey(this.#plan);
    const kept = marksBefore?.get(filter);
    if (kept) {
      marks.markAs(kept.words);
      return kept.total;
    }
    const total = markAll(tests, marks, this.#table.rows);
    marksBefore?.keep(filter, marks.words, total, keptBytes);
    return total;
  }

  /** Than sorting so many rows. As if these were spread evenly over the order, which is walked from the nearer end. */
  #walkIsShorter(total: number): boolean {
    if (this.#from >= total) return false;
    const { sortNumberCost, sortTextCost, walkCost } = this.#tuning;
    const share = Math.min(this.#to / total, 1 - this.#from / total);
    const walking = (this.#sortSpan.to - this.#sortSpan.from) * share * walkCost;
    return walking < total * (sortsByNumber(this.#plan) ? sortNumberCost : sortTextCost);
  }

  /** The page of the first `total` rows in the buffer. */
  #sorted(total: number): Page {
    if (this.#from >= total) return emptyPage(total);
    const span = { from: this.#from, to: Math.min(this.#to, total) };
    const rows = rowBuffer(total);
    selectRows(this.#plan, this.#table, rows, total, span, keyBuffer(total));
    return { rows: rows.slice(span.from, span.to), hasNext: this.#to < total, total };
  }

  /** The page of the marked rows, which are `total`. */
  #marked(total: number): Page {
    const walk = this.#orderedRows();
    walk.seekMarked(marks, this.#from, total);
    const wanted = Math.min(this.#to, total) - this.#from;
    const rows = collectRows(walk, [marks], 0, wanted, Number.POSITIVE_INFINITY)!; // no limit that it could reach
    return { rows, hasNext: this.#to < total, total };
  }

  #orderedRows(): OrderedRows {
    const { sort, order } = this.#plan;
    return new OrderedRows(this.#table.columns[sort]!, this.#table.order(sort), order === 'desc', this.#sortSpan);
  }
}

function filtersColumn(filter: Filter, column: number): boolean {
  return filter.kind !== 'comparison' && filter.column === column;
}

/** A plan has at most one filter that gives a span. */
function sortSpan({ filters, sort }: Plan, table: Table): Span {
  const filter = filters.find(each => filtersColumn(each, sort));
  const order = table.order(sort);
  if (filter?.kind === 'range') return rangeSpan(rangedValues(table, sort), order, filter.low, filter.high);
  if (filter?.kind === 'not_null') return presentSpan(table.columns[sort]!, order);
  return { from: 0, to: table.rows };
}
