// Runs the notebook of the docs against the demo of a fixed day, and stores what it prints and draws: `npm run notebook`. A test runs it
// again and compares what it prints.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DEFAULT_ASSETS } from '../src/ingest/demo/universe.ts';
import { startDemo } from '../test/support/demo-server.ts';
import { PACKAGES, pythonEnvironment } from './python-environment.ts';

const root = join(import.meta.dirname, '..');
export const NOTEBOOK = join(root, 'docs/how-to/momentum.ipynb');

/** Fails with what it printed if a cell fails, or prints something else than the file says. */
export async function runNotebook(python: string, ...options: readonly string[]): Promise<string> {
  const demo = await startDemo({ publicUrl: null }, DEFAULT_ASSETS);
  try {
    const program = [join(import.meta.dirname, 'run_notebook.py'), NOTEBOOK, demo.url, ...options];
    const env = { ...process.env, PYTHONPATH: join(root, 'python/src'), PYTHONDONTWRITEBYTECODE: '1', MPLBACKEND: '' };
    const { stdout } = await promisify(execFile)(python, program, { env, maxBuffer: 2 ** 24 });
    return stdout;
  } finally {
    await demo.close();
  }
}

if (import.meta.main) {
  const environment = await pythonEnvironment(PACKAGES);
  if ('missing' in environment) throw new Error(environment.missing);
  process.stdout.write(await runNotebook(environment.python, '--write'));
}
