// Kills the process that follows live prices at random moments: the store stays whole, holds only prices that the exchange sent, and
// the next process goes on.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fakeBinance } from '../../support/fake-exchanges.ts';
import { fakeLiveBinance } from '../../support/fake-live-binance.ts';
import { fakeProvider } from '../../support/fake-provider.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { assertWhole, rounds, withStore } from './loading.ts';

const ROUNDS = rounds(1, 0.5);
const TIMEOUT_MS = 60_000;
const TICK_MS = 20;
const BASES = ['AAA', 'BBB', 'CCC'];
const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-live-'));
after(() => rmSync(folder, { recursive: true }));

async function killLive(t: TestContext, url: string): Promise<string> {
  const [provider, exchange] = [await fakeProvider(), await fakeLiveBinance()];
  const today = Math.floor(Date.now() / 86_400_000);
  const markets = BASES.map(base => ({
    base,
    quote: 'USDT',
    series: [
      [today - 1, 1],
      [today, 1],
    ] as const,
  }));
  const { api } = fakeBinance(provider, markets) as { api: object }; // what it returns
  const urls = JSON.stringify({ api: { ...api, ws: { spot: `${exchange.url}/ws` } } });
  const children: ChildProcess[] = [];
  const said: string[] = [];
  const start = () => {
    const script = join(import.meta.dirname, 'live-child.ts');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, url, urls], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.setEncoding('utf8').on('data', text => said.push(text));
    children.push(child);
    return child;
  };
  let price = 1;
  const ticking = setInterval(() => {
    price++;
    for (const base of BASES) exchange.tick(`${base}USDT`, price, Date.now());
  }, TICK_MS);
  t.after(async () => {
    clearInterval(ticking);
    for (const child of children) child.kill('SIGKILL');
    await exchange.close();
    await provider.close();
  });
  /** Waits until a price is stored that was sent after now. */
  const newPrice = () =>
    withStore(url, async store => {
      const from = price;
      const giveUp = performance.now() + TIMEOUT_MS;
      for (;;) {
        const { rows } = await store.currentSince(0);
        for (const row of rows) assert.ok(Number.isInteger(row.price) && row.price >= 1 && row.price <= price);
        if (rows.length === BASES.length && rows.every(row => row.price > from)) return;
        assert.ok(performance.now() < giveUp, `no new price: ${said.join('').slice(-2000)}`);
        await wait(20);
      }
    });
  for (let round = 0; round < ROUNDS; round++) {
    const child = start();
    await newPrice();
    await wait(Math.random() * 300);
    child.kill('SIGKILL');
    await once(child, 'close');
    await withStore(url, assertWhole);
  }
  const last = start();
  await newPrice();
  last.kill('SIGTERM');
  await once(last, 'close');
  await withStore(url, async store => {
    await assertWhole(store);
    const states = (await store.loads(1000))
      .filter(({ source }) => source === 'live binance')
      .map(({ state }) => state);
    assert.deepEqual(states, ['stopped', ...Array(ROUNDS).fill('failed')]);
  });
  return `${price} ticks of ${BASES.length} markets`;
}

describe(`a process that follows live prices, killed ${ROUNDS} times`, () => {
  it('leaves a whole SQLite store, and the next one goes on', t =>
    trial(t, { fault: 'live process killed (SIGKILL), SQLite', rounds: ROUNDS, checked: ['bars'] }, () =>
      killLive(t, `sqlite:${join(folder, 'store.db')}`),
    ));

  it('leaves a whole PostgreSQL store, and the next one goes on', t =>
    trial(t, { fault: 'live process killed (SIGKILL), PostgreSQL', rounds: ROUNDS, checked: ['bars'] }, async () =>
      killLive(t, await freshPostgresUrl()),
    ));
});
