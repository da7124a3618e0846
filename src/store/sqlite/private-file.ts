// Files that only their owner may read and write, whatever the umask is: a store holds names and the hashes of API keys.

import { closeSync, fchmodSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** Creates the file where there is none. SQLite gives the files beside it (-wal, -shm, -journal) the same mode. */
export function createPrivateFile(path: string): void {
  try {
    const file = openSync(path, 'wx', OWNER_ONLY);
    fchmodSync(file, OWNER_ONLY);
    closeSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
