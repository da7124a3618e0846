// Errors of the file system in words for people: which folder, which user, and what to do.

import { accessSync, constants, existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { HintedError } from './hinted-error.ts';

export type FileFaultKind = 'denied' | 'full' | 'missing' | 'not_a_folder';

export class FileError extends HintedError {
  override readonly name = 'FileError';
  readonly kind: FileFaultKind;

  constructor(kind: FileFaultKind, message: string, hint: string, options?: ErrorOptions) {
    super(message, hint, options);
    this.kind = kind;
  }
}

const READ_ONLY = 'the file system is read-only: name a folder on another one';

/** The error as one that a person can act on; null if it is none of the file system, or one that should not happen. */
export function fileFault(error: unknown, path = pathOf(error)): FileError | null {
  if (!(error instanceof Error) || !('code' in error) || path === null) return null;
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return reads(error) || isUnreadable(path)
        ? deniedRead(path, error)
        : cannotWrite(dirname(path), 'let that user write there, or name another folder', error);
    case 'EROFS':
      return cannotWrite(dirname(path), READ_ONLY, error);
    case 'ENOSPC':
    case 'EDQUOT':
      return new FileError('full', `no space is left in ${dirname(path)}`, 'free some space on that disk', {
        cause: error,
      });
    case 'EEXIST':
    case 'ENOTDIR': {
      const folder = callOf(error) === 'mkdir' ? path : dirname(path);
      return new FileError('not_a_folder', `${folder} is not a folder`, 'name a path in another one', { cause: error });
    }
    case 'ENOENT': {
      // Node says so of a folder and its parents that cannot be created on a read-only file system.
      const readOnly = callOf(error) === 'mkdir' ? readOnlyFolder(dirname(path), error) : null;
      if (readOnly !== null) return readOnly;
      return existsSync(dirname(path))
        ? new FileError('missing', `there is no file ${path}`, 'check the name', { cause: error })
        : new FileError('missing', `there is no folder ${dirname(path)}`, 'create it, or name another one', {
            cause: error,
          });
    }
    default:
      return null;
  }
}

export function cannotWrite(folder: string, hint: string, cause: unknown): FileError {
  return new FileError('denied', `cannot write to ${folder} as ${userName()}`, hint, { cause });
}

export function deniedRead(path: string, cause: unknown): FileError {
  const hint = 'let that user read it, or run the command as the user who owns it';
  return new FileError('denied', `cannot read ${path} as ${userName()}`, hint, { cause });
}

/** Null if the file system of the folder can be written. */
export function readOnlyFolder(folder: string, cause: unknown): FileError | null {
  return accessFault(folder, constants.W_OK) === 'EROFS' ? cannotWrite(folder, READ_ONLY, cause) : null;
}

/** Whether there is a file that the user may not read. */
export function isUnreadable(path: string): boolean {
  return existsSync(path) && accessFault(path, constants.R_OK) === 'EACCES';
}

/** The code of the error; null if the user has this access. */
function accessFault(path: string, mode: number): unknown {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : null;
  }
}

function callOf(error: Error): string {
  return 'syscall' in error ? String(error.syscall) : '';
}

/** A container may run under a number that has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

function pathOf(error: unknown): string | null {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
}

/** Whether the call only read: what was to be created is a matter of its folder. */
function reads(error: Error): boolean {
  const call = callOf(error);
  return call === 'scandir' || call === 'opendir' || call === 'stat' || call === 'lstat' || call === 'read';
}
