// Brings the current rows up to date with the bars: computes what changed and publishes it in one step.

import { createHash } from 'node:crypto';
import type { AssetKey } from '../domain/asset.ts';
import { CLOSES_PER_ROW, INDICATORS, type IndicatorColumn } from '../domain/columns.ts';
import type { Day } from '../domain/day.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { currentRows, indicatorTable } from '../indicators/engine.ts';
import type { CloseSpans, CurrentPart, CurrentRow, Store } from '../store/store.ts';

/** Rows computed by a version with other columns, or with other definitions of them, are not mistaken for current ones. */
export const COLUMNS_FINGERPRINT = fingerprintOf(INDICATORS);

/** Assets at a time: few enough that what is computed of them is gone before the garbage collector would move it aside. */
const CHUNK = 256;

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
export async function recomputePending(store: Store, otherChanges = false): Promise<Recomputed> {
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

/** The rows of these assets as their bars have them; assets without bars have none. */
export async function computeRows(store: Store, keys: readonly AssetKey[]): Promise<CurrentRow[]> {
  const rows: CurrentRow[] = [];
  for await (const part of computedParts(store, keys)) rows.push(...part.rows);
  return rows;
}

async function* computedParts(store: Store, keys: readonly AssetKey[]): AsyncGenerator<CurrentPart, void, undefined> {
  for (let from = 0; from < keys.length; from += CHUNK) {
    const chunk = keys.slice(from, from + CHUNK);
    const spans = await store.closes(chunk, CLOSES_PER_ROW);
    yield { rows: rowsOf(chunk, spans), removed: chunk.filter((_, i) => spans.starts[i + 1] === spans.starts[i]) };
  }
}

function rowsOf(keys: readonly AssetKey[], spans: CloseSpans): CurrentRow[] {
  const present = keys.map((_, i) => i).filter(i => spans.starts[i + 1]! > spans.starts[i]!);
  const dense = present.map(i => {
    const [from, to] = [spans.starts[i]!, spans.starts[i + 1]!];
    return dailySeries(spans.day.subarray(from, to), spans.close.subarray(from, to));
  });
  const starts = new Uint32Array(dense.length + 1);
  dense.forEach((series, i) => {
    starts[i + 1] = starts[i]! + series.closes.length;
  });
  const closes = new Float64Array(starts[dense.length]!);
  dense.forEach((series, i) => {
    closes.set(series.closes, starts[i]!);
  });
  const table = indicatorTable(dense.length);
  currentRows({ closes, starts }, table);
  // One memory for the values of all rows: thousands of small ones are slow to come by and slow to be given back.
  const values = new Float64Array(dense.length * table.length);
  return dense.map((series, row) => {
    const asset = present[row]!;
    const day = (series.firstDay + series.closes.length - 1) as Day; // the last day of a valid series is one
    const own = values.subarray(row * table.length, (row + 1) * table.length);
    for (let i = 0; i < own.length; i++) own[i] = table[i]![row]!;
    const history = day - spans.firstDay[asset]! + 1;
    return { key: keys[asset]!, day, history, price: series.closes.at(-1)!, values: own };
  });
}

/** The names, and a short hash of all that decides on a value. */
export function fingerprintOf(columns: readonly IndicatorColumn[]): string {
  const definitions = columns.map(({ name, kind, window, formula }) => [name, kind, window, formula]);
  const hash = createHash('sha256').update(JSON.stringify(definitions)).digest('hex').slice(0, 16);
  return `${columns.map(column => column.name).join(',')}#${hash}`;
}
