// The history of one asset, as far as it is loaded, and the way to load more.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { tidemark } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { type Failure, failureIn } from '../failure.ts';
import { key } from '../key.ts';
import { dataVersion } from '../new-data.ts';
import { chartColumns, type HistoryPoint, type HistoryRow, historyPoints } from './history.ts';
import {
  type HistoryPage,
  type LoadedHistory,
  NOTHING_LOADED,
  turnPages,
  UNASKED_PAGES,
  withNewest,
} from './history-loader.ts';

/** Rows asked for at once; the key's tier may give fewer. */
const PAGE_ROWS = 1000;

export interface History {
  readonly points: readonly HistoryPoint[];
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

/** What is loaded without being asked for. */
const UNASKED: Wanted = loaded => loaded.pages < UNASKED_PAGES;

/** The parameters of the request that the chart is drawn from, but for its page. */
export function historyParams(id: string, columns: readonly ColumnFacts[]) {
  const names = columns.filter(({ group }) => group === undefined).map(column => column.name);
  const drawn = new Set(chartColumns(names));
  const excluded = names.filter(name => !drawn.has(name)).join();
  return { id, order: 'desc', limit: PAGE_ROWS, excl_cols: excluded };
}

export function useHistory(id: string, columns: readonly ColumnFacts[]): History {
  const [loaded, setLoaded] = useState(NOTHING_LOADED);
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<Failure | null>(null);
  const control = useRef(new AbortController());
  const goal = useRef(UNASKED);

  async function load(from: LoadedHistory, wanted: Wanted): Promise<void> {
    goal.current = wanted;
    control.current.abort();
    control.current = new AbortController();
    const { signal } = control.current;
    setLoading(true);
    setFailure(null);
    try {
      for await (const history of turnPages(from, page => fetchPage(id, columns, page, signal), wanted)) {
        if (signal.aborted) return;
        setLoaded(history);
      }
    } catch (error) {
      if (signal.aborted) return;
      setFailure(failureIn(error));
    }
    setLoading(false);
  }

  useEffect(() => {
    setLoaded(NOTHING_LOADED);
    load(NOTHING_LOADED, UNASKED);
    return () => control.current.abort();
  }, [id, columns, key.value]);

  const version = useRef(dataVersion.value);
  useEffect(() => {
    if (version.current === dataVersion.value || loading) return;
    version.current = dataVersion.value;
    const control = new AbortController();
    fetchPage(id, columns, 1, control.signal).then(
      page => control.signal.aborted || setLoaded(before => withNewest(before, page)),
      failureIn,
    );
    return () => control.abort();
  }, [dataVersion.value, loading]);

  const points = useMemo(() => historyPoints(loaded.rows), [loaded]);
  return {
    points,
    loaded,
    loading,
    failure,
    loadBackTo: day => load(loaded, ({ rows }) => day === null || oldestDay(rows) > day),
    stop: () => {
      control.current.abort();
      setLoading(false);
    },
    retry: () => load(loaded, goal.current),
  };
}

async function fetchPage(
  id: string,
  columns: readonly ColumnFacts[],
  page: number,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const params = { ...historyParams(id, columns), page };
  const { result, next, limitApplied } = await tidemark.rows<HistoryRow>('ta-hist', params, { signal }).page();
  return { rows: result, more: next !== null, limit: limitApplied ?? PAGE_ROWS };
}

/** Rows come newest first; before the first of them every day is still to come. */
function oldestDay(rows: readonly HistoryRow[]): string {
  const time = rows.at(-1)?.['datetimeUTC'];
  return typeof time === 'string' ? time.slice(0, 10) : '9999';
}
