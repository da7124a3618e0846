// Kills loads of minutes and hours at random moments and repeats them, on both stores: of an exchange, whose next load continues where
// the killed one was, and of files. In the end the bars of every interval are those of the source, and of what is made of them.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isoFromDay } from '../../../src/domain/day.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD, type Period } from '../../../src/domain/interval.ts';
import { fakeBinance, type Series } from '../../support/fake-exchanges.ts';
import { fakeProvider } from '../../support/fake-provider.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { assertWhole, type Ended, ended, rounds, startProgram, withStore } from './loading.ts';

const KILLS = rounds(3);
const MINUTE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-killed-intervals-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const STORES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  PostgreSQL: freshPostgresUrl,
};

/** Whole hours of minutes that ended days ago, so that time may pass while the test runs. */
const DAYS = 32;
const LAST_DAY = Math.floor(Date.now() / 86_400_000) - 1;
const FIRST_MINUTE = (LAST_DAY - DAYS) * 1440;
/** With gaps: an exchange that was down for hours, and single minutes without a trade. */
const MINUTES: Series = Array.from(
  { length: DAYS * 1440 },
  (_, i) => [FIRST_MINUTE + i, 100 + (i % 977) / 8] as const,
).filter(([minute]) => minute % 5000 > 700 && minute % 13 !== 0);

/** What was made of the minutes: the close of the last one of each period. */
function madeOf(minutes: Series, perPeriod: number): Map<number, number> {
  return new Map(minutes.map(([minute, close]) => [Math.floor(minute / perPeriod), close]));
}

async function assertBars(url: string, symbols: readonly string[]): Promise<void> {
  await withStore(url, async store => {
    await assertWhole(store);
    const assets = await store.assets();
    assert.deepEqual(assets.map(({ symbol }) => symbol).toSorted(), symbols.toSorted());
    for (const { assetNumber } of assets) {
      const stored = async (interval: BaseInterval) => {
        const { day, close } = await store.series(interval).bars(assetNumber, 0 as Period, LAST_PERIOD as Period);
        return new Map(Array.from(day, (period, i) => [period, close[i]]));
      };
      const [minutes, hours, days] = await Promise.all(BASE_INTERVALS.map(stored));
      assert.deepEqual(minutes, madeOf(MINUTES, 1));
      assert.deepEqual(hours, madeOf(MINUTES, 60));
      assert.deepEqual(days, madeOf(MINUTES, 1440));
    }
  });
}

async function exchange(t: TestContext) {
  const provider = await fakeProvider();
  const markets = ['BTC', 'ETH'].map(base => ({ base, quote: 'USDT', series: { 60: MINUTES } }));
  const urls = fakeBinance(provider, markets);
  const { NODE_OPTIONS } = process.env;
  const preload = new URL('../../support/local-binance.ts', import.meta.url);
  process.env['NODE_OPTIONS'] = `${NODE_OPTIONS ?? ''} --import=${preload}`;
  process.env['TIDEMARK_TEST_BINANCE'] = JSON.stringify(urls);
  t.after(async () => {
    if (NODE_OPTIONS === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = NODE_OPTIONS;
    delete process.env['TIDEMARK_TEST_BINANCE'];
    await provider.close();
  });
  /** Requests for candles, and of each the minute from which on it wants them. */
  return () => {
    const klines = provider.asked.filter(({ path }) => path.endsWith('klines'));
    return klines.map(({ query }) => ({
      symbol: query.get('symbol'),
      from: Number(query.get('startTime')) / MINUTE_MS,
    }));
  };
}

const startPull = (url: string) => {
  const since = isoFromDay((LAST_DAY - DAYS) as never);
  const flags = ['--exchange', 'binance', '--quote', 'USDT', '--interval', '1m', '--since', since, '--store', url];
  return startProgram('ingest', 'ccxt', ...flags);
};

/** A database server takes a moment to find out that a client is gone, and frees its lock only then. */
async function onceFree(start: () => ReturnType<typeof startProgram>): Promise<Ended> {
  const giveUp = performance.now() + 30_000;
  for (;;) {
    const end = await ended(start());
    if (!/another load is writing/.test(end.stderr) || performance.now() > giveUp) return end;
  }
}

for (const [name, freshUrl] of Object.entries(STORES)) {
  describe(`a killed load of minutes into ${name}`, () => {
    const told = (what: string) => ({
      ...{ fault: `load of minutes from ${what} killed (SIGKILL), ${name}`, rounds: KILLS },
      checked: ['bars', 'snapshots'] as const,
    });

    it(`from an exchange, killed ${KILLS} times, is continued by the next one`, t =>
      trial(t, told('an exchange'), async () => {
        const asked = await exchange(t);
        const url = await freshUrl();
        let before = 0;
        for (let kill = 0; kill < KILLS; kill++) {
          const child = startPull(url);
          const end = ended(child);
          // A market of these minutes takes about 40 requests, and every 20 of them are stored together.
          const wanted = before + 5 + Math.floor(Math.random() * 50);
          while (asked().length < wanted && child.exitCode === null) await wait(2);
          child.kill('SIGKILL');
          await end;
          before = asked().length;
        }
        const killed = asked().length;
        const { code, stdout, stderr } = await onceFree(() => startPull(url));
        assert.equal(code, 0, stdout + stderr);
        await assertBars(url, ['BTC', 'ETH']);
        // Once more, nothing is new: each market is asked for its last stored minute on, and whether older ones are missing.
        const whole = asked().length;
        const repeated = await ended(startPull(url));
        assert.equal(repeated.code, 0, repeated.stderr);
        assert.match(repeated.stdout, /0 new, 0 replaced/);
        const requests = asked().slice(whole);
        assert.ok(requests.length <= 8, `${requests.length} requests`);
        return `${killed} requests before the last load, ${whole - killed} in it`;
      }));

    it(`from a file, killed ${KILLS} times and repeated, leaves what the file has`, t =>
      trial(t, told('a file'), async () => {
        const url = await freshUrl();
        const path = join(folder, 'minutes.csv');
        const rows = ['BTC', 'ETH'].flatMap(symbol =>
          MINUTES.map(([minute, close]) => `${symbol},${minute * MINUTE_MS},1,1000,0.5,${close},12.25`),
        );
        writeFileSync(path, `symbol,time,open,high,low,close,volume\n${rows.join('\n')}\n`);
        for (let kill = 0; kill < KILLS; kill++) {
          const child = startProgram('ingest', 'csv', path, '--store', url);
          const end = ended(child);
          await wait(300 + Math.random() * 1500);
          child.kill('SIGKILL');
          await end;
        }
        const last = await onceFree(() => startProgram('ingest', 'csv', path, '--store', url));
        assert.equal(last.code, 0, last.stderr);
        await assertBars(url, ['BTC', 'ETH']);
        return undefined;
      }));
  });
}
