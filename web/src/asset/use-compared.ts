// The prices, or the drawdowns, of the assets that the chart compares.

import type { ColumnFacts } from '../catalog.ts';
import type { ListedInterval } from '../interval.ts';
import { type Requested, useRequest } from '../use-request.ts';
import type { ComparedAsset } from './compare.ts';
import { type HistoryPoint, historyPoints } from './history.ts';
import { NOTHING_LOADED, turnPages, UNASKED_PAGES } from './history-loader.ts';
import { fetchPage, historyParams } from './use-rows.ts';

/** `column` is `price` or `from_ath`. */
export function useCompared(
  ids: readonly string[],
  column: string,
  columns: readonly ColumnFacts[],
  at: { readonly interval: ListedInterval; readonly to: string | null },
): Requested<readonly ComparedAsset[]> {
  const on = ids.length === 0 ? null : `${column} ${ids.join()}`;
  return useRequest(on, signal =>
    Promise.all(
      ids.map(async id => {
        const params = historyParams(id, columns, new Set(['datetimeUTC', 'symbol', 'price', column]), at);
        let loaded = NOTHING_LOADED;
        const pages = turnPages(
          loaded,
          ({ pages: turned }) => fetchPage('ta-hist', { ...params, page: turned + 1 }, signal),
          ({ pages: turned }) => turned < UNASKED_PAGES,
        );
        for await (const history of pages) loaded = history;
        return comparedAsset(id, String(loaded.rows[0]?.['symbol'] ?? id), historyPoints(loaded.rows), column);
      }),
    ),
  );
}

export function comparedAsset(
  id: string,
  symbol: string,
  points: readonly HistoryPoint[],
  column: string,
): ComparedAsset {
  const values = new Map<number, number>();
  for (const point of points) {
    const value = point.values.get(column);
    if (value !== undefined) values.set(point.start, value);
  }
  return { id, symbol, values };
}
