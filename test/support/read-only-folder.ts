// A folder that this process can read and cannot write. Root may write whatever the permissions say, except to a read-only mount.

import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';

export interface ReadOnlyFolder {
  /** Makes it as it was. */
  restore(): void;
}

/** Null where it cannot be made: by root in a container that may not mount. */
export function makeReadOnly(folder: string): ReadOnlyFolder | null {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o500);
    return { restore: () => chmodSync(folder, 0o700) };
  }
  if (spawnSync('mount', ['--bind', folder, folder]).status !== 0) return null;
  const restore = () => void spawnSync('umount', ['--lazy', folder]);
  if (spawnSync('mount', ['-o', 'remount,bind,ro', folder]).status === 0) return { restore };
  restore();
  return null;
}
