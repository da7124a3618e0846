// Recomputes the published rows without a load when their columns are not the wanted ones: after an upgrade, when a client first asks
// for an optional column, and when a setting names another benchmark or price rule.

import { type PublicationStore, StoreError, type StoreLocks } from '../store/store.ts';
import { checkPending } from './check-pending.ts';
import { benchmarkIn, type ColumnSet, columnSetOf, publicationColumns } from './columns.ts';
import { mergeSources } from './merge-sources.ts';
import { hasOtherRules, type PriceRules, type RulesStore, storePriceRules } from './price-rules.ts';
import { type ComputingStore, computePending, type Recomputed, recomputePending } from './publish-pending.ts';

/** Returns how many rows it computed; none if the columns are the same, or if another process is writing. */
export async function upgradeRows(
  store: ComputingStore & StoreLocks,
  columns: ColumnSet = 'default',
  benchmark?: string,
): Promise<number> {
  const differs = () => hasOtherColumns(store, columns, benchmark);
  if (!(await differs())) return 0;
  await using lock = await store.lock('load');
  // Another process is writing, or has done it since.
  if (lock === null || !(await differs())) return 0;
  await finishKilledLoad(store);
  return (await computePending(store, await store.columns(), false, columns, benchmark)).rows;
}

/**
 * Merges and checks what a load stored and did not publish: once it is published, it is not known any more which bars are new. A role that may
 * not write bars and findings leaves that to the next load, which checks all bars.
 */
async function finishKilledLoad(store: ComputingStore): Promise<void> {
  const [pending, unmerged] = [await store.pending(), await store.unmerged()];
  if (pending.length === 0) return;
  try {
    await mergeSources(store, unmerged);
    await checkPending(store, pending, unmerged);
    await store.forgetUnmerged(unmerged);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'forbidden')) throw error;
    await store.checkAllLater();
  }
}

const RETRY_MS = 500;

/** Makes every publication, the present one included, have the optional columns. Waits while another process is writing. */
export async function addOptionalColumns(store: ComputingStore & StoreLocks): Promise<void> {
  for (;;) {
    await upgradeRows(store, 'all');
    if (!(await hasOtherColumns(store, 'all'))) return;
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
}

async function hasOtherColumns(store: PublicationStore, wanted: ColumnSet, benchmark?: string): Promise<boolean> {
  const found = await store.columns();
  const set = wanted === 'all' ? wanted : columnSetOf(found);
  return found !== null && found !== publicationColumns(set, benchmark ?? benchmarkIn(found));
}

/** Stores rules that differ, and publishes what they change; null if they are the same, or if another process is writing. */
export async function applyPriceRules(
  store: ComputingStore & RulesStore & StoreLocks,
  rules: PriceRules,
): Promise<Recomputed | null> {
  if (!(await hasOtherRules(store, rules))) return null;
  await using lock = await store.lock('load');
  if (lock === null || !(await storePriceRules(store, rules))) return null;
  return await recomputePending(store);
}
