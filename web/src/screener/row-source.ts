// The rows of one view, fetched page by page as the table needs them.

import { batch, signal } from '@preact/signals';
import type { ApiError, Page } from '../../../client/src/index.ts';
import { type Params, tidemark } from '../api.ts';
import type { ColumnWords } from '../catalog.ts';
import { type Failure, failureIn } from '../failure.ts';
import { learnNames, type Matches, searchAssets } from './asset-names.ts';
import { type ListedColumn, listingParams, tickersOf } from './listing-request.ts';
import { LiveFeed } from './live-feed.ts';
import type { Row } from './row.ts';
import type { View } from './view.ts';

/** Rows per request if the tier of the API key allows it: one to three screens. */
const PAGE_SIZE = 100;
/** Far past the end of any listing: the answer is empty and names the last page. */
const PAST_THE_END = 1_000_000_000;
/** Milliseconds: how long a number of rows that changed live may stay. */
const RECOUNT_AFTER = 5000;
/** With fewer rows per request, scrolling would exceed the rate limit: the table has pages instead. */
export const FEWEST_TO_SCROLL = 25;

/** What is wrong with the filter, which its field shows; null: nothing, or something else. */
export function expressionProblem(source: RowSource): ApiError | null {
  const failure = source.failure.value;
  return failure?.kind === 'request' && failure.problem.param === 'where' ? failure.problem : null;
}

/** With the number of closes, which tells a volatility of 0 from none; what is exported does not have it. */
function withHistory(params: Params, { columns }: View): Params {
  if (!columns.some(name => name.startsWith('vol'))) return params;
  const included = String(params['incl_cols'] ?? '').split(',');
  return { ...params, incl_cols: [...new Set([...included, 'history'])].filter(name => name !== '').join() };
}

export class RowSource {
  /** Grows with every page that arrives. */
  readonly version = signal(0);
  /** Rows that match; null until known. */
  readonly total = signal<number | null>(null);
  /** Rows per request, as the tier allows; null until the first answer. */
  readonly pageSize = signal<number | null>(null);
  readonly failure = signal<Failure | null>(null);
  /** What a search found; null without one. */
  readonly matches = signal<Matches | null>(null);
  /** The parameters of the listing, without `limit` and `page`; null while a search runs. */
  readonly params = signal<Params | null>(null);

  /** Of the columns that are shown, if periods are not days; null until the first answer. */
  readonly words = signal<ColumnWords | null>(null);

  readonly live: LiveFeed;

  readonly #view: View;
  readonly #columns: readonly ListedColumn[];
  #pages = new Map<number, readonly Row[] | 'asked'>();
  readonly #control = new AbortController();
  /** The pages that the table shows now; others that were asked for are not worth a request any more. */
  #wanted: readonly number[] = [];
  #busy = false;
  /** The service has newer rows than these. */
  #outdated = false;
  #recount = 0;
  #follows = false;
  #range: readonly [from: number, to: number] = [0, 0];

  constructor(view: View, columns: readonly ListedColumn[]) {
    this.#view = view;
    this.#columns = columns;
    this.live = new LiveFeed(view, membersChanged => {
      this.version.value++;
      if (membersChanged) this.#countLater();
    });
  }

