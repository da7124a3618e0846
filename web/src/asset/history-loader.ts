// Turns the pages of a history, newest first.
//
// A key of a large tier has it all after a few requests. A small one (5 rows a page) would need hundreds: then the loader
// stops by itself after a few, and continues when the user says so, at the pace that the way to the API keeps.

import { type HistoryRow, startOf } from './history.ts';

export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  readonly more: boolean;
  /** Rows a page that the key's tier gives. */
  readonly limit: number;
}

export interface LoadedHistory {
  readonly rows: readonly HistoryRow[];
  readonly pages: number;
  readonly limit: number;
  /** There are older periods than these. */
  readonly more: boolean;
}

export type FetchPage = (loaded: LoadedHistory) => Promise<HistoryPage>;

/** Pages turned without being asked for: together with the rest of the asset page, within what a free key may ask at once. */
export const UNASKED_PAGES = 6;

export const NOTHING_LOADED: LoadedHistory = { rows: [], pages: 0, limit: 0, more: true };

/** Continues from `history` and yields after each page, until the history is complete or the caller stops. */
export async function* turnPages(
  history: LoadedHistory,
  fetchPage: FetchPage,
  wanted: (loaded: LoadedHistory) => boolean,
): AsyncGenerator<LoadedHistory> {
  let loaded = history;
  while (loaded.more && wanted(loaded)) {
    const page = await fetchPage(loaded);
    loaded = {
      rows: [...loaded.rows, ...page.rows],
      pages: loaded.pages + 1,
      limit: page.limit,
      more: page.more,
    };
    yield loaded;
  }
}

/** The newest page once more, after new data came: its periods take the place of those that are loaded. */
export function withNewest(loaded: LoadedHistory, { rows }: HistoryPage): LoadedHistory {
  const oldest = String(rows.at(-1)?.['datetimeUTC'] ?? '9999');
  return { ...loaded, rows: [...rows, ...loaded.rows.filter(row => String(row['datetimeUTC']) < oldest)] };
}

/** Seconds since 1970 of the oldest row; without any, every period is still to come. */
export function oldestStart({ rows }: LoadedHistory): number {
  const oldest = rows.at(-1);
  return oldest === undefined ? Number.POSITIVE_INFINITY : startOf(oldest);
}
