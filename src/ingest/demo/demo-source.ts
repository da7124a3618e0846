// A source that needs no network and no files: a simulated universe of several hundred assets up to today. Equal days
// give equal bytes, and a later day only adds to an earlier one.

import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis, isoFromDay } from '../../domain/day.ts';
import { type Source, SourceError } from '../source.ts';
import { simulateMarket, writeBars } from './prices.ts';
import { profilesOf } from './profiles.ts';
import { DEFAULT_ASSETS, EPOCH, HISTORY_DAYS, hasEnded, universe } from './universe.ts';

/** Ticker of the largest asset. */
export const DEMO_BENCHMARK = 'ALDM';
const ASSETS_PER_BATCH = 16;

/** `today` is the last simulated day, `assets` about how many are active; the ones chosen by hand are always among them. */
export function demoSource(options: { readonly today?: Day; readonly assets?: number } = {}): Source {
  const { today = dayOfMillis(Date.now()), assets: size = DEFAULT_ASSETS } = options;
  if (today === null || today < EPOCH) {
    const message = `the demo universe begins on ${isoFromDay(EPOCH)}, and today is before that`;
    throw new SourceError(message, 'set the clock of this machine right');
  }
  const assets = universe(today, size);
  const market = simulateMarket(today);
  return {
    name: 'demo',
    benchmark: DEMO_BENCHMARK,
    async *profiles(signal) {
      for (const sourced of profilesOf(assets, market, today)) {
        signal.throwIfAborted();
        yield { kind: 'profile', where: `demo: ${sourced.profile.id}`, sourced };
      }
    },
    async *bars(since, signal) {
      const oldest = Math.max(EPOCH, today - HISTORY_DAYS + 1);
      const columns = barColumns(ASSETS_PER_BATCH * HISTORY_DAYS);
      const asset = new Uint32Array(columns.day.length);
      const line = Uint32Array.from(asset, (_, i) => i + 1);
      for (let done = 0; done < assets.length; done += ASSETS_PER_BATCH) {
        signal.throwIfAborted();
        const some = assets.slice(done, done + ASSETS_PER_BATCH);
        let count = 0;
        for (const [i, each] of some.entries()) {
          const stored = (await since(each, '1d'))?.last ?? oldest;
          // The running day is left as it is: its price may have moved since it was stored. The next day closes it.
          const from = stored === today ? today + 1 : Math.max(stored, oldest);
          const end = writeBars(each, market, from as Day, today, columns, count); // a day plus 1 is a day
          asset.fill(i, count, end);
          count = end;
        }
        yield { kind: 'bars', batch: { interval: '1d', ...columns, count, assets: some, asset, origin: 'demo', line } };
        yield { kind: 'progress', done: done + some.length, total: assets.length, unit: 'assets' };
      }
      // After the prices: new prices are a sign of life, and these assets have ended.
      for (const each of assets) if (each.delisted && hasEnded(each, today)) yield { kind: 'delisted', asset: each };
    },
  };
}
