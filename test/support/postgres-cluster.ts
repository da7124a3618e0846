// The files of a new PostgreSQL cluster: initdb writes them once per version, and each server of a test starts from a copy.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const USER = 'tester';
export const PASSWORD = 'p@ss word';
/** The user id of `nobody`, which every system has. PostgreSQL refuses to run as root, as tests do in some containers. */
const NOBODY = 65_534;
const cache = join(import.meta.dirname, '../../node_modules/.cache/postgres');

/** For a process that PostgreSQL runs in, which refuses root. */
export function asNobody(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}

/** What the user of `asNobody` may read and write. */
export function giveToNobody(path: string): void {
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, path]);
}

/** Writes the folder `data` inside `folder`, which the server's user owns, with the programs in `programs`. */
export function copyCluster(programs: string, folder: string, data: string): void {
  const version = execFileSync(join(programs, 'bin/initdb'), ['--version'], { encoding: 'utf8' });
  const prepared = join(cache, version.replaceAll(/[^\d.]/g, ''));
  if (!existsSync(prepared)) prepare(programs, folder, prepared);
  cpSync(prepared, data, { recursive: true });
  execFileSync('chmod', ['700', data]);
  giveToNobody(data);
}

function prepare(programs: string, folder: string, prepared: string): void {
  const [data, password] = [join(folder, 'prepared'), join(folder, 'password')];
  writeFileSync(password, PASSWORD);
  const args = ['--pgdata', data, '--username', USER, '--pwfile', password];
  const more = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'bin/initdb'), [...args, ...more], { ...asNobody(), cwd: folder, stdio: 'ignore' });
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  cpSync(data, unfinished, { recursive: true });
  rmSync(data, { recursive: true });
  try {
    renameSync(unfinished, prepared);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    // Another test file was first.
    if (!existsSync(join(prepared, 'PG_VERSION'))) throw error;
  }
}
