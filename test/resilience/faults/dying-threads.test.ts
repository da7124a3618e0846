// Serving threads of a real server die at random moments, in every way that a thread can die alone, under requests and loads.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseMetrics, sampleValue } from '../../support/metric-parser.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';
import { trial } from './findings.ts';
import { assertWhole, rounds, run, withStore } from './loading.ts';
import { ASKING_KEY, assertKeys, listedRound, writeCloses } from './round-closes.ts';

const ROUNDS = rounds(3);
const THREADS = 4;
/** So many listen when one is called to die: another may be called before the first has died, and one is left. */
const LEAST = 3;
const CLIENTS = 3;
const LONGEST_MS = 200;
/** A thread that dies often is replaced after 5 s. */
const TIMEOUT_MS = 30_000;
/** For what was loaded to be with every thread; 2 s are promised. */
const SETTLE_MS = 3000;

describe(`serving threads that die at ${ROUNDS} random moments, during loads and under requests`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-threads-'));
  const url = `sqlite:${join(folder, 'store.db')}`;
  after(() => rmSync(folder, { recursive: true }));

  it('are replaced, the others go on, and no answer is wrong', t =>
    trial(t, { fault: 'serving thread dies (terminated, error, exit)', rounds: ROUNDS }, async () => {
      await withStore(url, store => store.createKey(ASKING_KEY));
      await tidemark('ingest', 'csv', writeCloses(folder, 0), '--store', url);
      const server = await startMortal();
      t.after(() => server.stop());
      const world: World = { done: false, shown: 0, loading: 0 };
      const clients = Array.from({ length: CLIENTS }, () => askUntilDone(server, world));
      const loads = loadUntilDone(world);
      const deaths = dieUntilEnough(server).finally(() => {
        world.done = true;
      });
      const [died, , ...counts] = await Promise.all([deaths, loads, ...clients]);
      await until('as many threads as before', () => listeners(server.url) === THREADS);
      // All of them have what was published before they began and since.
      await wait(SETTLE_MS);
      for (let i = 0; i < 10 * THREADS; i++) assert.equal(await listedRound(server.url), world.loading);
      assert.ok(server.running);
      assert.equal(await server.stop(), 0);
      await withStore(url, async store => {
        await assertWhole(store);
        assertKeys(await store.keys());
      });
      const answers = counts.reduce((sum, count) => sum + count, 0);
      return `${answers} answers, ${world.loading} loads, ${died} threads replaced`;
    }));

  async function startMortal(): Promise<ServerProcess> {
    const options = process.env['NODE_OPTIONS'] ?? '';
    process.env['NODE_OPTIONS'] =
      `${options} --import ${pathToFileURL(join(import.meta.dirname, '../../support/mortal-threads.ts'))}`;
    try {
      return await ServerProcess.start('--workers', String(THREADS), '--store', url);
    } finally {
      process.env['NODE_OPTIONS'] = options;
    }
  }

  /** Returns how many died. */
  async function dieUntilEnough(server: ServerProcess): Promise<number> {
    let died = await restarts(server);
    while (died < ROUNDS) {
      await until('enough threads', () => listeners(server.url) >= LEAST);
      await wait(Math.random() * LONGEST_MS);
      server.signal('SIGUSR2');
      const before = died;
      // It may have been called before it could hear: then another is called.
      for (let tries = 0; tries < 20 && died === before; tries++) {
        await wait(50);
        died = await restarts(server);
      }
    }
    return died;
  }

  async function loadUntilDone(world: World): Promise<void> {
    while (!world.done) {
      const path = writeCloses(folder, ++world.loading);
      const { code, stderr } = await run('ingest', 'csv', path, '--store', url);
      assert.equal(code, 0, stderr);
      await wait(SETTLE_MS);
      world.shown = world.loading;
    }
  }

  /** Returns how many answers it got. */
  async function askUntilDone(server: ServerProcess, world: World): Promise<number> {
    let answers = 0;
    while (!world.done) {
      const oldest = world.shown;
      try {
        const round = await listedRound(server.url);
        assert.ok(round >= oldest && round <= world.loading, `round ${round}, not ${oldest} to ${world.loading}`);
        answers++;
      } catch (error) {
        // The connection to a thread that has just died breaks, but another thread always listens.
        if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') continue;
        throw new Error(`${error}; the server ${server.running ? 'runs' : 'ended'}: ${server.stderr}`, {
          cause: error,
        });
      }
    }
    return answers;
  }
});

interface World {
  done: boolean;
  /** The last load that every thread has, and the last one that was begun. */
  shown: number;
  loading: number;
}

async function restarts(server: ServerProcess): Promise<number> {
  for (;;) {
    try {
      const answer = await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } });
      return sampleValue(parseMetrics(await answer.text()), 'tidemark_thread_restarts_total');
    } catch (error) {
      // The thread that was asked has just died.
      if (!(error instanceof TypeError && server.running)) throw error;
    }
  }
}

/** The threads that listen: each has a socket of its own on the one port. */
function listeners(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const listening = new RegExp(`^ *\\d+: 0100007F:${port} 00000000:0000 0A `, 'gm');
  return [...readFileSync('/proc/net/tcp', 'utf8').matchAll(listening)].length;
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const giveUp = performance.now() + TIMEOUT_MS;
  while (!holds()) {
    assert.ok(performance.now() < giveUp, `it did not come: ${what}`);
    await wait(50);
  }
}
