// Past days and other quotes as clients get them: the first request for a day or a quote, later ones, a thousand at once, and what others
// notice meanwhile.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Day, isoFromDay } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/open.ts';
import { ServerProcess } from '../../test/support/server-process.ts';
import { ask } from '../../test/support/service.ts';
import { fillStore, NEXT_DAY } from '../refresh/market.ts';
import { type Bench, duration } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';

const ASSETS = 50_000;
const COLD = 7;
const OPTIONAL = 3;
const WARM = 1000;
const AT_ONCE = 1000;

export const historyBench: Bench = {
  name: 'history',
  page: 'main',
  title: 'Past days (`as_of`)',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-history-'));
    const url = `sqlite:${join(folder, 'store.db')}`;
    try {
      const store = await openStore(url);
      await fillStore(store, ASSETS);
      await store.close();
      log('the store is filled');
      const server = await ServerProcess.start('--open', '--store', url);
      try {
        return report(await measure(server, log));
      } finally {
        await server.stop();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

interface Measured {
  readonly cold: number;
  readonly optional: number;
  readonly warm: number;
  readonly quoteCold: number;
  readonly quoteWarm: number;
  readonly current: number;
  readonly atOnce: number;
  readonly quiet: number;
  readonly busy: number;
}

async function measure(server: ServerProcess, log: (text: string) => void): Promise<Measured> {
  const time = async (query: string) => {
    const began = performance.now();
    const { status, text } = await ask(server.url, `/v1/crypto/ta-cur?limit=5&${query}`);
    if (status !== 200) throw new Error(`${query} is answered with ${status}: ${text}`);
    return performance.now() - began;
  };
  /** Sorts that no request had before, so that no finished page is sent. */
  const several = async (count: number, query: (i: number) => string) => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) times.push(await time(query(i)));
    return times;
  };
  const past = (age: number) => `as_of=${isoFromDay((NEXT_DAY - 1 - age) as Day)}`; // within the days of the store
  const filter = (i: number) => `price=${i + 1}:`;
  let age = 1;
  const cold: number[] = [];
  while (cold.length < COLD) cold.push(await undisturbed(() => time(past(++age))));
  log(`cold: ${cold.map(duration).join(', ')}`);
  // In turn, after as many that are not counted: both then find the server and this client equally warm.
  const [warm, quiet]: [number[], number[]] = [[], []];
  for (let i = 0; i < 2 * WARM; i++) {
    const pair = [await time(`${past(1)}&${filter(i)}`), await time(filter(i))] as const;
    if (i < WARM) continue;
    warm.push(pair[0]);
    quiet.push(pair[1]);
  }
  const quoteCold: number[] = [];
  while (quoteCold.length < COLD) quoteCold.push(await undisturbed(() => time(`quote=S${quoteCold.length}`)));
  log(`quotes: ${quoteCold.map(duration).join(', ')}`);
  const quoteWarm = await several(2 * WARM, i => `quote=S0&${filter(i)}`);
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => time(past(100))));
  const atOnce = performance.now() - began;
  log(`${AT_ONCE} at once: ${duration(atOnce)}`);
  let building = true;
  const builds = several(5, i => past(200 + i)).then(() => {
    building = false;
  });
  const busy: number[] = [];
  for (let i = 0; building; i++) busy.push(await time(filter(2 * WARM + i)));
  await builds;
  // Last, because the first of them makes the server compute these columns of the current listing too.
  const optional = await several(OPTIONAL, i => `${past(i + 1)}&sort=rsi14`);
  log(`with optional columns: ${optional.map(duration).join(', ')}`);
  return {
    cold: quantile(cold, 0.5),
    optional: quantile(optional, 0.5),
    warm: quantile(warm, 0.5),
    quoteCold: quantile(quoteCold, 0.5),
    quoteWarm: quantile(quoteWarm.slice(WARM), 0.5),
    current: quantile(quiet, 0.5),
    atOnce,
    quiet: quantile(quiet, 0.99),
    busy: quantile(busy, 0.99),
  };
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
}

function report({ cold, optional, warm, quoteCold, quoteWarm, current, atOnce, quiet, busy }: Measured): string {
  const assets = ASSETS.toLocaleString('en');
  const times = (value: number, of: number) => `${duration(value)} (${(value / of).toFixed(1)} ×)`;
  return `${assets} assets with a year of closes each in SQLite; a server with one thread per core, and one client that sends one request after the other for 5 rows with a filter that is new each time. Past days are computed by a thread of their own, one at a time, each once.

| request | time | target |
|---|--:|--:|
| first request for a day, median | ${duration(cold)} | < 2.5 s |
| first request for a day, sorted by an optional column, median | ${duration(optional)} | |
| current listing, median | ${duration(current)} | |
| later request for a day, median | ${times(warm, current)} | as fast |
| first request for a quote, median | ${times(quoteCold, cold)} of a first day | < 2 × |
| later request for a quote, median | ${times(quoteWarm, current)} | as fast |
| ${AT_ONCE.toLocaleString('en')} requests at once for a day that is not in memory, until the last response | ${duration(atOnce)} | |
| current listing, p99 | ${duration(quiet)} | |
| current listing, p99, while past days are computed one after the other | ${times(busy, quiet)} | < 2 × |`;
}
