// Kills servers while they evaluate and deliver alerts to a receiver that fails now and then: taken one after another, each message
// once, the messages must lead from what matched first to what matches at the end.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';
import { trial } from './findings.ts';
import { rounds, run, withStore } from './loading.ts';

const ROUNDS = rounds(2, 0.5);
const TIMEOUT_MS = 120_000;
const SYMBOLS = Array.from({ length: 12 }, (_, i) => `K${i}`);
const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-alerts-'));
after(() => rmSync(folder, { recursive: true }));

interface Message {
  readonly data: Record<'entered' | 'left', { readonly rows: readonly { readonly symbol: string }[] }> & {
    readonly version: number;
  };
}

/** Accepts most messages; cuts, refuses or leaves without a response every fifth. */
class Receiver {
  readonly messages = new Map<string, string>();
  requests = 0;
  secret = '';
  url = '';

  async listen(t: TestContext): Promise<void> {
    const server = createServer(this.#take).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on TCP
  }

  readonly #take: RequestListener = async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const id = String(request.headers['webhook-id']);
    const signed = `${id}.${request.headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(this.secret.replace('whsec_', ''), 'base64');
    assert.equal(
      request.headers['webhook-signature'],
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    // The same message whenever it comes.
    assert.equal(this.messages.get(id) ?? body, body);
    this.requests++;
    if (this.requests % 5 === 1) return void response.writeHead(503).end();
    this.messages.set(id, body);
    // It was taken, but the server never learns of it.
    if (this.requests % 5 === 3) request.socket.destroy();
    else response.writeHead(204).end();
  };
}

async function killAlerting(t: TestContext, url: string): Promise<string> {
  const receiver = new Receiver();
  await receiver.listen(t);
  const file = join(folder, 'prices.csv');
  const day = new Date().toISOString().slice(0, 10);
  const load = async (matching: ReadonlySet<string>) => {
    const lines = SYMBOLS.map(symbol => `${symbol},${day},${matching.has(symbol) ? 20 : 1}`);
    writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
    await tidemark('ingest', 'csv', file, '--store', url);
  };
  await load(new Set());
  const flags = ['--name', 'above ten', '--query', 'price=10:', '--on', 'both', '--allow-private-webhooks'];
  const created = await run('alerts', 'create', '--json', '--store', url, '--to', receiver.url, ...flags);
  receiver.secret = JSON.parse(created.stdout).secret;

  const settings = ['--workers', '1', '--store', url, '--allow-private-webhooks', '--alert-again-after', '0'];
  const start = () => ServerProcess.start(...settings);
  const servers = await Promise.all([start(), start()]);
  t.after(() => Promise.all(servers.map(server => server.stop())));
  const until = async (what: string, holds: () => Promise<boolean>) => {
    const giveUp = performance.now() + TIMEOUT_MS;
    while (!(await holds())) {
      assert.ok(performance.now() < giveUp, `it did not come: ${what}; ${servers[0]!.stderr}`);
      await wait(50);
    }
  };
  const alert = () => withStore(url, async store => (await store.alerts())[0]!);
  await until('the first evaluation', async () => (await alert()).matching !== null);
  let matching = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    matching = new Set(SYMBOLS.filter(() => Math.random() < 0.5));
    await load(matching);
    await wait(Math.random() * 1000);
    // One of them holds the lock.
    const killed = Math.floor(Math.random() * servers.length);
    servers[killed]!.signal('SIGKILL');
    await servers[killed]!.ended();
    servers[killed] = await start();
  }
  const wanted = [...matching].sort().join();
  await until('the last evaluation', async () => (await alert()).matching?.symbols.join() === wanted);
  await until('the last message', async () => (await alert()).waiting === 0);

  const messages = [...receiver.messages.values()].map(body => (JSON.parse(body) as Message).data);
  const told = new Set<string>();
  for (const { entered, left } of messages.sort((a, b) => a.version - b.version)) {
    for (const { symbol } of entered.rows) assert.ok(!told.has(symbol) && told.add(symbol), `${symbol} entered twice`);
    for (const { symbol } of left.rows) assert.ok(told.delete(symbol), `${symbol} left without having entered`);
  }
  assert.deepEqual([...told].sort(), [...matching].sort());
  const failed = await withStore(url, async store => (await store.deliveries(1000)).filter(d => d.state === 'failed'));
  assert.deepEqual(failed, []);
  return `${messages.length} messages in ${receiver.requests} requests`;
}

describe(`servers that are killed ${ROUNDS} times while they deliver alerts`, () => {
  const checked = ['alerts'] as const;
  it('lose no message with SQLite, and repeat it with its id', t =>
    trial(t, { fault: 'server killed while it delivers alerts, SQLite', rounds: ROUNDS, checked }, () =>
      killAlerting(t, `sqlite:${join(folder, 'store.db')}`),
    ));

  it('lose no message with PostgreSQL, and repeat it with its id', t =>
    trial(t, { fault: 'server killed while it delivers alerts, PostgreSQL', rounds: ROUNDS, checked }, async () =>
      killAlerting(t, await freshPostgresUrl()),
    ));
});
