// What SQLite reports, told to a person.

import { StoreError } from '../store.ts';
import { BrokenSeal } from './sealed-numbers.ts';

/** Primary result codes, https://www.sqlite.org/rescode.html */
const CODE = { perm: 3, busy: 5, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 } as const;

const WAY_BACK =
  "move it and the files beside it (-wal, -shm) away, then 'tidemark restore BACKUP', or load the data again. " +
  'A store of the demo can be deleted: it makes itself anew.';

export function damaged(path: string, cause?: unknown, what = ''): StoreError {
  return new StoreError('corrupt', `${path} is damaged${what}`, `To go on, ${WAY_BACK}`, { cause });
}

export function exchanged(path: string): StoreError {
  return new StoreError(
    'missing',
    `${path} was moved away, deleted or replaced since it was opened`,
    'put a store there, if there is none; servers open it by themselves, and a load has to be repeated',
  );
}

/** The error as a StoreError where a person can do something about it, otherwise itself. */
export function sqliteFault(error: unknown, path: string): unknown {
  if (error instanceof BrokenSeal) return damaged(path, error, ` (${error.message})`);
  switch (primaryCode(error)) {
    case CODE.busy:
      return fault('busy', `${path} is being written by another process`, 'wait until that has ended, then try again');
    case CODE.readonly:
      return fault('read_only', `${path} cannot be written`, 'check the permissions of the file and of its folder');
    case CODE.corrupt:
      return damaged(path, error);
    case CODE.full:
      return fault(
        'full',
        `no space is left for ${path}`,
        'free some space on that disk; what was acknowledged is kept',
      );
    case CODE.notadb:
      return fault(
        'not_a_store',
        `${path} is no SQLite database`,
        `Name another file, or one that does not exist yet. If it was a store, its beginning is damaged: ${WAY_BACK}`,
      );
    case CODE.cantopen:
    case CODE.perm:
      return fault('unreachable', `${path} cannot be opened`, 'check that it is a file and may be read and written');
    case CODE.ioerr:
      return fault('unreachable', `${path} cannot be read or written`, 'check the disk');
    default:
      return error;
  }

  function fault(code: ConstructorParameters<typeof StoreError>[0], message: string, hint: string): StoreError {
    return new StoreError(code, message, hint, { cause: error });
  }
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === CODE.busy;
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  // The low byte: an extended code says more than is needed here.
  return error.errcode & 0xff;
}
