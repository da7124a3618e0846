// `tidemark restore`: fills an empty store from a backup.

import { statSync } from 'node:fs';
import { StoreBusyError } from '../ingest/only-writer.ts';
import { upgradeRows } from '../publish/upgrade-rows.ts';
import { checkBackup, restoreBackup } from '../store/backup/restore.ts';
import { withStore } from './actions.ts';
import { fileArgument } from './backup.ts';
import type { Command, Output } from './command.ts';
import { ProgressLine } from './progress.ts';
import { counted, duration } from './terminal.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Fill an empty store from a backup',
  usage: ['FILE', 'FILE --check'],
  maxArgs: 1,
  settings: ['store'],
  options: { check: { doc: 'Only check that the file is complete and undamaged' } },
  about: `
Checks the whole file first, then writes everything in one transaction: a restore that fails or is killed leaves the store
empty. Running servers show the data as soon as the transaction commits.

A store that is not empty is refused. Name a new one with --store; it can be of the other kind (SQLite or PostgreSQL).`,
  async run({ config, args, options, output }) {
    const file = fileArgument('restore', args);
    const began = performance.now();
    const { createdAt, assets, bars } = await withProgress(file, output, onBytes => checkBackup(file, onBytes));
    const contents = `${counted(assets, 'asset')}, ${counted(bars, 'bar')} of ${createdAt.slice(0, 19).replace('T', ' ')} UTC`;
    if (options['check'] === true) {
      output.print(
        output.json ? JSON.stringify({ file, createdAt, assets, bars }, null, 2) : `${file} is complete: ${contents}`,
      );
      return 0;
    }
    return withStore(config.store, true, async store => {
      await withProgress(file, output, async onBytes => {
        await using lock = await store.lock('load');
        if (lock === null) throw new StoreBusyError(store.description);
        await restoreBackup(store, file, onBytes);
      });
      // The backup may come from an earlier version of Tidemark.
      await upgradeRows(store);
      const took = duration(performance.now() - began);
      output.print(
        output.json
          ? JSON.stringify({ file, store: store.description, createdAt, assets, bars }, null, 2)
          : `${store.description}: ${contents} restored from ${file} in ${took}`,
      );
      return 0;
    });
  },
};

type OnBytes = (bytes: number) => void;

async function withProgress<T>(file: string, output: Output, work: (onBytes: OnBytes) => Promise<T>): Promise<T> {
  using progress = new ProgressLine(output);
  const total = statSync(file, { throwIfNoEntry: false })?.size ?? null;
  return await work(done => progress.update({ phase: 'bars', done, total, unit: 'bytes', read: 0, rejected: 0 }));
}
