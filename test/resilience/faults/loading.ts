// Loads in a process of their own, to be killed; and all that a store holds, to be compared.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { FIRST_DAY, LAST_DAY } from '../../../src/domain/day.ts';
import { readBenchmark } from '../../../src/publish/benchmark.ts';
import { benchmarkIn, columnSetOf, publicationColumns } from '../../../src/publish/columns.ts';
import { computeRows } from '../../../src/publish/compute-rows.ts';
import { OptionalValues } from '../../../src/publish/optional-values.ts';
import { openStore } from '../../../src/store/open.ts';
import type { CurrentRow, Store } from '../../../src/store/store.ts';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');

/**
 * How often a fault is tried: a few times with every `npm test`, and as often as TIDEMARK_FAULT_ROUNDS says in the long form
 * (`npm run faults`), or a share of that where a round takes many seconds.
 */
export function rounds(usual: number, share = 1): number {
  const asked = process.env['TIDEMARK_FAULT_ROUNDS'];
  return asked === undefined ? usual : Math.ceil(Number(asked) * share);
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

/** The database finds no damage in itself, and the published rows are those that the bars give, of all assets but the pending. */
export async function assertWhole(store: Store): Promise<void> {
  await store.checkIntegrity();
  const { columns, rows } = await store.currentSince(0);
  const set = columnSetOf(columns);
  const pending = new Set(await store.pending(publicationColumns(set, benchmarkIn(columns))));
  const priced = (await store.assets()).filter(({ assetNumber, bars }) => bars > 0 && !pending.has(assetNumber));
  const byKey = (rows: readonly CurrentRow[]) => rows.toSorted((a, b) => a.assetNumber - b.assetNumber);
  const published = rows.filter(({ assetNumber }) => !pending.has(assetNumber));
  const assetNumbers = priced.map(({ assetNumber }) => assetNumber);
  const { series: benchmark } = await readBenchmark(store, benchmarkIn(columns));
  const optional = set === 'all' ? new OptionalValues(store, { benchmark }) : null;
  assert.deepEqual(byKey(published), byKey(await computeRows(store, assetNumbers, { optional })));
}

/** Every asset by its id, with its bars, its published row and its profile: what must be equal after a crash and a repeat. */
export async function contents(store: Store): Promise<Record<string, unknown>> {
  const assets = await store.assets();
  const rows = new Map((await store.currentSince(0)).rows.map(({ assetNumber, ...row }) => [assetNumber, row]));
  const profiles = new Map(
    (await Array.fromAsync(store.profiles())).map(({ assetNumber, sourced }) => [assetNumber, sourced]),
  );
  const entries: [string, unknown][] = [];
  for (const { assetNumber, id, ...facts } of assets) {
    const bars = facts.bars > 0 ? await store.bars(assetNumber, FIRST_DAY, LAST_DAY) : null;
    entries.push([id, { facts, bars, row: rows.get(assetNumber), profile: profiles.get(assetNumber) }]);
  }
  return { pending: await store.pending(), ...Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}
