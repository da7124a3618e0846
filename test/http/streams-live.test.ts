// Streams of real servers with several threads: API keys, restarts, a killed server, a proxy, the log and the metrics.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import { dayFromIso } from '../../src/domain/day.ts';
import { csvSource } from '../../src/ingest/csv/csv-source.ts';
import { load } from '../../src/ingest/pipeline.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { requireProgram } from '../support/debian-program.ts';
import { copyDemoStore } from '../support/demo-store.ts';
import { EventClient } from '../support/event-client.ts';
import { freePort } from '../support/postgres.ts';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { type Envelope, LISTING, type Row } from './contract.ts';
import { bySymbol, StreamedPage } from './streamed-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-streams-'));
const url = `sqlite:${join(folder, 'store.db')}`;
const EVENTS = '/v1/crypto/events';
const QUERY = `${LISTING}?limit=8&sort=price`;
const day = new Date().toISOString().slice(0, 10);
const TODAY = dayFromIso(day)!;
const apiKey = newApiKey();
const FIRST_TICK_MS = 60_000;
const asKey = { 'x-api-key': apiKey };
let store: Store;

before(async () => {
  store = await openStore(url);
  await store.createKey({ id: 'key_pro', hash: hashOf(apiKey), tier: 'pro', name: null, expires: null });
  await ingest(1);
});
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Publishes other prices of 20 assets, in another order; in this process, which saves the start of the program. */
async function ingest(round: number): Promise<number> {
  const lines = Array.from({ length: 20 }, (_, i) => `A${i},${day},${100 + ((i * 7 + round * 11) % 20) + round / 100}`);
  const file = join(folder, `closes-${round}.csv`);
  writeFileSync(file, `symbol,day,close\n${lines.join('\n')}\n`);
  const signal = new AbortController().signal;
  await load({ store, source: csvSource([file]), today: TODAY, signal });
  return store.version();
}

async function start(t: TestContext, ...args: readonly string[]): Promise<ServerProcess> {
  const server = await ServerProcess.start('--store', url, '--workers', '2', ...args);
  t.after(() => server.stop());
  return server;
}

/** The listing of a version: the thread that answers may take over a publication later than the one that streams. */
async function listed(server: ServerProcess, version: number): Promise<Row[]> {
  for (;;) {
    const answer = await fetch(`${server.url}${QUERY}`, { headers: asKey });
    const { result } = (await answer.json()) as Envelope;
    if (answer.headers.get('x-data-version') === String(version)) return bySymbol(result);
    await wait(20);
  }
}

async function open(t: TestContext, base: string, path: string, headers: Record<string, string> = asKey) {
  const client = await EventClient.open(`${base}${path}`, headers);
  t.after(() => client.close());
  return client;
}

