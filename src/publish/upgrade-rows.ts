// Rows with other columns than those that are wanted are computed anew, without a load: after an upgrade, and when a client first asks
// for an optional column.

import type { PublicationStore, StoreLocks } from '../store/store.ts';
import { type ColumnSet, columnSetOf, STORED_COLUMNS } from './columns.ts';
import { type ComputingStore, publishedColumns, recomputePending } from './publish-pending.ts';

/** Returns how many rows it computed; none if the columns are the same, or if another process is writing. */
export async function upgradeRows(store: ComputingStore & StoreLocks, columns: ColumnSet = 'default'): Promise<number> {
  if (!(await hasOtherColumns(store, columns))) return 0;
  const lock = await store.lock('load');
  if (lock === null) return 0;
  try {
    // Another process may have done it since.
    return (await hasOtherColumns(store, columns)) ? (await recomputePending(store, false, columns)).rows : 0;
  } finally {
    await lock.release();
  }
}

const RETRY_MS = 500;

/** Publishes the optional columns from now on. While another process is writing, it waits for it. */
export async function addOptionalColumns(store: ComputingStore & StoreLocks): Promise<void> {
  for (;;) {
    await upgradeRows(store, 'all');
    if (!(await hasOtherColumns(store, 'all'))) return;
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
}

async function hasOtherColumns(store: PublicationStore, wanted: ColumnSet): Promise<boolean> {
  const found = await publishedColumns(store);
  const set = wanted === 'all' ? wanted : columnSetOf(found);
  return found !== null && found !== STORED_COLUMNS[set].fingerprint;
}
