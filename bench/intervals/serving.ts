// Intervals as clients get them: a new minute in every listing of every thread, a day of minutes, listings, and the first request for an
// interval whose listing is not kept.

import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import { ask } from '../../test/support/service.ts';
import { duration } from '../report.ts';
import { fillIntervals, NEXT_MINUTE } from './market.ts';
import { KEPT, median, newMinutes, serveIntervals } from './new-minutes.ts';

const NOT_KEPT = ['5m', '15m', '30m', '4h', '12h', '1w'] as const;
const DAYS_OF_MINUTES = 100;
const QUERIES = 500;

export async function measureServing(folder: string, assets: number, log: (text: string) => void): Promise<string> {
  const url = `sqlite:${join(folder, 'served.db')}`;
  const store = await openStore(url);
  const assetNumbers = await fillIntervals(store, assets);
  await store.close();
  log(`${assets} assets with days, hours and minutes`);
  const server = await serveIntervals(url);
  try {
    const time = async (path: string) => {
      const began = performance.now();
      const { status, text } = await ask(server.url, `/v1/crypto/${path}`);
      if (status !== 200) throw new Error(`${path} is answered with ${status}: ${text}`);
      return performance.now() - began;
    };
    for (const interval of KEPT) await time(`ta-cur?limit=1&interval=${interval}`);
    const minutes = await newMinutes(server, url, assetNumbers[0]!, NEXT_MINUTE);
    log(`a new minute: ${minutes.map(duration).join(', ')}`);

    const bars = (i: number) => `bars?id=s${i % assets}-asset-${i % assets}&interval=1m&limit=1440`;
    const [first, again]: [number[], number[]] = [[], []];
    for (let i = 0; i < Math.min(DAYS_OF_MINUTES, assets); i++) {
      first.push(await time(bars(i)));
      again.push(await time(bars(i)));
    }
    // In turn, after as many that are not counted: both then find the server and this client equally warm.
    const listings = new Map<string, number[]>(KEPT.map(interval => [interval, []]));
    for (let i = 0; i < 2 * QUERIES; i++) {
      for (const [interval, times] of listings) {
        // A filter that no request had before, so that no finished page is sent.
        const taken = await time(`ta-cur?limit=5&price=${(i + 1) / 1000}:&interval=${interval}`);
        if (i >= QUERIES) times.push(taken);
      }
    }
    const notKept: (readonly [string, number])[] = [];
    for (const interval of NOT_KEPT) notKept.push([interval, await time(`ta-cur?limit=5&interval=${interval}`)]);
    log('listings measured');
    const listing = (interval: string) => median(listings.get(interval) ?? []);
    const ratio = (interval: string) =>
      `${duration(listing(interval))} (${(listing(interval) / listing('1d')).toFixed(2)} ×)`;
    return [
      `${assets.toLocaleString('en')} assets in SQLite, each with 400 days, 400 hours and a day of minutes; a server with one thread per core and the listings of ${KEPT.map(interval => `\`${interval}\``).join(', ')}; one client that sends one request after the other. Medians.`,
      '',
      '| what | time | target |\n|---|--:|--:|',
      `| one new minute of every asset, from its load until every thread answers with it at ${KEPT.join(', ')} | ${duration(median(minutes))} | < 1 s |`,
      `| a day of minutes of one asset (1,440 bars of JSON), first request | ${duration(median(first))} | |`,
      `| the same again | ${duration(median(again))} | |`,
      `| 5 rows of the listing at 1d, with a new filter | ${duration(listing('1d'))} | |`,
      `| the same at 1h | ${ratio('1h')} | as fast |`,
      `| the same at 1m | ${ratio('1m')} | |`,
      ...notKept.map(
        ([interval, millis]) =>
          `| first request for the listing at ${interval}, which is not kept | ${duration(millis)} | |`,
      ),
    ].join('\n');
  } finally {
    await server.stop();
  }
}
