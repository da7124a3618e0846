// The export files of a test's service, written by its own thread.

import type { ServiceContext } from '../../src/api/context.ts';
import { isHistory } from '../../src/domain/datasets.ts';
import { ExportFiles } from '../../src/export/export-files.ts';
import { writeWholeHistory } from '../../src/export/lake/part-writer.ts';
import { writeTableFile } from '../../src/export/table-file.ts';
import type { Snapshot } from '../../src/snapshot/table.ts';
import type { Store } from '../../src/store/store.ts';

const createdBy = 'tidemark version test';

/** `now`: when a file is used. */
export function exportsIn(
  folder: string,
  store: Pick<Store, 'readConsistently'>,
  current: () => Snapshot | null,
  now: () => number,
): Pick<ServiceContext, 'exportFile' | 'exportLost'> {
  const files = new ExportFiles<Snapshot>({
    folder,
    maxBytes: 1e9,
    now,
    onFailed: error => console.error(error),
    make: ({ tables, version }, { dataset, interval, quoteAsset: quote = null }, path, maxBytes) =>
      isHistory(dataset)
        ? store.readConsistently(view =>
            writeWholeHistory(view, { dataset, interval, quote, path, maxBytes, createdBy }),
          )
        : writeTableFile(tables[dataset], path, { version, createdBy }),
  });
  return {
    exportFile: async request => {
      const snapshot = current();
      return snapshot === null ? 'failed' : files.find(snapshot, request);
    },
    exportLost: path => files.lost(path),
  };
}
