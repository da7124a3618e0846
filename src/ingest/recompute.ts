// Brings the current rows up to date with the bars: computes what changed and publishes it in one step.

import type { AssetKey } from '../domain/asset.ts';
import { CLOSES_PER_ROW, INDICATORS } from '../domain/columns.ts';
import type { Day } from '../domain/day.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { currentRows, indicatorTable } from '../indicators/engine.ts';
import type { CloseSpans, CurrentRow, Store } from '../store/store.ts';

/** Changes when columns are added or redefined, so that rows computed by another version are not mistaken for current ones. */
export const COLUMNS_FINGERPRINT = INDICATORS.map(column => column.name).join(',');

/** Assets at a time: bounds memory (366 closes and 31 values each). */
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
export async function recomputePending(store: Store, otherChanges = false): Promise<Recomputed> {
  const pending = await store.pending(COLUMNS_FINGERPRINT);
  if (pending.length === 0 && !otherChanges) return { rows: 0, removed: 0, version: await store.version() };
  const rows = await computeRows(store, pending);
  const computed = new Set(rows.map(row => row.key));
  const removed = pending.filter(key => !computed.has(key));
  const version = await store.publish({ columns: COLUMNS_FINGERPRINT, rows, removed });
  return { rows: rows.length, removed: removed.length, version };
}

/** The rows of these assets as their bars have them; assets without bars have none. */
export async function computeRows(store: Store, keys: readonly AssetKey[]): Promise<CurrentRow[]> {
  const firstDays = new Map((await store.assets()).map(asset => [asset.key, asset.firstDay]));
  const rows: CurrentRow[] = [];
  for (let from = 0; from < keys.length; from += CHUNK) {
    const chunk = keys.slice(from, from + CHUNK);
    rows.push(...rowsOf(chunk, await store.closes(chunk, CLOSES_PER_ROW), key => firstDays.get(key) ?? null));
  }
  return rows;
}

function rowsOf(keys: readonly AssetKey[], spans: CloseSpans, firstDayOf: (key: AssetKey) => Day | null): CurrentRow[] {
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
  return dense.map((series, row) => {
    const key = keys[present[row]!]!;
    const day = (series.firstDay + series.closes.length - 1) as Day; // the last day of a valid series is one
    return {
      key,
      day,
      history: day - (firstDayOf(key) ?? series.firstDay) + 1,
      price: series.closes.at(-1)!,
      values: Float64Array.from(table, column => column[row]!),
    };
  });
}
