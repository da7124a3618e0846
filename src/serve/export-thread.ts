// A thread that writes Parquet files, so that neither the serving threads nor the supervisor are held up.

import { parentPort, workerData } from 'node:worker_threads';
import { doTasks } from '../common/task-thread.ts';
import type { SnapshotDatasetName } from '../domain/datasets.ts';
import { writeTableFile } from '../export/table-file.ts';
import { attachSnapshot, type SnapshotDescriptor } from '../snapshot/share.ts';

/** What the thread is started with. */
export interface ExportThreadSetup {
  /** Of the program. */
  readonly version: string;
  /** Where compiled code is kept; null if it is not. */
  readonly compiled: string | null;
}

export interface ExportTask {
  readonly snapshot: SnapshotDescriptor;
  readonly dataset: SnapshotDatasetName;
  readonly path: string;
}

if (parentPort === null) throw new Error('the writer of exports is started by the supervisor');
const { version } = workerData as ExportThreadSetup; // the supervisor passes just this

doTasks(parentPort, ({ snapshot, dataset, path }: ExportTask) =>
  writeTableFile(attachSnapshot(snapshot).tables[dataset], path, {
    version: snapshot.version,
    createdBy: `tidemark version ${version}`,
  }),
);
