import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DEMO_KEYS } from '../../src/domain/api-key.ts';
import { copyDemoStore } from '../support/demo-store.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';

const run = promisify(execFile);
const launcher = join(import.meta.dirname, '../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-keys-'));
const servers: ServerProcess[] = [];
after(async () => {
  await Promise.all(servers.map(server => server.stop()));
  rmSync(folder, { recursive: true });
});

async function tidemark(...args: string[]): Promise<string> {
  return (await run(process.execPath, [launcher, ...args])).stdout;
}

async function serve(...args: string[]): Promise<ServerProcess> {
  const server = await ServerProcess.start(...args);
  servers.push(server);
  return server;
}

async function statusOf(server: ServerProcess, key: string): Promise<number> {
  return (await fetch(`${server.url}/v1/crypto/assets`, { headers: { 'x-api-key': key } })).status;
}

/** Asks until the status is this one; fails two seconds after `since`. */
async function becomes(server: ServerProcess, key: string, wanted: (status: number) => boolean, since: number) {
  for (;;) {
    const status = await statusOf(server, key);
    if (wanted(status)) return;
    assert.ok(performance.now() - since < 2000, `still ${status} after 2 s`);
    await wait(50);
  }
}

const STORES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, 'keys.db')}`,
  PostgreSQL: freshPostgresUrl,
};

describe('on running servers', () => {
  for (const [adapter, freshStore] of Object.entries(STORES)) {
    it(`a key works and stops working within 2 s of its command, on every one of them, under load: ${adapter}`, async () => {
      const url = await freshStore();
      const busy = JSON.parse(await tidemark('keys', 'create', '--tier', 'unlimited', '--json', '--store', url));
      const pair = [await serve('--store', url), await serve('--store', url)];
      const loading = new AbortController();
      const load = pair.map(async server => {
        while (!loading.signal.aborted) {
          await statusOf(server, busy.key);
          await wait(10);
        }
      });
      const made = JSON.parse(await tidemark('keys', 'create', '--tier', 'pro', '--json', '--store', url));
      let since = performance.now();
      // 503: let in, but there is no data.
      for (const server of pair) await becomes(server, made.key, status => status === 503, since);
      await tidemark('keys', 'revoke', made.id, '--store', url);
      since = performance.now();
      // 429: this address has brought the key many times before it was known.
      for (const server of pair) await becomes(server, made.key, status => status === 401 || status === 429, since);
      loading.abort();
      await Promise.all(load);
      await Promise.all(pair.map(server => server.stop()));
    });
  }
});

describe('a key', () => {
  it('is nowhere in what the program wrote: output, errors, log, links, metrics, store', async () => {
    const url = `sqlite:${join(folder, 'secret.db')}`;
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(join(folder, 'closes.csv'), `symbol,day,close\nAAA,${day},1\nBBB,${day},2\n`);
    await tidemark('ingest', 'csv', join(folder, 'closes.csv'), '--store', url);
    const made = JSON.parse(await tidemark('keys', 'create', '--tier', 'pro', '--json', '--store', url));
    const server = await serve('--workers', '1', '--store', url, '--log', 'json');
    const plain = await serve('--workers', '1', '--store', url, '--log', 'text', '--log-requests', 'all');
    const written: string[] = [
      await tidemark('keys', 'list', '--store', url),
      await tidemark('status', '--store', url),
    ];
    const bearer = { authorization: `Bearer ${made.key}` };
    const requests: readonly (readonly [string, Record<string, string>])[] = [
      ['/v1/crypto/ta-cur?limit=1', { 'x-api-key': made.key }],
      ['/v1/crypto/ta-cur?limt=1', bearer],
      [`/v1/crypto/ta-cur?api_key=${made.key}&price=x`, {}],
      [`/v1/crypto/assets?api_key=${made.key}&limit=1`, {}],
      [`/v1/coins/nobody?api_key=${made.key}`, {}],
      [`/v1/coins/nobody?api_key=${made.key}&api_key=other`, {}],
      [`/nowhere?api_key=${made.key}`, bearer],
      [`/v1/coins/nobody?%61pi%5Fkey=${made.key}`, {}],
      [`/v1/crypto/ta-cur?symbol=${made.key}&q=${made.key.slice(4)}`, bearer],
      [`/v1/crypto/ta-cur?limit=1&excl_cols=${made.key}`, bearer],
      [`/v1/crypto/ta-cur?limit=1&q=a%20${made.key}`, bearer],
      [`/v1/crypto/ta-cur?limit=1&${made.key}=1`, bearer],
      [`/v1/crypto/ta-hist?symbol=AAA&limit=1&excl_cols=${made.key}`, bearer],
      ['/v1/crypto/ta-cur?limit=1', { ...bearer, 'x-request-id': made.key }],
      ['/v1/crypto/ta-cur?limit=0', { ...bearer, 'x-request-id': `request-${made.key.slice(0, 30)}` }],
      ['/healthz', { 'x-request-id': made.key, 'x-forwarded-for': made.key, forwarded: `for=${made.key}` }],
      [`/v1/coins/${made.key}`, bearer],
      [`/${made.key}?${made.key}`, {}],
      ['/metrics', bearer],
    ];
    for (const [path, headers] of requests) {
      for (const { url: base } of [server, plain]) {
        const answer = await fetch(`${base}${path}`, { headers });
        written.push(await answer.text(), JSON.stringify([...answer.headers]));
      }
    }
    await server.stop();
    await plain.stop();
    assert.ok(server.stderr.split('\n').filter(line => line.includes('"event":"request"')).length >= requests.length);
    assert.ok(plain.stderr.includes(' GET /v1/crypto/ta-cur?limit=1 '), plain.stderr);
    written.push(server.stderr, plain.stderr, await tidemark('keys', 'list', '--json', '--store', url));
    for (const file of readdirSync(folder).filter(name => name.startsWith('secret'))) {
      written.push(readFileSync(join(folder, file), 'latin1'));
    }
    assert.ok(written.join('').includes(made.id), 'what was searched is what was written');
    for (const text of written) assert.ok(!text.includes(made.key) && !text.includes(made.key.slice(4, 30)));
  });

  it('is counted by its id in the list and in the metrics, also after a restart', async () => {
    const url = `sqlite:${join(folder, 'counted.db')}`;
    const made = JSON.parse(await tidemark('keys', 'create', '--tier', 'pro', '--json', '--store', url));
    for (let i = 0; i < 2; i++) {
      const server = await serve('--store', url);
      for (let n = 0; n < 3; n++) await statusOf(server, made.key);
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      const accepted = `tidemark_key_requests_today{key="${made.id}",tier="pro",outcome="accepted"} ${3 * (i + 1)}`;
      assert.ok(metrics.includes(accepted), metrics);
      await server.stop();
    }
    assert.match(await tidemark('keys', 'list', '--store', url), new RegExp(`${made.id}.*\\b6\\b`));
  });
});

describe('the two documented keys of the demo', () => {
  it('are good there, and known in no other store', async () => {
    await copyDemoStore(join(folder, 'demo.db'));
    const demo = await serve('--workers', '1', '--demo', '--store', `sqlite:${join(folder, 'demo.db')}`);
    const free = await fetch(`${demo.url}/v1/crypto/ta-cur?limit=100`, { headers: { 'x-api-key': DEMO_KEYS.free } });
    assert.equal(free.headers.get('x-limit-applied'), '5');
    assert.equal(await statusOf(demo, DEMO_KEYS.pro), 200);
    await demo.stop();
    const other = await serve('--workers', '1', '--store', `sqlite:${join(folder, 'other.db')}`);
    for (const key of Object.values(DEMO_KEYS)) assert.equal(await statusOf(other, key), 401);
    await other.stop();
  });
});

it('a server that is open to all has the rows of its unlimited tier', async () => {
  const closes = join(folder, 'closes.csv');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(
    closes,
    ['symbol,day,close', ...['A', 'B', 'C', 'D', 'E'].map(symbol => `${symbol},${day},1`)].join('\n'),
  );
  const store = `sqlite:${join(folder, 'open.db')}`;
  await tidemark('ingest', 'csv', closes, '--store', store);
  for (const [tiers, rows] of [
    ['unlimited: rows=3 default=2', { asked: 3, unasked: 2 }],
    ['free: rows=1', { asked: 5, unasked: 5 }],
  ] as const) {
    const server = await serve('--workers', '1', '--open', '--store', store, '--tiers', tiers);
    const count = async (query: string) => {
      const answer = await fetch(`${server.url}/v1/crypto/ta-cur${query}`);
      return ((await answer.json()) as { results_returned: number }).results_returned;
    };
    assert.deepEqual({ asked: await count('?limit=1000'), unasked: await count('') }, rows);
  }
});
