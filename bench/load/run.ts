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

/**
 * Clients run on other machines, and here on the cores of the server. Those whose waiting time is measured beside other work do not wait
 * for a core.
 */
export const CLIENT_PRIORITY = -10;

export function runPrioritizedLoad(options: LoadOptions): Promise<LoadResult> {
  return runWith(options, CLIENT_PRIORITY);
}

async function runWith(options: LoadOptions, priority: number): Promise<LoadResult> {
  const load = promisify(execFile)(process.execPath, [GENERATOR, JSON.stringify(options)]);
  if (priority !== 0) prioritize(load.child.pid!, priority);
  return JSON.parse((await load).stdout) as LoadResult; // it prints one
}

/** Without the rights for it, the priority stays. */
export function prioritize(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error;
  }
}
