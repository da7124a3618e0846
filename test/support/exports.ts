// The export files of a test's service, written by its own thread.

import { ExportFiles } from '../../src/export/export-files.ts';
import { writeTableFile } from '../../src/export/table-file.ts';
import type { ServiceContext } from '../../src/http/context.ts';
import type { Snapshot } from '../../src/snapshot/table.ts';

export function exportsIn(
  folder: string,
  current: () => Snapshot | null,
): Pick<ServiceContext, 'exportFile' | 'exportLost'> {
  const files = new ExportFiles<Snapshot>({
    folder,
    maxBytes: 1e9,
    make: ({ tables, version }, dataset, path) =>
      writeTableFile(tables[dataset], path, { version, createdBy: 'tidemark version test' }),
  });
  return {
    exportFile: async request => {
      const snapshot = current();
      return snapshot === null ? 'failed' : files.find(snapshot, request);
    },
    exportLost: path => files.lost(path),
  };
}
