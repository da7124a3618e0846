// Publications as a stream reports them: what one changed, and the latest ones for clients that resume.

import { TA_CUR } from '../domain/datasets.ts';
import { isoOfPeriod } from '../domain/interval.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { eventBytes } from './event-text.ts';

/** Rows are those of the listing. */
export interface Publication {
  readonly version: number;
  /** Of the publication that a client must know for the counts to be true. */
  readonly before: number;
  /** UTC day of the newest close, such as 2026-06-30; null without rows. */
  readonly newestDay: string | null;
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
}

/** A client that has missed more must load everything. */
export const PUBLICATIONS_KEPT = 256;

const DAY_COLUMN = TA_CUR.columns.findIndex(column => column.name === 'datetimeUTC');

/** What the newer of two snapshots changed. */
export function publicationBetween(before: Snapshot, after: Snapshot): Publication {
  const { assetNumbers, versions } = after.listed;
  // Most publications change prices only: the snapshot then has the assets of the one before, in the same array.
  const known = assetNumbers === before.listed.assetNumbers ? null : new Set(before.listed.assetNumbers);
  let [changed, added] = [0, 0];
  for (let row = 0; row < assetNumbers.length; row++) {
    if (known?.has(assetNumbers[row]!) === false) added++;
    else if (versions[row]! > before.version) changed++;
  }
  const removed = before.listed.assetNumbers.length - (assetNumbers.length - added);
  return { version: after.version, before: before.version, newestDay: newestDayOf(after), changed, added, removed };
}

export function newestDayOf({ tables }: Snapshot): string | null {
  const data = tables['ta-cur'].columns[DAY_COLUMN];
  if (data?.kind !== 'day') throw new TypeError('the listing has no days');
  let newest = -1;
  for (let row = 0; row < data.values.length; row++) newest = Math.max(newest, data.values[row]!);
  return newest < 0 ? null : isoOfPeriod(data.interval, newest);
}

export function publicationEvent({ version, newestDay, changed, added, removed }: Publication): Buffer {
  const data = { version, newest_day: newestDay, all: false, changed, added, removed };
  return eventBytes('publication', version, JSON.stringify(data));
}

/** For a client of which the server does not know what it has seen. */
export function everythingEvent(snapshot: Snapshot): Buffer {
  const { version } = snapshot;
  const data = { version, newest_day: newestDayOf(snapshot), all: true, changed: null, added: null, removed: null };
  return eventBytes('publication', version, JSON.stringify(data));
}
