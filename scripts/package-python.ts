// Makes the Python package: `npm run package:python` writes a wheel and a source distribution to python/dist.

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Environment, pythonEnvironment } from './python-environment.ts';

const root = join(import.meta.dirname, '..');

/** Builds both in the folder, which is emptied first, with the hatchling of the environment. Returns their paths. */
export function makePythonPackage(folder: string, python: string): { wheel: string; sdist: string } {
  const staging = mkdtempSync(join(tmpdir(), 'tidemark-python-'));
  try {
    const filter = (path: string) => !['__pycache__', 'dist', '.mypy_cache', '.ruff_cache'].includes(basename(path));
    cpSync(join(root, 'python'), staging, { recursive: true, filter });
    cpSync(join(root, 'LICENSE'), join(staging, 'LICENSE'));
    // A wheel is a ZIP file, which has no times before 1980; the same sources give the same bytes.
    const env = { ...process.env, SOURCE_DATE_EPOCH: '315532800' };
    const { status, stderr } = spawnSync(python, ['-m', 'hatchling', 'build'], { cwd: staging, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`hatchling cannot build the package:\n${stderr}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(join(staging, 'dist'), folder, { recursive: true });
  } finally {
    rmSync(staging, { recursive: true });
  }
  const built = (pattern: string) => join(folder, globSync(pattern, { cwd: folder })[0]!); // hatchling has made one of each
  return { wheel: built('*.whl'), sdist: built('*.tar.gz') };
}

function pythonOf(environment: Environment): string {
  if ('python' in environment) return environment.python;
  process.stderr.write(`the Python package cannot be built here: ${environment.missing}\n`);
  process.exit(1);
}

if (import.meta.main) {
  const python = pythonOf(await pythonEnvironment(['hatchling']));
  const { wheel, sdist } = makePythonPackage(join(root, 'python/dist'), python);
  process.stdout.write(`${wheel}\n${sdist}\n`);
}
