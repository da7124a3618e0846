// The errors of SQLite in words for people.

import { dirname } from 'node:path';
import {
  cannotWrite,
  deniedRead,
  type FileFaultKind,
  fileFault,
  isUnreadable,
  readOnlyFolder,
} from '../../common/file-fault.ts';
import { MissingBars } from '../bars/blocks.ts';
import { StoreError, type StoreFault } from '../port/store.ts';
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

const FILE_FAULTS: Readonly<Record<FileFaultKind, StoreFault>> = {
  denied: 'read_only',
  full: 'full',
  missing: 'missing',
  not_a_folder: 'unreachable',
};

/** The error as a StoreError if a person can do something about it, otherwise itself. */
export function sqliteFault(error: unknown, path: string): unknown {
  const file = fileFault(error);
  if (file !== null) return new StoreError(FILE_FAULTS[file.kind], file.message, file.hint, { cause: error });
  if (error instanceof ChecksumMismatch || error instanceof MissingBars) {
    return damage('checksum_mismatch', path, error, ` (${error.message})`);
  }
  // Of a number that is too large for JavaScript: none such is ever written.
  if (error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') return damaged(path, error);
  switch (primaryCode(error)) {
    case CODE.busy:
      return fault('busy', `${path} is being written by another process`, 'wait until that has ended, then try again');
    case CODE.readonly:
      return denied(
        readOnlyFolder(dirname(path), error) ??
          cannotWrite(dirname(path), 'let that user write the store and its folder', error),
      );
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
      if (isUnreadable(path)) return denied(deniedRead(path, error));
      return fault('unreachable', `${path} cannot be opened`, 'check that it is a file and may be read and written');
    case CODE.ioerr:
      return fault('unreachable', `${path} cannot be read or written`, 'check the disk');
    default:
      return error;
  }

  function fault(code: StoreFault, message: string, hint: string): StoreError {
    return new StoreError(code, message, hint, { cause: error });
  }

  function denied({ message, hint }: { readonly message: string; readonly hint: string }): StoreError {
    return fault('read_only', message, hint);
  }
}

/** Whether a store that can only be read would fail so when it is opened for writing. */
export function isForLackOfRights(error: unknown): boolean {
  const code = primaryCode(error);
  return code === CODE.readonly || code === CODE.cantopen || fileFault(error)?.kind === 'denied';
}

export function unreadLog(path: string): StoreError {
  return new StoreError(
    'read_only',
    `${path} has changes in ${path}-wal, which cannot be read without writing beside it`,
    'copy both files to a folder that can be written, and use that store',
  );
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === CODE.busy;
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  // The low byte: an extended code says more than is needed here.
  return error.errcode & 0xff;
}