describe('streams of a server with two threads', () => {
  it('reach every client of every thread, with the same bytes', async t => {
    const server = await start(t);
    const clients = await Promise.all(Array.from({ length: 12 }, () => open(t, server.url, `${QUERY}&format=sse`)));
    for (const client of clients) await client.next('rows');
    await ingest(2);
    const events = await Promise.all(clients.map(client => client.next('changes')));
    assert.equal(new Set(events.map(({ data }) => data)).size, 1);
  });

  it('are no more than the tier of the API key allows, in all threads together', async t => {
    const server = await start(t, '--tiers', 'pro: streams=3');
    const opened = await Promise.all(Array.from({ length: 3 }, () => open(t, server.url, EVENTS)));
    assert.deepEqual(
      opened.map(({ status }) => status),
      [200, 200, 200],
    );
    for (let i = 0; i < 6; i++) {
      const refused = await fetch(`${server.url}${EVENTS}`, { headers: asKey });
      assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [429, 'too_many_streams']);
    }
  });

  it('end within 2 s when their API key is revoked, and others go on', async t => {
    const server = await start(t);
    const other = newApiKey();
    await store.createKey({ id: 'key_other', hash: hashOf(other), tier: 'pro', name: null, expires: null });
    const headers = { 'x-api-key': other };
    while ((await fetch(`${server.url}${QUERY}`, { headers })).status !== 200) await wait(50);
    const ending = await Promise.all([EVENTS, `${QUERY}&format=sse`].map(path => open(t, server.url, path, headers)));
    const staying = await open(t, server.url, EVENTS);
    for (const client of [...ending, staying]) await client.next();
    await tidemark('keys', 'revoke', 'key_other', '--store', url);
    const began = performance.now();
    for (const client of ending) {
      assert.deepEqual(await client.data('goodbye'), { reason: 'revoked_key' });
      await client.closed();
    }
    assert.ok(performance.now() - began < 2000, 'SPEC 7: within 2 s');
    assert.equal(staying.ended, false);
  });

  it('are in the log and the metrics: open ones at once, their requests when they end', async t => {
    const server = await start(t, '--log', 'json');
    const client = await open(t, server.url, `${EVENTS}?api_key=${apiKey}`, {});
    await client.next('publication');
    const metric = async (name: string) =>
      Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
    assert.equal(await metric('tidemark_streams'), 1);
    assert.equal(await metric('tidemark_http_requests_in_flight'), 1, 'of /metrics itself');
    await ingest(3);
    await client.next('publication');
    await wait(150); // the request takes as long as its stream
    client.close();
    await wait(1500); // the age of the metrics
    assert.equal(await metric('tidemark_streams'), 0);
    assert.equal(await metric('tidemark_stream_updates_total'), 1);
    await server.stop();
    const lines = server.stderr.split('\n').filter(line => line.includes('"event":"request"') && line.includes(EVENTS));
    assert.equal(lines.length, 1);
    const line = JSON.parse(lines[0]!) as { status: number; ms: number; bytes: number; key: string; aborted?: boolean };
    assert.deepEqual([line.status, line.key, line.aborted], [200, 'key_pro', undefined]);
    assert.ok(line.ms > 100 && line.bytes > 200, lines[0]);
    assert.ok(!server.stderr.includes(apiKey));
  });

  it('end with a goodbye when the server stops, which does not wait for them', async t => {
    const server = await start(t, '--grace', '30');
    const clients = await Promise.all([EVENTS, `${QUERY}&format=sse`].map(path => open(t, server.url, path)));
    for (const client of clients) await client.next();
    const began = performance.now();
    assert.equal(await server.stop(), 0);
    assert.ok(performance.now() - began < 15_000, 'less than the grace');
    for (const client of clients) {
      assert.deepEqual(await client.data('goodbye'), { reason: 'stopping' });
      await client.closed();
    }
  });

  it('lose no publication to a client that resumes, after a restart and after SIGKILL', async t => {
    const port = String(await freePort());
    const page = { rows: new Map<string, Row>() };
    let id: string | null = null;
    for (const [round, signal] of (['SIGKILL', 'SIGTERM', 'SIGKILL'] as const).entries()) {
      const server = await start(t, '--port', port);
      const events: EventClient = await open(t, server.url, EVENTS, { ...asKey, ...(id && { 'last-event-id': id }) });
      const streamed = new StreamedPage(await open(t, server.url, `${QUERY}&format=sse`, asKey));
      await streamed.step();
      assert.deepEqual(streamed.sorted, await listed(server, streamed.version));
      // Publications of the time without a server are either told or covered by "everything changed".
      const version = await store.version();
      if (id !== String(version)) {
        const first = await events.data<{ version: number; all: boolean }>('publication');
        assert.deepEqual([first.version, first.all], [version, true]);
      }
      for (let i = 0; i < 2; i++) {
        const next = await ingest(10 + round * 10 + i);
        await streamed.reach(next);
        assert.deepEqual(streamed.sorted, await listed(server, streamed.version));
      }
      await events.until(() => events.lastId === String(streamed.version));
      id = events.lastId;
      page.rows = streamed.rows;
      server.signal(signal);
      await server.ended();
      await events.closed();
      if (round < 1) await ingest(15 + round * 10);
    }
  });

  it('pass HAProxy with the configuration of deploy/, event by event', async t => {
    const server = await start(t, '--trust-proxy', 'x-forwarded:1');
    const listen = `127.0.0.1:${await freePort()}`;
    const upstream = new URL(server.url).host;
    const program = { title: 'HAProxy', names: ['haproxy'], package: 'haproxy', variable: 'HAPROXY' };
    const config = join(import.meta.dirname, '../../deploy/haproxy.cfg');
    const env = { BIND: listen, SERVER_1: upstream, SERVER_2: upstream };
    const proxy = spawn(requireProgram(program), ['-db', '-f', config], { env, stdio: 'ignore' });
    t.after(async () => {
      proxy.kill();
      await once(proxy, 'close');
    });
    const isUp = () =>
      fetch(`http://${listen}/readyz`).then(
        answer => answer.ok,
        () => false,
      );
    for (let i = 0; i < 400 && !(await isUp()); i++) await wait(50);
    const streamed = new StreamedPage(await open(t, `http://${listen}`, `${QUERY}&format=sse`));
    await streamed.step();
    await streamed.reach(await ingest(50));
    assert.deepEqual(streamed.sorted, await listed(server, streamed.version));
    await server.stop();
    await streamed.client.next('goodbye');
    await streamed.client.closed();
  });
});

describe('the demo', () => {
  it('moves five prices per second, unless it is told not to', async t => {
    process.env['TIDEMARK_NO_TICKS'] = 'false';
    t.after(() => {
      delete process.env['TIDEMARK_NO_TICKS'];
    });
    const demo = join(folder, 'demo.db');
    await copyDemoStore(demo);
    const server = await ServerProcess.start('--demo', '--store', `sqlite:${demo}`, '--workers', '1');
    t.after(() => server.stop());
    const key = 'tdm_DemoProKeyOfTheSimulatedMarket001xsmsd';
    const client = await open(t, server.url, EVENTS, { 'x-api-key': key });
    await client.next('publication');
    // The first tick gives every asset with minutes one of now, which computes all columns of all of them.
    await client.next('publication', FIRST_TICK_MS);
    for (let i = 0; i < 3; i++) {
      const { changed, added, removed } = await client.data<Record<string, number>>('publication');
      assert.ok(changed! >= 1 && changed! <= 10, `${changed}`);
      assert.deepEqual([added, removed], [0, 0]);
    }
    assert.doesNotMatch(server.stderr, /now serving version/);
  });
});
