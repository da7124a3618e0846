// A source that needs no network and no files: a simulated universe of several hundred assets up to today. Equal days
// give equal bytes, and a later day only adds to an earlier one.

import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis, isoFromDay } from '../../domain/day.ts';
import { type AssetRef, type Since, type Source, SourceError, type SourceItem } from '../source.ts';
import { EPOCH, simulateMarket } from './market.ts';
import { writeBars } from './prices.ts';
import { profilesOf } from './profiles.ts';
import { DEFAULT_ASSETS, type DemoAsset, HISTORY_DAYS, isDelisted, universe } from './universe.ts';

export interface DemoOptions {
  /** The last simulated day; the running UTC day by default. */
  readonly today?: Day;
  /** About how many assets there are in 2026, dead ones included; the ones chosen by hand are always among them. */
  readonly assets?: number;
}

/** Ticker of the largest asset. */
export const DEMO_BENCHMARK = 'ALDM';

const BATCH_BARS = 16 * HISTORY_DAYS;

export function demoSource(options: DemoOptions = {}): Source {
  const { today = dayOfMillis(Date.now()), assets = DEFAULT_ASSETS } = options;
  if (today === null || today < EPOCH) {
    const message = `the demo universe begins on ${isoFromDay(EPOCH)}, and today is before that`;
    throw new SourceError(message, 'set the clock of this machine right');
  }
  if (!Number.isInteger(assets) || assets < 1) {
    throw new SourceError(`a demo universe cannot have ${assets} assets`, 'give a whole number, 1 or more');
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
  const assets = universe(today, size);
  const oldest = Math.max(EPOCH, today - HISTORY_DAYS + 1) as Day; // not before the epoch
  const columns = barColumns(BATCH_BARS);
  const asset = new Uint32Array(BATCH_BARS);
  const line = Uint32Array.from(asset, (_, i) => i + 1);
  let refs: AssetRef[] = [];
  let count = 0;
  for (const [done, each] of assets.entries()) {
    signal.throwIfAborted();
    const ref = refTo(each);
    const stored = since(ref) ?? oldest;
    // The running day is left as it is: its price may have moved since it was stored. The next day closes it.
    const from = stored === today ? ((today + 1) as Day) : stored; // one day after the last is simply not written
    const written = writeBars(each, market, from > oldest ? from : oldest, today, columns, count);
    asset.fill(refs.length, count, count + written);
    if (written > 0) refs.push(ref);
    count += written;
    // Another whole series must fit.
    if (count <= BATCH_BARS - HISTORY_DAYS && done + 1 < assets.length) continue;
    yield { kind: 'bars', batch: { ...columns, count, assets: refs, asset, origin: 'demo', line } };
    yield { kind: 'progress', done: done + 1, total: assets.length, unit: 'assets' };
    [refs, count] = [[], 0];
  }
  // After the prices: new prices are a sign of life, and these assets have ended.
  for (const each of assets) if (isDelisted(each, today)) yield { kind: 'delisted', asset: refTo(each) };
}

function refTo({ id, symbol }: DemoAsset): AssetRef {
  return { id, symbol };
}
