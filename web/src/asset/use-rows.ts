// The rows of one asset, one per day or bar, as far as they are loaded, and the way to load more.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Params, tidemark } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { type Failure, failureIn } from '../failure.ts';
import { key } from '../key.ts';
import { dataVersion } from '../new-data.ts';
import type { HistoryRow } from './history.ts';
import {
  type HistoryPage,
  type LoadedHistory,
  NOTHING_LOADED,
  turnPages,
  UNASKED_PAGES,
  withNewest,
} from './history-loader.ts';

/** Rows asked for at once; the key's tier may give fewer. */
export const PAGE_ROWS = 1000;

export interface LoadedRows {
  readonly loaded: LoadedHistory;
  readonly loading: boolean;
  readonly failure: Failure | null;
  /** Loads until the day (`YYYY-MM-DD`) is there, null for all. */
  loadBackTo(day: string | null): void;
  stop(): void;
  /** Goes on where a failure ended it. */
  retry(): void;
}

type Wanted = (loaded: LoadedHistory) => boolean;

/** The parameters of a request for these columns of the history, but for its page. `to` is the last day; null: the newest. */
export function historyParams(
  id: string,
  columns: readonly ColumnFacts[],
  drawn: ReadonlySet<string>,
  to: string | null,
) {
  const names = (some: readonly ColumnFacts[]) => some.map(({ name }) => name).join() || undefined;
  return {
    id,
    order: 'desc',
    limit: PAGE_ROWS,
    to: to ?? undefined,
    incl_cols: names(columns.filter(({ name, group }) => group !== undefined && drawn.has(name))),
    excl_cols: names(columns.filter(({ name, group }) => group === undefined && !drawn.has(name))),
  };
}

/** `params` without a page; null asks for nothing. With other parameters, the rows stay until the new ones are there. */
export function useRows(dataset: string, params: Params | null): LoadedRows {
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
    try {
      let last = from;
      for await (const history of turnPages(from, page => fetchPage(dataset, { ...params, page }, signal), wanted)) {
        if (signal.aborted) return;
        last = history;
        // A picture that is there does not shrink on the way.
        if (history.rows.length >= loaded.rows.length) setLoaded(history);
      }
      setLoaded(last);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(failureIn(error));
    }
    setLoading(false);
  }

  useEffect(() => {
    if (params === null) return;
    const before = loaded.pages;
    void load(NOTHING_LOADED, ({ pages }) => pages < Math.max(before, UNASKED_PAGES));
    return () => control.current.abort();
  }, [dataset, query, key.value]);

  const version = useRef(dataVersion.value);
  useEffect(() => {
    if (version.current === dataVersion.value || loading || params === null) return;
    version.current = dataVersion.value;
    const { signal } = control.current;
    fetchPage(dataset, { ...params, page: 1 }, signal).then(
      page => signal.aborted || setLoaded(before => withNewest(before, page)),
      failureIn,
    );
  }, [dataVersion.value, loading]);

  return {
    loaded,
    loading,
    failure,
    loadBackTo: day => void load(loaded, ({ rows }) => day === null || oldestDay(rows) > day),
    stop: () => {
      control.current.abort();
      setLoading(false);
    },
    retry: () => void load(loaded, goal.current),
  };
}

export async function fetchPage(dataset: string, params: Params, signal: AbortSignal): Promise<HistoryPage> {
  const { result, next, limitApplied } = await tidemark.rows<HistoryRow>(dataset, params, { signal }).page();
  return { rows: result, more: next !== null, limit: limitApplied ?? PAGE_ROWS };
}

/** Rows come newest first; before the first of them every day is still to come. */
function oldestDay(rows: readonly HistoryRow[]): string {
  const time = rows.at(-1)?.['datetimeUTC'];
  return typeof time === 'string' ? time.slice(0, 10) : '9999';
}
