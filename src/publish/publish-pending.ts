// Brings the current rows up to date with the bars: computes what changed and publishes it in one step.

import { HintedError } from '../common/hinted-error.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { RuleName } from '../domain/finding.ts';
import type { AssetStore, BarStore, CurrentPart, PublicationStore, StoredFinding, Unmerged } from '../store/store.ts';
import { readBenchmark, rowsWithOtherBeta } from './benchmark.ts';
import { type CheckingStore, PendingChecks } from './check-pending.ts';
import { benchmarkIn, type ColumnSet, columnSetOf, lacksOwn, publicationColumns } from './columns.ts';
import { computedParts, type RowOptions } from './compute-rows.ts';
import { type MergingStore, mergeSources } from './merge-sources.ts';
import { OptionalValues, type RowsBefore } from './optional-values.ts';

export type ComputingStore = Pick<AssetStore, 'assetsWithTicker'> &
  BarStore &
  PublicationStore &
  MergingStore &
  CheckingStore;

export interface Recomputed {
  readonly rows: number;
  readonly removed: number;
  /** The version now published; unchanged when nothing was pending. */
  readonly version: number;
  /** How many findings were not there before, by rule. */
  readonly newFindings: Readonly<Partial<Record<RuleName, number>>>;
}

/**
 * Merges the bars of the sources, and computes the rows of all pending assets. A crash before the last step leaves them pending and the old rows published.
 * `otherChanges`: something else that servers show has changed (a profile), so that there is a new version in any case. The columns
 * stay those of the publication before, unless `columns` asks for all; so does the benchmark, unless it is given.
 */
export async function recomputePending(
  store: ComputingStore,
  otherChanges = false,
  columns: ColumnSet = 'default',
  benchmark?: string,
): Promise<Recomputed> {
  const [before, unmerged] = await Promise.all([store.columns(), store.unmerged()]);
  refuseWithoutOwn(before);
  await mergeSources(store, unmerged);
  const recomputed = await computePending(store, before, otherChanges, columns, benchmark, unmerged);
  // Not before: after a kill, the next publication checks from these periods on.
  await store.forgetUnmerged(unmerged);
  return recomputed;
}

/**
 * The same of the bars that are served already, for a process that may write neither bars nor findings: what is unmerged stays so, and what
 * is pending is not checked. `unmerged`: what was merged before.
 */
export async function computePending(
  store: ComputingStore,
  before: string | null,
  otherChanges: boolean,
  columns: ColumnSet,
  benchmark: string | undefined,
  unmerged: readonly Unmerged[] | null = null,
): Promise<Recomputed> {
  const set = columns === 'all' ? columns : columnSetOf(before);
  const ticker = benchmark ?? benchmarkIn(before);
  const fingerprint = publicationColumns(set, ticker);
  const pending = await store.pending(fingerprint);
  const checks = unmerged === null ? null : await PendingChecks.start(store, pending, unmerged);
  if (pending.length === 0 && !otherChanges && !checks?.isAgain) {
    return { rows: 0, removed: 0, version: await store.version(), newFindings: {} };
  }
  const counts = { rows: 0, removed: 0 };
  const look = checks === null ? {} : { look: checks.look };
  const computed =
    set === 'all'
      ? allColumns(store, pending, ticker, before === fingerprint, look)
      : computedParts(store, pending, { optional: null, ...look });
  const version = await store.publish(fingerprint, counted(checks?.within(computed) ?? computed, counts));
  await checks?.complete();
  return { ...counts, version, newFindings: countByRule(checks?.added ?? []) };
}

function countByRule(findings: readonly StoredFinding[]): Recomputed['newFindings'] {
  const counts: Partial<Record<RuleName, number>> = {};
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

/** A process that does not know the columns of the settings file would remove them from every row. */
export function refuseWithoutOwn(published: string | null): void {
  if (!lacksOwn(published)) return;
  throw new OwnColumnsUnknown(
    'the store has columns of a settings file that this command does not know',
    'Run it in the folder of tidemark.json, or name the file with --config. If its columns were removed, restart the server first.',
  );
}

class OwnColumnsUnknown extends HintedError {
  override readonly name = 'OwnColumnsUnknown';
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
 * The rows of the pending assets; if the benchmark is among them, also other rows whose beta it changes, unless these have other
 * columns: then they are pending too.
 */
async function* allColumns(
  store: ComputingStore,
  pending: readonly AssetNumber[],
  ticker: string,
  sameColumns: boolean,
  look: Pick<RowOptions, 'look'>,
): AsyncGenerator<CurrentPart, void, undefined> {
  if (pending.length === 0) return;
  const { series, candidates } = await readBenchmark(store, ticker);
  const computed = new Set(pending);
  const optional = new OptionalValues(store, { benchmark: series, before: await rowsBefore(store, ticker) });
  yield* computedParts(store, pending, { optional, ...look });
  if (!sameColumns || !candidates.some(assetNumber => computed.has(assetNumber))) return;
  yield { rows: await rowsWithOtherBeta(store, series, assetNumber => computed.has(assetNumber)), removed: [] };
}

async function rowsBefore(
  store: Pick<BarStore & PublicationStore, 'replacedCloses' | 'currentOf'>,
  ticker: string,
): Promise<RowsBefore> {
  const oldest = (await store.replacedCloses()).oldestDays();
  return {
    read: assetNumbers => store.currentOf(assetNumbers, publicationColumns('all', ticker)),
    oldestChange: asset => oldest.get(asset),
  };
}
