// Programs of the system that tests need: the one of the machine, or Debian's, installed when there is none.

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin'];
/** A mirror that hangs must not hang the tests. */
const INSTALL_MS = 300_000;

/**
 * $1 package, $2 a file that remembers that it cannot be installed, or nothing. Two tests may want one at the same time, hence the
 * lock. A package that brings a service would start it, unless this file says no; where there is one, the machine has its own mind.
 */
const INSTALL = `
  exec 9>/tmp/tidemark-install.lock; flock 9
  if [ -n "$2" ] && [ -e "$2" ]; then exit 1; fi
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    trap "rm -f $policy" EXIT
    printf '#!/bin/sh\\nexit 101\\n' >$policy && chmod 755 $policy
  fi
  install() { apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$1"; }
  install "$1" || { apt-get update && install "$1"; } || { [ -z "$2" ] || : >"$2"; exit 1; }
`;

export interface Program {
  /** For people. */
  readonly title: string;
  readonly names: readonly string[];
  /** Of Debian. */
  readonly package: string;
  /** An environment variable that holds its path. */
  readonly variable: string;
}

/** Path of the program, which is installed where it is not there. */
export function requireProgram(program: Program): string {
  const { title, variable } = program;
  const path = find(program) ?? installed(program, '');
  if (path !== null) return path;
  throw new Error(
    `This test needs ${title}, and apt-get could not install it. Install it, or set ${variable} to its path.`,
  );
}

/** Null if it is not there and cannot be installed, which is tried once until the machine starts again. */
export function findOrInstall(program: Program): string | null {
  return find(program) ?? installed(program, `/tmp/tidemark-no-${program.package}`);
}

function find({ variable, names }: Program): string | null {
  return process.env[variable] || findProgram(names);
}

function installed(program: Program, remember: string): string | null {
  installPackage(program.package, remember);
  return find(program);
}

/** Path of the first of these programs that is there, or null. */
function findProgram(names: readonly string[]): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS];
  return folders.flatMap(folder => names.map(name => join(folder, name))).find(isProgram) ?? null;
}

function installPackage(name: string, remember: string): void {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [program = '', ...args] = [...asRoot, 'sh', '-c', INSTALL, 'sh', name, remember];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync(program, args, { stdio: 'ignore', env, timeout: INSTALL_MS });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
