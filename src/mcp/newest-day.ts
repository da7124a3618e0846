// The day of the data of a snapshot.

import { type Day, isoFromDay } from '../domain/day.ts';
import type { Snapshot } from '../snapshot/table.ts';

const found = new WeakMap<Snapshot, string | null>();

/** UTC day of the newest close, such as 2026-06-30; null without any. Looked for once per snapshot. */
export function newestDay(snapshot: Snapshot): string | null {
  const known = found.get(snapshot);
  if (known !== undefined) return known;
  const { dataset, columns } = snapshot.tables['ta-cur'];
  const times = columns[dataset.columns.findIndex(({ name }) => name === 'datetimeUTC')];
  const newest = times?.kind === 'day' ? times.values.reduce((max, day) => Math.max(max, day), -1) : -1;
  const day = newest < 0 ? null : isoFromDay(newest as Day); // the builder writes days only
  found.set(snapshot, day);
  return day;
}
