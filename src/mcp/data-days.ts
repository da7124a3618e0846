// The first and the newest day of the data of a snapshot, each looked for once per snapshot.

import type { SnapshotDatasetName } from '../domain/datasets.ts';
import { isoOfPeriod } from '../domain/interval.ts';
import { columnOf, type Snapshot, type Table } from '../snapshot/table.ts';

/** UTC day of the newest close, such as 2026-06-30; null without any. */
export const newestDay = oncePerSnapshot('ta-cur', 'datetimeUTC', Math.max);

/** The newest period of a listing, such as 2026-06-30 or 2026-06-30T14:00Z; null without rows. */
export function newestPeriod(listing: Table): string | null {
  const { values, interval } = columnOf(listing, 'datetimeUTC', 'day');
  return values.length === 0
    ? null
    : isoOfPeriod(
        interval,
        values.reduce((newest, period) => Math.max(newest, period)),
      );
}
/** UTC day of the first close of any asset; null without any. */
export const firstDay = oncePerSnapshot('assets', 'first_data_at', Math.min);

function oncePerSnapshot(
  name: SnapshotDatasetName,
  column: string,
  better: (one: number, other: number) => number,
): (snapshot: Snapshot) => string | null {
  const found = new WeakMap<Snapshot, string | null>();
  return snapshot => {
    const known = found.get(snapshot);
    if (known !== undefined) return known;
    const { values, interval } = columnOf(snapshot.tables[name], column, 'day');
    const best = values.reduce((sofar, day) => (day < 0 ? sofar : sofar < 0 ? day : better(sofar, day)), -1);
    const text = best < 0 ? null : isoOfPeriod(interval, best);
    found.set(snapshot, text);
    return text;
  };
}
