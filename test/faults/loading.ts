// Loads in a process of their own, to be killed; and all that a store holds, to be compared.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

const launcher = join(import.meta.dirname, '../../scripts/launch.js');

/** `tidemark ingest SOURCE PATH --store URL`, the real program. */
export function startIngest(source: 'csv' | 'profiles', path: string, url: string): ChildProcess {
  const args = [launcher, 'ingest', source, path, '--store', url];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  return new Promise(resolve => child.on('close', code => resolve({ code, stderr })));
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
