// `tidemark backup`: a consistent copy of the store in one file, also while it is served and loaded.

import { statSync } from 'node:fs';
import type { BackupProgress } from '../store/backup/lines.ts';
import { writeBackup } from '../store/backup/write.ts';
import { openStore } from '../store/open.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { ProgressLine } from './progress.ts';
import { counted, duration, size } from './terminal.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a consistent copy of the store into a file, also while it is used',
  usage: ['FILE [--force]'],
  maxArgs: 1,
  settings: ['store'],
  options: { force: { type: 'boolean', doc: 'Replace the file when it is there already' } },
  about: `
Everything of one moment: assets, profiles, bars, published rows, loads, keys (their hashes) and how they were used. The
file has one form for SQLite and PostgreSQL, so that 'tidemark restore' can also move a store from one to the other. It is
gzip of JSON lines with a checksum, and nobody but its owner may read it.

The file gets its name when it is complete; a backup that was interrupted leaves an older file of that name as it was.`,
  async run({ config, args, options, output }) {
    const file = fileArgument('backup', args);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new CommandError(`${file} is a folder`, 'Name a file in it.');
    if (options['force'] !== true && found !== undefined) {
      throw new CommandError(`${file} is there already`, 'Name another file, or replace it with --force.');
    }
    const began = performance.now();
    const store = await openStore(config.store, { create: false });
    const progress = new ProgressLine(output);
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
    let last: BackupProgress = { assets: 0, totalAssets: 0, bars: 0 };
    try {
      const bytes = await writeBackup(store, file, {
        signal: stop.signal,
        onProgress: now => {
          last = now;
          const position = { done: now.assets, total: now.totalAssets, unit: 'assets' } as const;
          progress.update({ phase: 'bars', ...position, read: now.bars, rejected: 0 });
        },
      });
      progress.clear();
      const millis = performance.now() - began;
      if (output.json) output.print(JSON.stringify({ file, bytes, assets: last.assets, bars: last.bars }, null, 2));
      else {
        const what = `${counted(last.assets, 'asset')}, ${counted(last.bars, 'bar')}`;
        output.print(`${store.description}: ${what} written to ${file} (${size(bytes)}) in ${duration(millis)}`);
      }
      return 0;
    } catch (error) {
      if (stop.signal.aborted) throw new CommandError('stopped: no backup was written', 'Run the same command again.');
      throw error;
    } finally {
      progress.clear();
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      await store.close();
    }
  },
};

export function fileArgument(command: string, args: readonly string[]): string {
  const [file] = args;
  if (file === undefined) throw new UsageError(`${command} needs a file: tidemark ${command} FILE`);
  return file;
}
