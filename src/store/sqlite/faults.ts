// The errors of SQLite in words for people.

import { MissingBars } from '../bar-blocks.ts';
import { StoreError, type StoreFault } from '../store.ts';
import { ChecksumMismatch } from './checksum-mismatch.ts';

/** Primary result codes, https://www.sqlite.org/rescode.html */
const CODE = {
  error: 1,
  perm: 3,
  busy: 5,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  notadb: 26,
} as const;

const WAY_BACK =
  "move it and the files beside it (-wal, -shm) away, then 'tidemark restore BACKUP', or load the data again. " +
  'A store of the demo can be deleted: the demo creates it again.';

export function damaged(path: string, cause?: unknown, what = ''): StoreError {
  return damage('corrupt', path, cause, what);
}

function damage(code: StoreFault, path: string, cause: unknown, what: string): StoreError {
  return new StoreError(code, `${path} is damaged${what}`, `To go on, ${WAY_BACK}`, { cause });
}

export function fileReplaced(path: string): StoreError {
  return new StoreError(
    'missing',
    `${path} was moved away, deleted or replaced since it was opened`,
    'put a store there, if there is none; servers open it without a restart, and a load must be repeated',
  );
}

/** The error as a StoreError if a person can do something about it, otherwise itself. */
export function sqliteFault(error: unknown, path: string): unknown {
  if (error instanceof ChecksumMismatch || error instanceof MissingBars) {
    return damage('checksum_mismatch', path, error, ` (${error.message})`);
  }
  // Of a number that is too large for JavaScript: none such is ever written.
  if (error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') return damaged(path, error);
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
        `${path} is not a SQLite database`,
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

  function fault(code: StoreFault, message: string, hint: string): StoreError {
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
