// Programs from PyPI, in a virtual environment under the temporary folder that later runs use again.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const INSTALL_MS = 300_000;

/** Path of the program that the package brings, or why there is none. */
export function pythonTool(name: string, version: string): { readonly path: string } | { readonly missing: string } {
  const folder = join(tmpdir(), `tidemark-bench-${name}-${version}`);
  const path = join(folder, 'bin', name);
  if (existsSync(path)) return { path };
  for (const command of [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin/pip'), 'install', '--quiet', '--only-binary=:all:', `${name}==${version}`],
  ]) {
    const [program = '', ...args] = command;
    const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: INSTALL_MS });
    if (status !== 0) return { missing: `pip cannot install it: ${reason(error, stderr)}` };
  }
  return existsSync(path) ? { path } : { missing: `the package has no program ${name}` };
}

function reason(error: Error | undefined, stderr: string | null): string {
  return error?.message ?? stderr?.trim().split('\n').at(-1) ?? 'no reason given';
}
