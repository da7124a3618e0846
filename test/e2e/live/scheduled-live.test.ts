// `serve --schedule 'live binance'`, through ccxt, from a local exchange that speaks Binance's protocol: the server starts the process,
// shows its prices, starts it again when it is killed, and of two servers one follows.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fakeBinance } from '../../support/fake-exchanges.ts';
import { type FakeLiveBinance, fakeLiveBinance } from '../../support/fake-live-binance.ts';
import { fakeProvider } from '../../support/fake-provider.ts';
import { parseMetrics } from '../../support/metric-parser.ts';
import { ServerProcess } from '../../support/server-process.ts';

const TIMEOUT_MS = 60_000;
const TICK_MS = 50;
const BASES = ['BTC', 'ETH'];
const folder = mkdtempSync(join(tmpdir(), 'tidemark-scheduled-live-'));
after(() => rmSync(folder, { recursive: true }));

const preload = new URL('../../support/local-binance.ts', import.meta.url);

/** A local Binance whose prices grow all the time, and that the processes of this test use. */
async function startExchange(t: TestContext): Promise<{ exchange: FakeLiveBinance; price: () => number }> {
  const [provider, exchange] = [await fakeProvider(), await fakeLiveBinance()];
  const today = Math.floor(Date.now() / 86_400_000);
  const series = Array.from({ length: 10 }, (_, i) => [today - 9 + i, 1] as const);
  const { api } = fakeBinance(
    provider,
    BASES.map(base => ({ base, quote: 'USDT', series })),
  ) as { api: object }; // what it returns
  let price = 100;
  const ticking = setInterval(() => {
    price++;
    for (const base of BASES) exchange.tick(`${base}USDT`, price, Date.now());
  }, TICK_MS);
  const { NODE_OPTIONS } = process.env;
  process.env['NODE_OPTIONS'] = `${NODE_OPTIONS ?? ''} --import=${preload}`;
  process.env['TIDEMARK_TEST_BINANCE'] = JSON.stringify({ api: { ...api, ws: { spot: `${exchange.url}/ws` } } });
  t.after(async () => {
    clearInterval(ticking);
    if (NODE_OPTIONS === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = NODE_OPTIONS;
    delete process.env['TIDEMARK_TEST_BINANCE'];
    await exchange.close();
    await provider.close();
  });
  return { exchange, price: () => price };
}

async function startServer(t: TestContext, store: string): Promise<ServerProcess> {
  const schedule = 'live binance --quote USDT --every 1s';
  const server = await ServerProcess.start('--open', '--workers', '1', '--store', store, '--schedule', schedule);
  t.after(() => server.stop());
  return server;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < giveUp, `it did not come: ${what}`);
    await wait(50);
  }
}

async function prices({ url }: ServerProcess): Promise<number[]> {
  const response = await fetch(`${url}/v1/crypto/ta-cur`);
  if (response.status === 503) return []; // nothing is loaded yet
  const { result } = (await response.json()) as { result: { price: number }[] }; // SPEC 4
  return result.map(row => row.price);
}

/** The processes that follow live prices for this server. */
function liveProcesses(server: ServerProcess): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1];
        return Number(parent) === server.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0live\0');
      } catch {
        return false; // it has ended meanwhile
      }
    })
    .map(Number);
}

describe('serve --schedule live', () => {
  it('shows prices that tick, tells their age, and starts the process again when it is killed', async t => {
    const { exchange, price } = await startExchange(t);
    const store = `sqlite:${join(folder, 'one.db')}`;
    const server = await startServer(t, store);
    const newer = async () => {
      const from = price();
      await until('newer prices', async () => {
        const seen = await prices(server);
        return seen.length === BASES.length && seen.every(each => each > from);
      });
    };
    await newer();

    const ready = (await (await fetch(`${server.url}/readyz`)).json()) as { newest_tick: string };
    assert.ok(Math.abs(Date.now() - Date.parse(ready.newest_tick)) < 30_000, ready.newest_tick);
    const metrics = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
    const [sample] = metrics.get('tidemark_live_newest_tick_timestamp_seconds')?.samples ?? [];
    assert.ok(Math.abs(Date.now() / 1000 - sample!.value) < 30);
    const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
    const status = execFileSync(process.execPath, [launcher, 'status', '--store', store], { encoding: 'utf8' });
    assert.match(status, /newest tick +live binance: [\d.]+ m?s ago/);

    // One line per batch would bury the others.
    const lines = () => server.stderr.match(/now serving version/g)?.length ?? 0;
    const before = lines();
    await newer();
    await newer();
    assert.equal(lines(), before, server.stderr);

    for (const socket of exchange.sockets) socket.cut();
    await until('a note', async () => /live --exchange binance .*: binance: .*; trying again/.test(server.stderr));
    await newer();

    for (let i = 0; i < 2; i++) {
      const [live] = liveProcesses(server);
      process.kill(live!, 'SIGKILL');
      await newer();
    }
    assert.ok(exchange.connected() >= 3);
    assert.equal(server.stderr.match(/scheduled load live --exchange binance .* failed/g)?.length, 2, server.stderr);

    await server.stop();
    assert.deepEqual(exchange.subscribed(), []);
  });

  it('is done by one of two servers, and by the other when that one is killed with its process', async t => {
    const { price, exchange } = await startExchange(t);
    const store = `sqlite:${join(folder, 'two.db')}`;
    const servers = await Promise.all([startServer(t, store), startServer(t, store)]);
    const newer = async (server: ServerProcess) => {
      const from = price();
      await until('newer prices', async () => {
        const seen = await prices(server);
        return seen.length === BASES.length && seen.every(each => each > from);
      });
    };
    await Promise.all(servers.map(newer));
    assert.equal(exchange.subscribed().length, BASES.length, 'one connection');
    const follower = servers.findIndex(server => liveProcesses(server).length > 0);
    const [live] = liveProcesses(servers[follower]!);
    servers[follower]!.signal('SIGKILL');
    process.kill(live!, 'SIGKILL');
    await newer(servers[1 - follower]!);
  });
});
