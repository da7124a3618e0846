// Kills a server at random moments while a load writes into its store and clients ask, and checks after each restart that
// nothing is wrong: the rows are those that the bars give, the keys are those that were made, and every answer is right.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ServerProcess, tidemark } from '../../support/server-process.ts';
import { assertWhole, ended, rounds, startIngest, withStore } from './loading.ts';
import { ASKING_KEY, assertKeys, listedRound, writeCloses } from './round-closes.ts';

export const ROUNDS = rounds(2);
const LONGEST_MS = 600;

/** Returns how many answers were checked, in words. */
export async function killServers(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-server-'));
  const kept = join(folder, 'kept.snapshot');
  let answers = 0;
  try {
    await withStore(url, store => store.createKey(ASKING_KEY));
    await tidemark('ingest', 'csv', writeCloses(folder, 0), '--store', url);
    for (let round = 1; round <= ROUNDS; round++) {
      const server = await ServerProcess.start('--workers', '2', '--store', url, '--keep', kept);
      // What the round before has loaded is there from the first answer on.
      assert.equal(await listedRound(server.url), round - 1);
      const asking = new AbortController();
      const clients = [1, 2, 3].map(() => askUntil(server, asking.signal, [round - 1, round]));
      const load = ended(startIngest('csv', writeCloses(folder, round), url));
      await wait(Math.random() * LONGEST_MS);
      server.signal('SIGKILL');
      asking.abort();
      const [loaded] = await Promise.all([load, server.ended()]);
      for (const count of await Promise.all(clients)) answers += count;
      assert.equal(loaded.code, 0, loaded.stderr);
      await withStore(url, async store => {
        await assertWhole(store);
        assert.deepEqual(await store.pending(), []);
        assertKeys(await store.keys());
      });
    }
    return `${answers + ROUNDS} answers`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns how many answers it got. */
async function askUntil(server: ServerProcess, signal: AbortSignal, allowed: readonly number[]): Promise<number> {
  let answers = 0;
  while (!signal.aborted) {
    try {
      const shown = await listedRound(server.url);
      assert.ok(allowed.includes(shown), `round ${shown}, not one of ${allowed}`);
      answers++;
    } catch (error) {
      // The line to a killed server breaks; an answer that is wrong is another error.
      if (error instanceof assert.AssertionError) throw error;
    }
  }
  return answers;
}
