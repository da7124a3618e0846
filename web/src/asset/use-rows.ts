// The rows of one asset, one per period, as far as they are loaded, and the way to load more.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Params, tidemark } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { type Failure, failureIn } from '../failure.ts';
import { intervalParam, isFine, type ListedInterval } from '../interval.ts';
import { key } from '../key.ts';
import { dataVersion } from '../new-data.ts';
import { quoteParam } from '../quote.ts';
import { type RangeId, rangeStart } from './chart-state.ts';
import { type HistoryRow, startOf } from './history.ts';
import {
  type HistoryPage,
  type LoadedHistory,
  NOTHING_LOADED,
  oldestStart,
  turnPages,
  UNASKED_PAGES,
  withNewest,
} from './history-loader.ts';

/** Rows asked for at once; the key's tier may give fewer. Histories of hours and minutes are long. */
export const PAGE_ROWS = 1000;
const LONG_PAGE_ROWS = 5000;
/** With fewer rows per request, scrolling would exceed the rate limit: only a button loads more. */
const FEWEST_TO_SCROLL = 100;
/** Drawing anew costs as much as all that is loaded: a long history grows by this share of itself, so that it stays smooth. */
const GROWTH = 1 / 8;

export interface LoadedRows {
  readonly loaded: LoadedHistory;
  readonly loading: boolean;
  readonly failure: Failure | null;
  /** Loads until this time (seconds since 1970) is there, null for all. */
  loadBackTo(start: number | null): void;
  /** Loads some more, for a user who scrolls towards the past. */
  loadOlder(): void;
  stop(): void;
  /** Goes on where a failure ended it. */
  retry(): void;
}

type Wanted = (loaded: LoadedHistory) => boolean;

/** The parameters of a request for these columns of the history, but for its page. `to` is the last period; null: the newest. */
export function historyParams(
  id: string,
  columns: readonly ColumnFacts[],
  drawn: ReadonlySet<string>,
  { interval, to }: { readonly interval: ListedInterval; readonly to: string | null },
) {
  const names = (some: readonly ColumnFacts[]) => some.map(({ name }) => name).join() || undefined;
  return {
    id,
    interval: intervalParam(interval),
    order: 'desc',
    limit: isFine(interval) ? LONG_PAGE_ROWS : PAGE_ROWS,
    to: to ?? undefined,
    incl_cols: names(columns.filter(({ name, group }) => group !== undefined && drawn.has(name))),
    excl_cols: names(columns.filter(({ name, group }) => group === undefined && !drawn.has(name))),
  };
}

/** `params` without a page, always of one interval; null asks for nothing. With other parameters, the rows stay until the new ones are there. */
export function useRows(dataset: string, params: Params | null, range: RangeId): LoadedRows {
  const [loaded, setLoaded] = useState(NOTHING_LOADED);
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<Failure | null>(null);
  const control = useRef(new AbortController());
  const goal = useRef<Wanted>(() => false);
  const query = JSON.stringify(params);

  async function load(from: LoadedHistory, wanted: Wanted): Promise<void> {
    goal.current = wanted;
    control.current.abort();
    control.current = new AbortController();
    const { signal } = control.current;
    setLoading(true);
    setFailure(null);
    // A picture that is there does not shrink on the way.
    let shown = loaded.rows.length;
    try {
      let last = from;
      const fetchNext = (before: LoadedHistory) =>
        fetchPage(dataset, { ...params, ...pageAfter(before, params) }, signal);
      for await (const history of turnPages(from, fetchNext, wanted)) {
        if (signal.aborted) return;
        last = history;
        if (history.rows.length < shown * (shown > PAGE_ROWS ? 1 + GROWTH : 1)) continue;
        shown = history.rows.length;
        setLoaded(history);
      }
      if (signal.aborted) return;
      setLoaded(last);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(failureIn(error));
    }
    setLoading(false);
  }

  /** Days are loaded whole, as far as a few requests go; of other intervals, as much as the range shows. */
  function unasked(before: number): Wanted {
    if (params?.['interval'] === undefined) return ({ pages }) => pages < Math.max(before, UNASKED_PAGES);
    return history => history.pages < Math.max(before, UNASKED_PAGES) && !isWhole(history, range);
  }

  useEffect(() => {
    if (params === null) return;
    void load(NOTHING_LOADED, unasked(loaded.pages));
    return () => control.current.abort();
  }, [dataset, query, key.value]);

  const before = useRef(range);
  useEffect(() => {
    if (before.current === range) return;
    before.current = range;
    if (params?.['interval'] !== undefined && !loading && loaded.more)
      void load(loaded, unasked(loaded.pages + UNASKED_PAGES));
  }, [range, loading]);

  const version = useRef(dataVersion.value);
  useEffect(() => {
    if (version.current === dataVersion.value || loading || params === null) return;
    version.current = dataVersion.value;
    const { signal } = control.current;
    fetchPage(dataset, { ...params, page: 1 }, signal).then(
      page => signal.aborted || setLoaded(known => withNewest(known, page)),
      failureIn,
    );
  }, [dataVersion.value, loading]);

  return {
    loaded,
    loading,
    failure,
    loadBackTo: start => void load(loaded, history => start === null || oldestStart(history) > start),
    loadOlder: () => {
      if (loading || failure !== null || !loaded.more || loaded.limit < FEWEST_TO_SCROLL) return;
      const enough = loaded.rows.length + Math.max(loaded.limit, loaded.rows.length * GROWTH);
      void load(loaded, ({ rows }) => rows.length < enough);
    },
    stop: () => {
      control.current.abort();
      setLoading(false);
    },
    retry: () => void load(loaded, goal.current),
  };
}

/** The range is there. */
function isWhole(history: LoadedHistory, range: RangeId): boolean {
  const newest = history.rows[0];
  const start = newest === undefined ? null : rangeStart(range, startOf(newest));
  return start !== null && oldestStart(history) <= start;
}

/** Days are turned by page. Of other intervals a new period arrives every minute, so that the next page ends before the oldest row. */
function pageAfter(loaded: LoadedHistory, params: Params | null): Params {
  if (params?.['interval'] === undefined || loaded.rows.length === 0) return { page: loaded.pages + 1 };
  return { to: new Date(oldestStart(loaded) * 1000 - 1).toISOString() };
}

export async function fetchPage(dataset: string, params: Params, signal: AbortSignal): Promise<HistoryPage> {
  const { result, next, limitApplied } = await tidemark
    .rows<HistoryRow>(dataset, { ...params, quote: quoteParam() }, { signal })
    .page();
  return { rows: result, more: next !== null, limit: limitApplied ?? PAGE_ROWS };
}
