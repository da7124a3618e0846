// The rows that a stream keeps current: which page of the query covers the rows in sight, and how an event changes it.

import type { ListingEvent } from '../../../client/src/index.ts';
import type { Row } from './row.ts';
import type { View } from './view.ts';

/** A page of the query, as `limit` and `page` name it. */
export interface Slice {
  readonly limit: number;
  readonly page: number;
}

/** The shortest page that has all rows from `from` to before `to`, or else the longest that begins among them or before. */
export function sliceFor(from: number, to: number, longest: number): Slice {
  const wanted = Math.max(1, to - from);
  for (let limit = wanted; limit < longest; limit++) {
    const page = Math.floor(from / limit) + 1;
    if (page * limit >= to) return { limit, page };
  }
  return { limit: longest, page: Math.floor(from / longest) + 1 };
}

/** Row number of its first row. */
export function startOf({ limit, page }: Slice): number {
  return (page - 1) * limit;
}

export function covers(slice: Slice, from: number, to: number): boolean {
  return startOf(slice) <= from && to <= startOf(slice) + slice.limit;
}

/** As the service orders them: nulls last in both directions, ties by ticker. */
export function sortRows(rows: Iterable<Row>, { sort, order }: Pick<View, 'sort' | 'order'>): Row[] {
  const sign = order === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a[sort] ?? null, b[sort] ?? null];
    if (x === y) return a.symbol < b.symbol ? -1 : 1;
    if (x === null || y === null) return x === null ? 1 : -1;
    return (x < y ? -1 : 1) * sign;
  });
}

/** The rows of a page by ticker after an event; the rows that it replaced go to `onReplaced`. */
export function applyEvent(
  before: ReadonlyMap<string, Row>,
  event: ListingEvent<Row>,
  onReplaced: (row: Row, old: Row) => void,
): Map<string, Row> {
  if (event.event === 'rows') return new Map(event.result.map(row => [row.symbol, row]));
  const after = new Map(before);
  for (const symbol of event.left) after.delete(symbol);
  for (const row of [...event.entered, ...event.changed]) {
    const old = after.get(row.symbol);
    if (old) onReplaced(row, old);
    after.set(row.symbol, row);
  }
  return after;
}
