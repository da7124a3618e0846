// After an upgrade: rows that a version with other columns has published are computed anew, without a load.

import type { BarStore, PublicationStore, StoreLocks } from '../store/store.ts';
import { COLUMNS_FINGERPRINT, recomputePending } from './publish-pending.ts';

/** Returns how many rows it computed; none where the columns are the same, or where another process is writing (and does it). */
export async function upgradeRows(store: BarStore & PublicationStore & StoreLocks): Promise<number> {
  if (!(await hasOtherColumns(store))) return 0;
  const lock = await store.lock('load');
  if (lock === null) return 0;
  try {
    // Another process may have done it since.
    return (await hasOtherColumns(store)) ? (await recomputePending(store)).rows : 0;
  } finally {
    await lock.release();
  }
}

async function hasOtherColumns(store: PublicationStore): Promise<boolean> {
  const { columns } = await store.currentSince(await store.version());
  return columns !== null && columns !== COLUMNS_FINGERPRINT;
}
