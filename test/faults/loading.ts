// Loads in a process of their own, to be killed; and all that a store holds, to be compared.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

const launcher = join(import.meta.dirname, '../../scripts/launch.js');

/** How often a fault is tried: a few times with every `npm test`, more often where TIDEMARK_FAULT_ROUNDS says so. */
export function rounds(usual: number): number {
  return Number(process.env['TIDEMARK_FAULT_ROUNDS'] ?? usual);
}

/** `tidemark ARGS`, the real program. */
export function startProgram(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', launcher, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function startIngest(source: 'csv' | 'profiles', path: string, url: string): ChildProcess {
  return startProgram('ingest', source, path, '--store', url);
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function ended(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', text => {
      said[name] += text;
    });
  }
  return new Promise(resolve => child.on('close', code => resolve({ code, ...said })));
}

/** Runs the program to its end. */
export function run(...args: readonly string[]): Promise<Ended> {
  return ended(startProgram(...args));
}

export async function withStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Every asset by its id, with its bars, its published row and its profile: what must be equal after a crash and a repeat. */
export async function contents(store: Store): Promise<Record<string, unknown>> {
  const assets = await store.assets();
  const rows = new Map((await store.currentSince(0)).rows.map(({ key, ...row }) => [key, row]));
  const profiles = new Map((await Array.fromAsync(store.profiles())).map(({ key, sourced }) => [key, sourced]));
  const entries: [string, unknown][] = [];
  for (const { key, id, ...facts } of assets) {
    const bars = facts.bars > 0 ? await store.bars(key, FIRST_DAY, LAST_DAY) : null;
    entries.push([id, { facts, bars, row: rows.get(key), profile: profiles.get(key) }]);
  }
  return { pending: await store.pending(), ...Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}
