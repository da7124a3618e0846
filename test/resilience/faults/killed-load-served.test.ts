// Loads are killed at random moments while a server follows the store and clients ask it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ServerProcess } from '../../support/server-process.ts';
import { trial } from './findings.ts';
import { assertWhole, ended, rounds, run, startIngest, withStore } from './loading.ts';
import { ASKING_KEY, assertHistory, assertKeys, listedRound, writeCloses } from './round-closes.ts';

const ROUNDS = rounds(2);
const CLIENTS = 2;
/** Some of which lie in a file that was loaded, some in one that was not. */
const HISTORIES = 20;
const TIMEOUT_MS = 30_000;

describe(`a load that is killed at ${ROUNDS} random moments under a server`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-load-'));
  const url = `sqlite:${join(folder, 'store.db')}`;
  after(() => rmSync(folder, { recursive: true }));

  it('is shown as a whole or not at all, and as a whole when it is repeated', t =>
    trial(t, { fault: 'load killed (SIGKILL) under a server', rounds: ROUNDS }, async () => {
      await withStore(url, store => store.createKey(ASKING_KEY));
      const began = performance.now();
      await loadAll(writeCloses(folder, 0));
      const usualMs = performance.now() - began;
      const server = await ServerProcess.start('--workers', '2', '--store', url);
      t.after(() => server.stop());
      const world: World = { done: false, shown: 0, loading: 0 };
      const clients = Array.from({ length: CLIENTS }, () => askUntilDone(server, world));
      const kills = killAll(server, world, usualMs).finally(() => {
        world.done = true;
      });
      const [, ...counts] = await Promise.all([kills, ...clients]);
      assert.equal(await server.stop(), 0);
      return `${counts.reduce((sum, count) => sum + count, 0)} answers`;
    }));

  async function killAll(server: ServerProcess, world: World, usualMs: number): Promise<void> {
    for (let round = 1; round <= ROUNDS; round++) {
      const path = writeCloses(folder, round);
      world.loading = round;
      const child = startIngest('csv', path, url);
      const end = ended(child);
      // Most of it is the start of the program.
      await Promise.race([wait(usualMs * (0.4 + 0.7 * Math.random())), end]);
      child.kill('SIGKILL');
      await end;
      await withStore(url, async store => {
        await assertWhole(store);
        assertKeys(await store.keys());
      });
      for (let i = 0; i < HISTORIES; i++) await assertHistory(server.url);
      await loadAll(path);
      const giveUp = performance.now() + TIMEOUT_MS;
      // Both threads: neither of so many lines leads to one that is behind.
      for (let inRow = 0; inRow < 10; ) {
        inRow = (await listedRound(server.url)) === round ? inRow + 1 : 0;
        assert.ok(performance.now() < giveUp, `the load ${round} is not shown`);
      }
      world.shown = round;
    }
  }

  async function loadAll(path: string): Promise<void> {
    const { code, stderr } = await run('ingest', 'csv', path, '--store', url);
    assert.equal(code, 0, stderr);
  }
});

interface World {
  done: boolean;
  /** The last load that every thread has, and the last one that was begun. */
  shown: number;
  loading: number;
}

/** Returns how many answers it got. */
async function askUntilDone(server: ServerProcess, world: World): Promise<number> {
  let answers = 0;
  for (; !world.done; answers++) {
    const oldest = world.shown;
    const round = await listedRound(server.url);
    assert.ok(round >= oldest && round <= world.loading, `round ${round}, not ${oldest} to ${world.loading}`);
    await assertHistory(server.url);
    await wait(10);
  }
  return answers;
}
