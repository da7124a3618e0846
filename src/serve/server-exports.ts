// The export files of a server, written by two threads of lower priority: one for the listings, which are in memory, and one for the
// histories, which are read from the store.

import { TaskThread } from '../common/task-thread.ts';
import { moduleBeside } from '../common/thread.ts';
import { isHistory } from '../domain/datasets.ts';
import { type ExportFailure, ExportFiles, type ExportRequest, type MadeFile } from '../export/export-files.ts';
import type { ExportFile } from '../export/export-folder.ts';
import type { SnapshotDescriptor } from '../snapshot/build/share.ts';
import type { ExportTask, ExportThreadSetup } from './export-thread.ts';

const THREAD = moduleBeside(import.meta.url, 'export-thread');
/** A history that takes longer is given up: it holds one state of the store open meanwhile. */
const MAX_HISTORY_MS = 3_600_000;
/** Of a history's thread: few objects live long in it. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 12 };

export interface ServerExportsOptions extends ExportThreadSetup {
  readonly folder: string;
  readonly maxBytes: number;
  readonly onFailed: (stack: string) => void;
}

/** Of the interval that is asked for. */
type Listed = Pick<SnapshotDescriptor, 'version' | 'fingerprint'> & { readonly describe: () => SnapshotDescriptor };

export class ServerExports {
  readonly #files: ExportFiles<Listed>;
  readonly #listings: TaskThread<ExportTask, MadeFile | 'too large'>;
  readonly #histories: TaskThread<ExportTask, MadeFile | 'too large'>;

  #stopped = false;

  constructor({ folder, maxBytes, onFailed: report, ...setup }: ServerExportsOptions) {
    // A thread that is stopped fails too.
    const onFailed = (stack: string) => {
      if (!this.#stopped) report(stack);
    };
    this.#listings = new TaskThread(THREAD, setup, onFailed);
    this.#histories = new TaskThread(THREAD, setup, onFailed, { resourceLimits: LIMITS });
    this.#files = new ExportFiles({
      folder,
      maxBytes,
      onFailed: error => onFailed(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      make: (listed, { dataset, interval, quoteAsset: quote = null }, path, room) =>
        isHistory(dataset)
          ? this.#history({ snapshot: null, dataset, interval, quote, path, maxBytes: room })
          : this.#listings.run({ snapshot: listed.describe(), dataset, interval, quote, path }),
    });
  }

  /** As `ExportFiles.find`. */
  find(listed: Listed | null, request: ExportRequest): Promise<ExportFile | ExportFailure> {
    return this.#files.find(listed, request);
  }

  lost(path: string): void {
    this.#files.lost(path);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#files.stop();
    await Promise.all([this.#listings.stop(), this.#histories.stop()]);
  }

  async #history(task: ExportTask): Promise<MadeFile | 'too large'> {
    const limit = setTimeout(() => void this.#histories.stop(), MAX_HISTORY_MS);
    return this.#histories.run(task).finally(() => clearTimeout(limit));
  }
}
