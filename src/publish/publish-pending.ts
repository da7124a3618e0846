// Brings the current rows up to date with the bars: computes what changed and publishes it in one step.

import { createHash } from 'node:crypto';
import type { AssetNumber } from '../domain/asset.ts';
import { BENCHMARK } from '../domain/asset-state.ts';
import type { IndicatorColumn, OptionalColumn } from '../domain/columns.ts';
import { PUBLISHED_COLUMNS } from '../domain/optional-columns.ts';
import type { AssetStore, BarStore, CurrentPart, CurrentRow, PublicationStore } from '../store/store.ts';
import { readBenchmark, rowsWithOtherBeta } from './benchmark.ts';
import { computedParts } from './compute-rows.ts';

/** Rows computed by a version with other columns, or with other definitions of them, are not mistaken for current ones. */
export const COLUMNS_FINGERPRINT = fingerprintOf(PUBLISHED_COLUMNS);

export type ComputingStore = Pick<AssetStore, 'assets'> & BarStore & PublicationStore;

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
export async function recomputePending(store: ComputingStore, otherChanges = false): Promise<Recomputed> {
  const pending = await store.pending(COLUMNS_FINGERPRINT);
  if (pending.length === 0 && !otherChanges) return { rows: 0, removed: 0, version: await store.version() };
  const counts = { rows: 0, removed: 0 };
  const version = await store.publish(COLUMNS_FINGERPRINT, counted(changedParts(store, pending), counts));
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

/** The rows of the pending assets; if the benchmark is among them, also other rows whose beta it changes. */
async function* changedParts(
  store: ComputingStore,
  pending: readonly AssetNumber[],
): AsyncGenerator<CurrentPart, void, undefined> {
  if (pending.length === 0) return;
  const { series, candidates } = await readBenchmark(store);
  const computed = new Set(pending);
  yield* computedParts(store, pending, series);
  if (!candidates.some(key => computed.has(key))) return;
  yield { rows: await rowsWithOtherBeta(store, series, key => computed.has(key)), removed: [] };
}

/** The rows of these assets as their bars have them; assets without bars have none. */
export async function computeRows(
  store: Pick<AssetStore, 'assets'> & Pick<BarStore, 'bars'>,
  keys: readonly AssetNumber[],
): Promise<CurrentRow[]> {
  const { series } = await readBenchmark(store);
  const rows: CurrentRow[] = [];
  for await (const part of computedParts(store, keys, series)) rows.push(...part.rows);
  return rows;
}

/** The names, and a short hash of all that decides on a value. */
export function fingerprintOf(columns: readonly (IndicatorColumn | OptionalColumn)[]): string {
  const definitions = columns.map(column => [
    column.name,
    column.kind,
    'window' in column ? column.window : null,
    column.formula,
  ]);
  const hash = createHash('sha256')
    .update(JSON.stringify([BENCHMARK, definitions]))
    .digest('hex')
    .slice(0, 16);
  return `${columns.map(column => column.name).join(',')}#${hash}`;
}
