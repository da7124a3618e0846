// Two servers of one PostgreSQL store behind a real balancer, restarted one after the other while clients ask and new data is
// published. PostgreSQL, because servers on several machines need it, and because it has connections to lose; what a single server
// on SQLite does when it stops is in test/resilience/lifecycle/stopping.test.ts.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_KEYS, hashOf } from '../../../src/domain/api-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { parseMetrics } from '../../support/metric-parser.ts';
import { freePort, freshPostgresUrl } from '../../support/postgres.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';
import { rounds } from '../faults/loading.ts';
import { AskingClients, type Market } from './asking-clients.ts';
import { Balancer } from './balancer.ts';

const ROUNDS = rounds(1);
const DAYS = 3;
const DAY_MS = 86_400_000;
const HEADERS = { 'x-api-key': DEMO_KEYS.pro };
/** Generous: this machine may be busy with other tests. */
const TIMEOUT_MS = 60_000;
/** More than the balancer needs to notice; see its configuration. */
const DRAIN_SECONDS = '3';

const MARKET: Market = { assets: 2000, days: DAYS, price: (asset, version) => 10_000 * (version + 1) + asset };

const folder = mkdtempSync(join(tmpdir(), 'tidemark-rolling-'));
const today = Date.now();
let store: string;

before(async () => {
  store = await freshPostgresUrl();
  const opened = await openStore(store);
  await opened.createKey({ id: 'key_all', hash: hashOf(DEMO_KEYS.pro), tier: 'unlimited', name: null, expires: null });
  await opened.close();
  await publish(0);
});
after(() => rmSync(folder, { recursive: true }));

/** Every asset has the version in the close of its last day. */
async function publish(version: number): Promise<void> {
  const day = (back: number) => new Date(today - back * DAY_MS).toISOString().slice(0, 10);
  const path = join(folder, `${version}.csv`);
  const lines = Array.from({ length: MARKET.assets }, (_, asset) =>
    Array.from(
      { length: DAYS },
      (_, back) => `S${asset},${day(back)},${MARKET.price(asset, back === 0 ? version : 0)}`,
    ),
  );
  writeFileSync(path, ['symbol,day,close', ...lines.flat()].join('\n'));
  await tidemark('ingest', 'csv', path, '--store', store);
}

const serve = (port: number) =>
  ServerProcess.start(
    ...['--port', String(port), '--store', store, '--workers', '2'],
    ...['--trust-proxy', 'x-forwarded:1', '--drain', DRAIN_SECONDS, '--grace', '60'],
  );

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < giveUp, `it never came about that ${what}`);
    await wait(20);
  }
}

/** Pages that a server has answered since its start. */
async function answered({ url }: ServerProcess): Promise<number> {
  const metrics = parseMetrics(await (await fetch(`${url}/metrics`)).text());
  const samples = metrics.get('tidemark_http_requests_total')?.samples ?? [];
  return samples
    .filter(({ labels }) => labels['route'] === '/v1/crypto/ta-cur' && labels['status'] === '200')
    .reduce((sum, { value }) => sum + value, 0);
}

/** Asked of another path than the clients ask for, whose answers are counted. */
async function shows({ url }: ServerProcess, version: number): Promise<boolean> {
  const day = new Date(today).toISOString().slice(0, 10);
  const answer = await fetch(`${url}/v1/crypto/ta-hist?symbol=S0&from=${day}`, { headers: HEADERS });
  const { result } = (await answer.json()) as { result: { price: number }[] };
  return result[0]?.price === MARKET.price(0, version);
}

describe(`two servers behind a balancer, restarted one after the other ${ROUNDS} × while new data is published`, () => {
  it('answer every request, with all rows of one version', async t => {
    const ports = [await freePort(), await freePort()] as const;
    const servers = await Promise.all(ports.map(serve));
    t.after(() => Promise.all(servers.map(server => server.stop())));
    const balancer = await Balancer.start(ports);
    t.after(() => balancer.stop());
    const versions = { oldest: 0, newest: 0 };
    const clients = new AskingClients({
      url: balancer.url,
      headers: HEADERS,
      market: MARKET,
      versions: () => versions,
    });
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        versions.newest = round;
        let published: Promise<void> | undefined;
        for (const [i, port] of ports.entries()) {
          // The one that stays must be known to be there: it has been asked.
          for (const server of servers) await until('both servers are asked', async () => (await answered(server)) > 0);
          const stopped = servers[i]!.stop();
          published ??= publish(round);
          assert.equal(await stopped, 0, servers[i]!.stderr);
          servers[i] = await serve(port);
          if (clients.failures.length > 0) break;
        }
        await published;
        for (const server of servers) await until('it shows the new data', () => shows(server, round));
        versions.oldest = round;
      }
    } finally {
      await clients.stop();
    }
    assert.deepEqual(clients.failures, [], balancer.said);
    for (const [way, times] of clients.asked) assert.ok(times > ROUNDS, `${way}: ${times} answers`);
  });
});
