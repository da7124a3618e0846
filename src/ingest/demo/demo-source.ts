// A source that needs no network and no files: a simulated universe of several hundred assets up to today. Equal days
// give equal bytes, and a later day only adds to an earlier one.

import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis, isoFromDay } from '../../domain/day.ts';
import { type Since, type Source, SourceError, type SourceItem } from '../source.ts';
import { EPOCH, simulateMarket } from './market.ts';
import { writeBars } from './prices.ts';
import { profilesOf } from './profiles.ts';
import { DEFAULT_ASSETS, HISTORY_DAYS, isDelisted, universe } from './universe.ts';

export interface DemoOptions {
  /** The last simulated day; the running UTC day by default. */
  readonly today?: Day;
  /** About how many assets there are in 2026, dead ones included; the ones chosen by hand are always among them. */
  readonly assets?: number;
}

/** Ticker of the largest asset. */
export const DEMO_BENCHMARK = 'ALDM';

const ASSETS_PER_BATCH = 16;

export function demoSource(options: DemoOptions = {}): Source {
  const { today = dayOfMillis(Date.now()), assets = DEFAULT_ASSETS } = options;
  if (today === null || today < EPOCH) {
    const message = `the demo universe begins on ${isoFromDay(EPOCH)}, and today is before that`;
    throw new SourceError(message, 'set the clock of this machine right');
  }
  return {
    name: 'demo',
    benchmark: DEMO_BENCHMARK,
    profiles: signal => profileItems(today, assets, signal),
    bars: (since, signal) => barItems(today, assets, since, signal),
  };
}

async function* profileItems(today: Day, size: number, signal: AbortSignal): AsyncGenerator<SourceItem> {
  const assets = universe(today, size);
  for (const [i, profile] of profilesOf(assets, simulateMarket(today), today).entries()) {
    signal.throwIfAborted();
    const extra = { simulated: true, circulating_supply: assets[i]!.supply };
    yield { kind: 'profile', where: `demo: ${profile.id}`, sourced: { profile, extra } };
  }
}

async function* barItems(today: Day, size: number, since: Since, signal: AbortSignal): AsyncGenerator<SourceItem> {
  const market = simulateMarket(today);
  const all = universe(today, size);
  const oldest = Math.max(EPOCH, today - HISTORY_DAYS + 1);
  const columns = barColumns(ASSETS_PER_BATCH * HISTORY_DAYS);
  const asset = new Uint32Array(columns.day.length);
  const line = Uint32Array.from(asset, (_, i) => i + 1);
  for (let done = 0; done < all.length; ) {
    signal.throwIfAborted();
    const assets = all.slice(done, done + ASSETS_PER_BATCH);
    let count = 0;
    for (const [i, each] of assets.entries()) {
      const stored = since(each) ?? oldest;
      // The running day is left as it is: its price may have moved since it was stored. The next day closes it.
      const from = stored === today ? today + 1 : Math.max(stored, oldest);
      const written = writeBars(each, market, from as Day, today, columns, count); // a day plus 1 is a day
      asset.fill(i, count, count + written);
      count += written;
    }
    yield { kind: 'bars', batch: { ...columns, count, assets, asset, origin: 'demo', line } };
    done += assets.length;
    yield { kind: 'progress', done, total: all.length, unit: 'assets' };
  }
  // After the prices: new prices are a sign of life, and these assets have ended.
  for (const each of all) if (isDelisted(each, today)) yield { kind: 'delisted', asset: each };
}
