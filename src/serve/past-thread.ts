// A thread that builds the snapshots of past days, reads findings, actions and sources, or publishes the optional columns. Neither the
// serving threads nor the supervisor wait for it.

import { parentPort, workerData } from 'node:worker_threads';
import { doTasks } from '../common/task-thread.ts';
import type { ActivePeriods } from '../domain/active-periods.ts';
import { type PastDay, pastSnapshot } from '../history/past-snapshot.ts';
import { type ReviewName, readReviews, type SharedReviews } from '../history/review-table.ts';
import { readSourcesOf, type SourcesRead, type SourcesTask } from '../history/source-reads.ts';
import { addOptionalColumns } from '../publish/upgrade-rows.ts';
import { bytesOfSnapshot, describeSnapshot, type SnapshotDescriptor } from '../snapshot/build/share.ts';
import { StoreError } from '../store/store.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { BuiltPast } from './past-days.ts';
import { SpareMemory } from './spare-memory.ts';
import { StoreLink } from './store-link.ts';
import { reasonOf } from './store-watch.ts';
import { UpdatedListings } from './updated-listings.ts';

/** What the thread is started with. */
export interface PastThreadSetup {
  readonly storeUrl: string;
  readonly activePeriods: ActivePeriods;
  /** For the newest listings of intervals: the next ones are made of them. */
  readonly keptBytes: number;
}

if (parentPort === null) throw new Error('the builder of past days is started by the supervisor');
const { storeUrl, activePeriods, keptBytes } = workerData as PastThreadSetup; // the supervisor passes just this
const link = new StoreLink(storeUrl, false);
const updated = new UpdatedListings(activePeriods, keptBytes);
/** A first listing reads many times what the next ones read. */
const spareMemory = new SpareMemory();

/** Less than this may wait for V8 to collect it. */
const MUCH_BYTES = 4e6;

type Task = PastDay | ReviewName | SourcesTask | 'optional columns';

doTasks(parentPort, async (task: Task): Promise<BuiltPast | SharedReviews | SourcesRead | string | null> => {
  if (task === 'optional columns') return publishOptionalColumns();
  if (typeof task === 'string') return readReviews(await link.opened(), task);
  if ('adjusted' in task) return readSourcesOf(await link.opened(), task);
  const snapshot = await built(task);
  // Once it is sent, this thread must not hold its memory until V8 happens to collect it.
  if (bytesOfSnapshot(snapshot) > MUCH_BYTES) setImmediate(() => collectGarbage('regular'));
  spareMemory.refreshed();
  return { snapshot, keptBytes: updated.bytes };
});

async function built(past: PastDay): Promise<SnapshotDescriptor> {
  const { interval, day, optional, inactive, quote = null, lag = 0 } = past;
  const isNewest = interval !== '1d' && day === null && !optional && !inactive && quote === null && lag === 0;
  if (isNewest) return updated.next(link.store, interval);
  return describeSnapshot(await pastSnapshot(link.store, past, activePeriods));
}

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
