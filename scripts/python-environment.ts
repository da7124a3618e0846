// A virtual environment with packages of PyPI for the checks of the Python package: made once, with Debian's python3 and python3-venv,
// in node_modules/.cache. Where Python or PyPI is missing, it says why.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type Environment = { readonly python: string } | { readonly missing: string };

const cache = join(import.meta.dirname, '../node_modules/.cache/python');
const INSTALL_MS = 600_000;
/** For so long a failed installation is not tried again. */
const FAILED_MS = 3_600_000;

/** What the checks of the package and its notebook use. */
export const PACKAGES = [
  ...['pandas', 'polars', 'pyarrow', 'tqdm', 'pytest', 'mypy', 'ruff', 'hatchling'],
  ...['matplotlib', 'nbclient', 'ipykernel'],
] as const;

/** A Python of at least version 3.10 on this machine, with its standard library only. */
export function systemPython(): Environment {
  const python = process.env['TIDEMARK_PYTHON'] ?? 'python3';
  const { status, error } = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
  if (status === 0) return { python };
  return { missing: error ? `there is no ${python} on this machine` : `${python} is older than version 3.10` };
}

/** TIDEMARK_PYTHON names a Python that has the packages already. */
export async function pythonEnvironment(packages: readonly string[]): Promise<Environment> {
  const system = systemPython();
  if ('missing' in system || process.env['TIDEMARK_PYTHON'] !== undefined) return withPackages(system, packages);
  const folder = join(cache, createHash('sha1').update(packages.join()).digest('hex').slice(0, 12));
  mkdirSync(cache, { recursive: true });
  for (;;) {
    const known = finished(folder);
    if (known !== null) return known;
    if (taken(`${folder}.lock`)) return make(system.python, folder, packages);
    await wait(200); // another process makes it
  }
}

function finished(folder: string): Environment | null {
  if (existsSync(join(folder, 'complete'))) return { python: join(folder, 'bin/python') };
  const failure = `${folder}.failed`;
  const isFresh = existsSync(failure) && Date.now() - statSync(failure).mtimeMs < FAILED_MS;
  return isFresh ? { missing: readFileSync(failure, 'utf8') } : null;
}

function make(python: string, folder: string, packages: readonly string[]): Environment {
  try {
    rmSync(folder, { recursive: true, force: true });
    for (const [program = '', ...args] of [
      [python, '-m', 'venv', folder],
      [
        join(folder, 'bin/pip'),
        'install',
        '-q',
        '--disable-pip-version-check',
        '--retries',
        '1',
        '--timeout',
        '10',
        ...packages,
      ],
    ]) {
      const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: INSTALL_MS });
      if (status === 0) continue;
      const missing = `${args.includes('venv') ? 'no python3-venv' : 'pip cannot install the packages'}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`;
      writeFileSync(`${folder}.failed`, missing);
      return { missing };
    }
    writeFileSync(join(folder, 'complete'), '');
    return { python: join(folder, 'bin/python') };
  } finally {
    rmSync(`${folder}.lock`, { recursive: true, force: true });
  }
}

/** False while another process makes the environment. */
function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > INSTALL_MS)
      rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function withPackages(found: Environment, packages: readonly string[]): Environment {
  if ('missing' in found) return found;
  const without = packages.filter(name => spawnSync(found.python, ['-c', `import ${name}`]).status !== 0);
  return without.length === 0 ? found : { missing: `Python does not have ${without.join(', ')}` };
}
