// A folder in memory for the temporary files of the tests: a database there never waits for the disk.

import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Several times what the tests that run at the same time take. */
const MIN_FREE_BYTES = 8e9;

/** Makes it the folder for temporary files of this process and its children until this one ends; nothing if the machine has none. */
export function useMemoryFolder(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(join(MEMORY, 'tidemark-tests-'));
  // Some servers run as another user.
  chmodSync(folder, 0o777);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

function hasRoom(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.find(line => line.split(' ')[1] === MEMORY)?.split(' ')[3];
    // Tests start programs from there.
    if (options === undefined || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false; // another system
  }
}
