// `tidemark backup`: writes a consistent copy of the store into one file while servers and loads use it.

import { statSync } from 'node:fs';
import type { BackupProgress } from '../store/backup/lines.ts';
import { writeBackup } from '../store/backup/write.ts';
import type { Store } from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, CommandError, type Output, UsageError } from './command.ts';
import { ProgressLine } from './progress.ts';
import { stopSignal } from './stop-signals.ts';
import { counted, duration, size } from './terminal.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a consistent copy of the store into a file, while it is in use',
  usage: ['FILE [--force] [--with-secrets]'],
  maxArgs: 1,
  settings: ['store'],
  options: {
    force: { doc: 'Replace an existing file' },
    'with-secrets': {
      doc: 'Include the destinations and the secrets of alerts, in the clear. Without it, alerts are restored paused and without destination',
    },
  },
  about: `
The copy holds everything as of one moment: assets, profiles, bars, published rows, loads, alerts, the hashes of API keys
and their use. The format is the same for SQLite and PostgreSQL, so 'tidemark restore' can also move a store from one to the
other. The file is gzipped JSON lines with a checksum. Only its owner can read it.

The file gets its final name when it is complete. An interrupted backup leaves an existing file unchanged.`,
  async run({ config, args, options, output }) {
    const file = fileArgument('backup', args);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new CommandError(`${file} is a folder`, 'Name a file in it.');
    if (options['force'] !== true && found !== undefined) {
      throw new CommandError(`${file} already exists`, 'Choose another file, or replace it with --force.');
    }
    const began = performance.now();
    return readingStore(config.store, output, async store => {
      const { bytes, assets, bars } = await write(store, file, options['with-secrets'] === true, output);
      const millis = performance.now() - began;
      const what = `${counted(assets, 'asset')}, ${counted(bars, 'bar')}`;
      output.print(
        output.json
          ? JSON.stringify({ file, bytes, assets, bars }, null, 2)
          : `${store.description}: ${what} written to ${file} (${size(bytes)}) in ${duration(millis)}`,
      );
      return 0;
    });
  },
};

async function write(store: Store, file: string, withSecrets: boolean, output: Output) {
  using progress = new ProgressLine(output);
  using stop = stopSignal();
  let [assets, bars] = [0, 0];
  const onProgress = (now: BackupProgress) => {
    ({ assets, bars } = now);
    progress.update({ phase: 'bars', done: assets, total: now.totalAssets, unit: 'assets', read: bars, rejected: 0 });
  };
  try {
    const bytes = await writeBackup(store, file, { withSecrets, signal: stop.signal, onProgress });
    return { bytes, assets, bars };
  } catch (error) {
    if (stop.signal.aborted) throw new CommandError('stopped: no backup was written', 'Run the command again.');
    throw error;
  }
}

export function fileArgument(command: string, args: readonly string[]): string {
  const [file] = args;
  if (file === undefined) throw new UsageError(`${command} needs a file: tidemark ${command} FILE`);
  return file;
}
