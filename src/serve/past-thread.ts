// A thread that builds the snapshots of past days, so that neither the serving threads nor the supervisor are held up.

import { parentPort, workerData } from 'node:worker_threads';
import type { Day } from '../domain/day.ts';
import { pastSnapshot } from '../snapshot/past-snapshot.ts';
import { describeSnapshot, type SnapshotDescriptor } from '../snapshot/share.ts';
import { StoreLink } from './store-link.ts';

/** What the thread is started with. */
export interface PastThreadSetup {
  readonly storeUrl: string;
  /** Where compiled code is kept; null if it is not. */
  readonly compiled: string | null;
}

/** The answer to the day that was posted; an error as its stack. */
export type BuiltPast = { readonly snapshot: SnapshotDescriptor } | { readonly error: string };

if (parentPort === null) throw new Error('the builder of past days is started by the supervisor');
const supervisor = parentPort;
const { storeUrl } = workerData as PastThreadSetup; // the supervisor passes just this
const link = new StoreLink(storeUrl, false);

supervisor.on('message', async (day: Day) => {
  const built: BuiltPast = await pastSnapshot(link.store, day).then(
    snapshot => ({ snapshot: describeSnapshot(snapshot) }),
    error => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  supervisor.postMessage(built);
});
