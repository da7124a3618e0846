// A thread that writes Parquet files, so that neither the serving threads nor the supervisor are held up.

import { parentPort, workerData } from 'node:worker_threads';
import { doTasks } from '../common/task-thread.ts';
import type { HistoryDatasetName, SnapshotDatasetName } from '../domain/datasets.ts';
import type { MadeFile } from '../export/export-files.ts';
import { type WholeHistory, writeWholeHistory } from '../export/lake/part-writer.ts';
import { writeTableFile } from '../export/table-file.ts';
import { attachSnapshot, type SnapshotDescriptor } from '../snapshot/build/share.ts';
import { openStore } from '../store/open.ts';

/** What the thread is started with. */
export interface ExportThreadSetup {
  /** Of the program. */
  readonly version: string;
  readonly storeUrl: string;
}

/** A table of a snapshot, or a history from the store. */
export type ExportTask = Pick<WholeHistory, 'interval' | 'quote' | 'path'> &
  (
    | { readonly snapshot: SnapshotDescriptor; readonly dataset: SnapshotDatasetName }
    | { readonly snapshot: null; readonly dataset: HistoryDatasetName; readonly maxBytes: number }
  );

if (parentPort === null) throw new Error('the writer of exports is started by the supervisor');
const { version, storeUrl } = workerData as ExportThreadSetup; // the supervisor passes just this
const createdBy = `tidemark version ${version}`;

doTasks(parentPort, async (task: ExportTask): Promise<MadeFile | 'too large'> => {
  if (task.snapshot !== null) {
    const table = attachSnapshot(task.snapshot).tables[task.dataset];
    const { interval, quote, path } = task;
    const facts = { version: task.snapshot.version, createdBy, interval, quote: quote?.symbol ?? null };
    return writeTableFile(table, path, facts);
  }
  const store = await openStore(storeUrl, { create: false });
  try {
    return await store.readConsistently(view => writeWholeHistory(view, { ...task, createdBy }));
  } finally {
    await store.close();
  }
});
