// Runs the load generator in a process of its own.

import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadOptions, LoadResult } from './generator.ts';

const GENERATOR = join(import.meta.dirname, 'generator.ts');

export function runLoad(options: LoadOptions): Promise<LoadResult> {
  return runWith(options, 0);
}

/** For clients whose latency is measured while others keep the cores busy: they must not wait for a core themselves. */
export const CLIENT_PRIORITY = -10;

/** The same with `CLIENT_PRIORITY`. */
export function runPrioritizedLoad(options: LoadOptions): Promise<LoadResult> {
  return runWith(options, CLIENT_PRIORITY);
}

async function runWith(options: LoadOptions, priority: number): Promise<LoadResult> {
  const load = promisify(execFile)(process.execPath, [GENERATOR, JSON.stringify(options)]);
  if (priority !== 0) prioritize(load.child.pid!, priority);
  return JSON.parse((await load).stdout) as LoadResult; // it prints one
}

/** The priority stays as it is if the user may not raise it. */
export function prioritize(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error;
  }
}
