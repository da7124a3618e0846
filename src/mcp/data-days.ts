// The first and the newest day of the data of a snapshot, each looked for once per snapshot.

import type { SnapshotDatasetName } from '../domain/datasets.ts';
import { isDay, isoFromDay } from '../domain/day.ts';
import { columnOf, type Snapshot } from '../snapshot/table.ts';

/** UTC day of the newest close, such as 2026-06-30; null without any. */
export const newestDay = oncePerSnapshot('ta-cur', 'datetimeUTC', Math.max);
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
    const { values } = columnOf(snapshot.tables[name], column, 'day');
    const best = values.reduce((sofar, day) => (day < 0 ? sofar : sofar < 0 ? day : better(sofar, day)), -1);
    const text = isDay(best) ? isoFromDay(best) : null;
    found.set(snapshot, text);
    return text;
  };
}
