// Kills a server at random moments while a load writes into its store and clients ask, and checks after each restart that
// nothing is wrong: the rows are those that the bars give, the keys are those that were made, and every answer is right.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_KEYS, hashOf } from '../../src/domain/api-key.ts';
import { openStore } from '../../src/store/open.ts';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { ask } from '../support/service.ts';
import { startIngest } from './loading.ts';

/** `FAULT_ROUNDS=100` is the long form. */
export const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 5);
const ASSETS = 300;
const HEADERS = { 'x-api-key': DEMO_KEYS.pro };
const LONGEST_MS = 600;

export async function killServers(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-server-'));
  const kept = join(folder, 'kept.snapshot');
  try {
    await makeKeys(url);
    await tidemark('ingest', 'csv', writeCloses(folder, 0), '--store', url);
    for (let round = 1; round <= ROUNDS; round++) {
      const server = await ServerProcess.start('--workers', '2', '--store', url, '--keep', kept);
      // What the round before has loaded is there from the first answer on.
      await assertListing(server, new Set([round - 1]));
      const asking = new AbortController();
      const clients = [1, 2, 3].map(() => askUntil(server, asking.signal, new Set([round - 1, round])));
      const load = startIngest('csv', writeCloses(folder, round), url);
      const loaded = once(load, 'close');
      await wait(Math.random() * LONGEST_MS);
      server.signal('SIGKILL');
      asking.abort();
      await Promise.all([server.ended(), loaded, ...clients]);
      await assertWhole(url);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Closes of today whose every price tells the round, so that a mixture of two rounds shows. */
function writeCloses(folder: string, round: number): string {
  const path = join(folder, `${round}.csv`);
  const day = new Date().toISOString().slice(0, 10);
  const lines = Array.from({ length: ASSETS }, (_, i) => `K${i},${day},${price(i, round)}`);
  writeFileSync(path, ['symbol,day,close', ...lines].join('\n'));
  return path;
}

const price = (asset: number, round: number) => 1000 * (round + 1) + asset;

async function makeKeys(url: string): Promise<void> {
  const store = await openStore(url);
  await store.createKey({ id: 'key_pro', hash: hashOf(DEMO_KEYS.pro), tier: 'unlimited', name: null, expires: null });
  await store.close();
}

async function askUntil(server: ServerProcess, signal: AbortSignal, rounds: ReadonlySet<number>): Promise<void> {
  while (!signal.aborted) {
    try {
      await assertListing(server, rounds);
    } catch (error) {
      // The line to a killed server breaks; an answer that is wrong is another error.
      if (error instanceof assert.AssertionError) throw error;
    }
  }
}

/** All rows, and all of one and the same of these rounds. */
async function assertListing(server: ServerProcess, rounds: ReadonlySet<number>): Promise<void> {
  const { status, text } = await ask(server.url, '/v1/crypto/ta-cur?limit=1000', { headers: HEADERS });
  assert.equal(status, 200, text);
  const { result }: { result: { symbol: string; price: number }[] } = JSON.parse(text);
  assert.equal(result.length, ASSETS);
  const found = new Set(result.map(row => (row.price - Number(row.symbol.slice(1))) / 1000 - 1));
  assert.equal(found.size, 1, `rows of the rounds ${[...found]}`);
  for (const round of found) assert.ok(rounds.has(round), `round ${round}, not one of ${[...rounds]}`);
}

async function assertWhole(url: string): Promise<void> {
  await tidemark('verify', '--store', url);
  const store = await openStore(url);
  try {
    assert.deepEqual(await store.pending(), []);
    const [key, ...others] = await store.keys();
    assert.deepEqual([key?.id, key?.tier, key?.revokedAt, others.length], ['key_pro', 'unlimited', null, 0]);
    assert.deepEqual(Buffer.from(key!.hash), Buffer.from(hashOf(DEMO_KEYS.pro)));
  } finally {
    await store.close();
  }
}
