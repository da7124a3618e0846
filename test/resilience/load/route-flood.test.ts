// Every route of the service, flooded without an API key and with one: the memory of the server stays below a bound, and its other
// clients are answered all the time.
//
// `TIDEMARK_FLOOD=long` floods one route after the other with 40 connections of 5,000 pipelined requests, and compares the waiting
// time of the other clients with that of a quiet server. It takes some ten minutes and prints what it measured. The server has a
// core of its own, in the quiet time too. The flood and the other clients share another core, and the flood has the lower priority:
// what is measured is how the server shares its time, not how the operating system shares its cores.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { hashOf, newApiKey } from '../../../src/domain/api-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { copyDemoStore } from '../../support/demo-store.ts';
import { ServerProcess } from '../../support/server-process.ts';
import type { FloodResult } from './flooder.ts';
import {
  allPaths,
  flood,
  forgetPeakMemory,
  OtherClients,
  peakMemory,
  requestsFor,
  separateCores,
} from './route-flood.ts';

const LONG = process.env['TIDEMARK_FLOOD'] === 'long';
const [CONNECTIONS, EACH, MILLIS] = LONG ? [40, 5000, 4000] : [20, 1000, 1500];
const NON_READERS = 10;
const [WARM_UP_MS, QUIET_MS] = LONG ? [5000, 10_000] : [0, 200];
/** V8 compiles what a route runs in the first seconds of its flood, on the server's only core. */
const FLOOD_WARM_UP_MS = LONG ? 2000 : 0;
const MAX_MEGABYTES = 400;
/** Times the p99 of a quiet server; checked in the long form only, because a busy machine decides it in the short one. */
const MAX_SLOWER = 5;

/** Of the long form. */
const QUIET_SECONDS = 4;
const TIMEOUT_MS = 180_000;

/**
 * Repeats `work` until something was answered and, in the long form, the host has left this machine its cores for a few seconds. The
 * short form compares no times.
 */
async function untilMeasured(
  clients: OtherClients,
  work: () => Promise<void>,
  isAnswered: () => boolean = () => true,
): Promise<void> {
  const began = performance.now();
  const isEnough = () => isAnswered() && (!LONG || clients.quietSeconds >= QUIET_SECONDS);
  do await work();
  while (!isEnough() && performance.now() - began < TIMEOUT_MS);
  if (LONG && clients.quietSeconds < QUIET_SECONDS) throw new Error('the host took the cores: measure again later');
}

const folder = mkdtempSync(join(tmpdir(), 'tidemark-flood-'));
const apiKey = newApiKey();
let server: ServerProcess;
let quietP99 = 0;

before(async () => {
  const path = join(folder, 'store.db');
  await copyDemoStore(path);
  const store = await openStore(`sqlite:${path}`);
  await store.createKey({ id: 'key_flood', hash: hashOf(apiKey), tier: 'unlimited', name: null, expires: null });
  await store.close();
  // A heap that grows beyond this ends the server. It has one core, and `./tidemark` leaves V8 this number of threads on it.
  process.env['NODE_OPTIONS'] = '--max-old-space-size=300 --v8-pool-size=1';
  server = await ServerProcess.start('--store', `sqlite:${path}`, '--workers', '1');
  if (LONG) assert.ok(separateCores(server), 'the long form needs two cores and taskset');
  // Not the first seconds, in which the server and these clients are compiled.
  const first = new OtherClients(server, apiKey);
  await wait(WARM_UP_MS);
  await first.stop();
  const clients = new OtherClients(server, apiKey);
  await untilMeasured(clients, () => wait(QUIET_MS));
  quietP99 = (await clients.stop()).p99;
  if (LONG) process.stdout.write(`quiet: ${quietP99.toFixed(1)} ms\n`);
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Floods the server while others use it. */
async function flooded(requests: readonly string[]) {
  const port = Number(new URL(server.url).port);
  const load = { connections: CONNECTIONS, nonReaders: NON_READERS, each: EACH, millis: MILLIS };
  forgetPeakMemory(server);
  if (FLOOD_WARM_UP_MS > 0) await flood({ port, requests, ...load, millis: FLOOD_WARM_UP_MS });
  const clients = new OtherClients(server, apiKey);
  const floods: FloodResult[] = [];
  // The flood has the lowest priority: on a busy machine, its first seconds may pass before it runs.
  const isAnswered = () => clients.answers > 0 && floods.some(({ statuses }) => Object.keys(statuses).length > 0);
  const work = async () => {
    floods.push(await flood({ port, requests, ...load }));
  };
  const flooding = untilMeasured(clients, work, isAnswered);
  await flooding.catch(() => undefined); // told below, when the others have stopped
  const others = await clients.stop();
  await flooding;
  return { ...total(floods), ...others, megabytes: peakMemory(server) };
}

function total(floods: readonly FloodResult[]): Pick<FloodResult, 'statuses' | 'closed'> {
  const statuses: Record<string, number> = {};
  for (const [status, count] of floods.flatMap(each => Object.entries(each.statuses))) {
    statuses[status] = (statuses[status] ?? 0) + count;
  }
  return { statuses, closed: floods.reduce((sum, { closed }) => sum + closed, 0) };
}

/** 403 or 404 where the API key of this test is refused, or the path names no file; 200 elsewhere. */
async function usualStatus(path: string): Promise<number> {
  const { status } = await fetch(server.url + path, { method: 'HEAD', headers: { 'x-api-key': apiKey } });
  return [403, 404].includes(status) ? status : 200;
}

describe('a server is flooded', () => {
  const paths = allPaths();
  const floods = LONG ? paths.map(path => [path, [path]] as const) : [['all routes at once', paths] as const];
  for (const [name, flooding] of floods) {
    for (const credentials of [null, apiKey]) {
      const way = credentials === null ? 'without an API key' : 'with an API key';
      it(`${name}, ${way}: its memory is bounded, and others are answered`, async t => {
        const requests = flooding.flatMap(path => requestsFor(path, credentials));
        const seen = await flooded(requests);
        const slower = seen.p99 / quietP99;
        if (LONG) {
          t.diagnostic(`${seen.megabytes.toFixed(0)} MB, p99 ${seen.p99.toFixed(1)} ms (${slower.toFixed(1)} × quiet)`);
          process.stdout.write(
            `| ${name} | ${way} | ${Object.values(seen.statuses).reduce((sum, count) => sum + count, 0)} | ` +
              `${seen.megabytes.toFixed(0)} MB | ${seen.p99.toFixed(1)} ms | ${slower.toFixed(1)} |\n`,
          );
        }
        assert.ok(server.running, server.stderr);
        assert.ok(seen.megabytes < MAX_MEGABYTES, `${seen.megabytes} MB`);
        assert.deepEqual(seen.failures, []);
        assert.equal(seen.closed, 0, 'the server closes no connection that reads');
        assert.ok(seen.answers > 0 && Object.keys(seen.statuses).length > 0);
        assert.equal(seen.statuses['500'], undefined);
        const usual = LONG ? await usualStatus(name) : 200;
        if (credentials !== null) assert.ok((seen.statuses[usual] ?? 0) > 0, JSON.stringify(seen.statuses));
        if (LONG) assert.ok(slower < MAX_SLOWER, `p99 is ${slower.toFixed(1)} times that of a quiet server`);
      });
    }
  }

  it('all of them are in the table', () => {
    for (const path of ['/v1/catalog', '/metrics', '/healthz', '/v1/openapi.json', '/docs', '/']) {
      assert.ok(paths.includes(path), path);
    }
  });
});