  /** `page` is the one that is shown first. */
  async start(page: number): Promise<void> {
    await this.#guard(async () => {
      if (await this.#findsNothing()) return;
      // Both at once: most views have more rows than one page.
      await Promise.all([this.#load(page), this.#count()]);
      await this.#work();
    });
  }

  /** Fetches what is shown anew and then replaces it in one step, so that nothing moves but the numbers. */
  async refresh(): Promise<void> {
    if (!this.ready) return;
    this.#outdated = true;
    await this.#guard(async () => {
      if (await this.#findsNothing()) return;
      const pages = new Map<number, readonly Row[]>();
      for (const page of this.#wanted) pages.set(page, (await this.#fetch(page)).result);
      await this.#count();
      batch(() => {
        this.#pages = pages;
        this.#outdated = false;
        this.version.value++;
      });
      await this.#work();
    });
  }

  /** After a failure. */
  retry(page: number): void {
    this.failure.value = null;
    if (this.total.value === null) void this.start(page);
    else void (this.#outdated ? this.refresh() : this.#guard(() => this.#work()));
  }

  /** Keeps the rows in sight current, or no longer. */
  follow(follows: boolean): void {
    this.#follows = follows && this.#view.asOf === null && !this.#view.inactive;
    if (this.#follows) this.#followRange();
    else this.live.stop();
  }

  dispose(): void {
    clearTimeout(this.#recount);
    this.live.stop();
    this.#control.abort();
  }

  get ready(): boolean {
    return this.total.value !== null && this.pageSize.value !== null;
  }

  row(index: number): Row | undefined {
    const size = this.pageSize.value;
    if (size === null) return undefined;
    const live = this.live.row(index);
    if (live !== undefined) return live;
    const page = this.#pages.get(Math.floor(index / size) + 1);
    return typeof page === 'object' ? page[index % size] : undefined;
  }

  /** The table shows the rows from `from` to before `to`. */
  want(from: number, to: number): void {
    const size = this.pageSize.value;
    if (size === null || this.total.value === null) return;
    const first = Math.floor(from / size) + 1;
    const last = Math.floor(Math.max(from, Math.min(to, this.total.value) - 1) / size) + 1;
    this.#wanted = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    this.#range = [from, Math.min(to, this.total.value)];
    this.#followRange();
    void this.#guard(() => this.#work());
  }

  #followRange(): void {
    const { value: longest } = this.pageSize;
    const { value: params } = this.params;
    if (!this.#follows || longest === null || params === null || this.total.value === 0) return;
    this.live.watch(...this.#range, longest, withHistory(params, this.#view));
  }

  #countLater(): void {
    if (this.#recount !== 0) return;
    this.#recount = setTimeout(() => {
      this.#recount = 0;
      void this.#guard(() => this.#count());
    }, RECOUNT_AFTER);
  }

  /** Looks for the tickers of a search. An empty list of them would be no filter at all, so it ends here. */
  async #findsNothing(): Promise<boolean> {
    this.matches.value = await this.#find();
    const symbols = this.matches.value?.symbols ?? null;
    this.params.value = listingParams(this.#view, this.#columns, symbols);
    // No ticker at all would be no filter.
    if (symbols === null || tickersOf(this.#view, symbols).length > 0) return false;
    batch(() => {
      this.total.value = 0;
      this.pageSize.value = PAGE_SIZE;
    });
    return true;
  }

  #find(): Promise<Matches> | null {
    const query = this.#view.query.trim();
    return query === '' ? null : searchAssets(query, this.#view, this.#control.signal);
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let page = this.#next(); page !== undefined; page = this.#next()) await this.#load(page);
    } finally {
      this.#busy = false;
    }
  }

  #next(): number | undefined {
    return this.#wanted.find(page => !this.#pages.has(page));
  }

  async #load(page: number): Promise<void> {
    this.#pages.set(page, 'asked');
    try {
      const { result, next, limitApplied } = await this.#fetch(page);
      batch(() => {
        this.pageSize.value ??= limitApplied ?? PAGE_SIZE;
        this.#pages.set(page, result);
        if (next === null && result.length > 0) {
          this.total.value = (page - 1) * this.pageSize.value + result.length;
        } else if (page === 1 && result.length === 0) this.total.value = 0;
        this.version.value++;
      });
    } catch (error) {
      this.#pages.delete(page);
      throw error;
    }
  }

  async #fetch(page: number): Promise<Page<Row>> {
    // Days have the words of the catalogue.
    const meta = this.#view.interval === '1d' || this.words.value !== null ? {} : { meta: true };
    const answer = await this.#get({ limit: this.pageSize.value ?? PAGE_SIZE, page, ...meta });
    if (answer.metadata !== null) this.words.value = answer.metadata;
    const symbols = answer.result.map(row => row.symbol);
    // A table without names is still a table.
    learnNames(symbols, this.#view.asOf, this.#control.signal).catch(failureIn);
    return answer;
  }

  /** With one row per page, the last page's number is the number of rows. */
  async #count(): Promise<void> {
    const { prev } = await this.#get({ limit: 1, page: PAST_THE_END });
    const last = prev === null ? null : new URL(prev).searchParams.get('page');
    this.total.value = last === null ? 0 : Number(last);
  }

  #get(paging: Params) {
    const { signal } = this.#control;
    return tidemark
      .rows<Row>('ta-cur', { ...paging, ...withHistory(this.params.value ?? {}, this.#view) }, { signal })
      .page();
  }

  async #guard(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      const failure = failureIn(error);
      if (!this.#control.signal.aborted) this.failure.value = failure;
    }
  }
}
