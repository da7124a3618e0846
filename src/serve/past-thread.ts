// A thread that builds the snapshots of past days and publishes the optional columns, so that neither the serving threads nor the
// supervisor are held up.

import { parentPort, workerData } from 'node:worker_threads';
import { doTasks } from '../common/task-thread.ts';
import type { ActivePeriods } from '../domain/active-periods.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import { pastSnapshot } from '../history/past-snapshot.ts';
import { addOptionalColumns } from '../publish/upgrade-rows.ts';
import { describeSnapshot, type SnapshotDescriptor } from '../snapshot/build/share.ts';
import { StoreError } from '../store/store.ts';
import { collectGarbage } from './collect-garbage.ts';
import { bytesOf } from './past-days.ts';
import { StoreLink } from './store-link.ts';
import { reasonOf } from './store-watch.ts';

/** What the thread is started with. */
export interface PastThreadSetup {
  readonly storeUrl: string;
  readonly activePeriods: ActivePeriods;
}

if (parentPort === null) throw new Error('the builder of past days is started by the supervisor');
const { storeUrl, activePeriods } = workerData as PastThreadSetup; // the supervisor passes just this
const link = new StoreLink(storeUrl, false);

/** Less than this may wait for V8 to collect it. */
const MUCH_BYTES = 4e6;

doTasks(parentPort, async (task: PastDay | 'optional columns'): Promise<SnapshotDescriptor | string | null> => {
  if (task === 'optional columns') return publishOptionalColumns();
  const built = describeSnapshot(await pastSnapshot(link.store, task, activePeriods));
  // Once it is sent, this thread must not hold its memory until V8 happens to collect it.
  if (bytesOf(built) > MUCH_BYTES) setImmediate(() => collectGarbage());
  return built;
});

/** Returns why the store does not allow it; null once they are published. */
async function publishOptionalColumns(): Promise<string | null> {
  try {
    await addOptionalColumns(await link.opened());
    return null;
  } catch (error) {
    if (error instanceof StoreError) return reasonOf(error);
    throw error;
  }
}
