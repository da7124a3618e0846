// Brings the current rows up to date with the bars: computes what changed and publishes it in one step.

import { createHash } from 'node:crypto';
import type { AssetNumber } from '../domain/asset.ts';
import { CLOSES_PER_ROW, INDICATORS, type IndicatorColumn } from '../domain/columns.ts';
import type { Day } from '../domain/day.ts';
import { currentRows, indicatorTable } from '../indicators/engine.ts';
import type { BarStore, CurrentPart, CurrentRow, DailyCloses, PublicationStore } from '../store/store.ts';

/** Rows computed by a version with other columns, or with other definitions of them, are not mistaken for current ones. */
export const COLUMNS_FINGERPRINT = fingerprintOf(INDICATORS);

/** Assets at a time: asking has its own cost, of which more than this would save little and take memory. */
const CHUNK = 1024;

export interface Recomputed {
  readonly rows: number;
  readonly removed: number;
  /** The version now published; unchanged when nothing was pending. */
  readonly version: number;
}

/**
 * Computes the rows of all pending assets. A crash before the last step leaves them pending and the old rows published.
 * `otherChanges`: something else that servers show has changed (a profile), so that there is a new version in any case.
 */
export async function recomputePending(store: BarStore & PublicationStore, otherChanges = false): Promise<Recomputed> {
  const pending = await store.pending(COLUMNS_FINGERPRINT);
  if (pending.length === 0 && !otherChanges) return { rows: 0, removed: 0, version: await store.version() };
  const counts = { rows: 0, removed: 0 };
  const version = await store.publish(COLUMNS_FINGERPRINT, counted(computedParts(store, pending), counts));
  return { ...counts, version };
}

async function* counted(
  parts: AsyncIterable<CurrentPart>,
  counts: { rows: number; removed: number },
): AsyncGenerator<CurrentPart, void, undefined> {
  for await (const part of parts) {
    counts.rows += part.rows.length;
    counts.removed += part.removed.length;
    yield part;
  }
}

/**
 * The rows of these assets as their bars have them; assets without bars have none. With `until`, as if there were no bars after that
 * day.
 */
export async function computeRows(
  store: Pick<BarStore, 'closes'>,
  keys: readonly AssetNumber[],
  until?: Day,
): Promise<CurrentRow[]> {
  const rows: CurrentRow[] = [];
  for await (const part of computedParts(store, keys, until)) rows.push(...part.rows);
  return rows;
}

async function* computedParts(
  store: Pick<BarStore, 'closes'>,
  keys: readonly AssetNumber[],
  until?: Day,
): AsyncGenerator<CurrentPart, void, undefined> {
  const closesFrom = (from: number) => chunkOfCloses(store, keys.slice(from, from + CHUNK), until);
  let next = closesFrom(0);
  for (let from = 0; from < keys.length; from += CHUNK) {
    const chunk = keys.slice(from, from + CHUNK);
    const closes = await next;
    // A database in a process of its own reads them while these are worked on.
    next = closesFrom(from + CHUNK);
    const present = chunk.map((_, i) => i).filter(i => closes.starts[i + 1]! > closes.starts[i]!);
    const removed = chunk.filter((_, i) => closes.starts[i + 1] === closes.starts[i]);
    yield { rows: rowsOf(chunk, present, closes), removed };
  }
}

function chunkOfCloses(
  store: Pick<BarStore, 'closes'>,
  keys: readonly AssetNumber[],
  until: Day | undefined,
): Promise<DailyCloses> {
  const closes = store.closes(keys, CLOSES_PER_ROW, until);
  // The await reports a failure; when an earlier chunk failed, nothing awaits this one, and its failure must not end the process.
  closes.catch(() => {});
  return closes;
}

/** `present` are the places of the keys that have closes. */
function rowsOf(keys: readonly AssetNumber[], present: readonly number[], closes: DailyCloses): CurrentRow[] {
  const { starts, close, firstDay, lastDay } = closes;
  const table = indicatorTable(present.length);
  // Assets without closes take no room, so that those with some lie side by side.
  currentRows({ closes: close, starts: Uint32Array.of(0, ...present.map(i => starts[i + 1]!)) }, table);
  // One memory for the values of all rows: thousands of small ones are slow to come by and slow to be given back.
  const values = new Float64Array(present.length * table.length);
  return present.map((i, row) => {
    const own = values.subarray(row * table.length, (row + 1) * table.length);
    for (let column = 0; column < own.length; column++) own[column] = table[column]![row]!;
    const day = lastDay[i]! as Day; // only days from the domain are ever stored
    return { key: keys[i]!, day, history: day - firstDay[i]! + 1, price: close[starts[i + 1]! - 1]!, values: own };
  });
}

/** The names, and a short hash of all that decides on a value. */
export function fingerprintOf(columns: readonly IndicatorColumn[]): string {
  const definitions = columns.map(({ name, kind, window, formula }) => [name, kind, window, formula]);
  const hash = createHash('sha256').update(JSON.stringify(definitions)).digest('hex').slice(0, 16);
  return `${columns.map(column => column.name).join(',')}#${hash}`;
}
