// A source that needs no network and no files: a simulated universe of several hundred assets up to today. Equal days
// give equal bytes, and a later day only adds to an earlier one.

import { type BarColumns, barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis, isoFromDay } from '../../domain/day.ts';
import { type AssetRef, type BarBatch, type Since, type Source, SourceError, type SourceItem } from '../source.ts';
import { EPOCH, simulateMarket } from './market.ts';
import { writeBars } from './prices.ts';
import { profilesOf } from './profiles.ts';
import { DEFAULT_ASSETS, type DemoAsset, HISTORY_DAYS, isDelisted, universe } from './universe.ts';

export interface DemoOptions {
  /** The last simulated day; the running UTC day unless told otherwise. */
  readonly today?: Day;
  /** About how many assets there are in 2026, dead ones included; the ones chosen by hand are always among them. */
  readonly assets?: number;
}

/** Bars of a batch: a dozen whole series. */
const BATCH_BARS = 16 * HISTORY_DAYS;

export function demoSource(options: DemoOptions = {}): Source {
  const today = checkedToday(options.today ?? dayOfMillis(Date.now()));
  const assets = checkedSize(options.assets ?? DEFAULT_ASSETS);
  return {
    name: 'demo',
    profiles: signal => profileItems(today, assets, signal),
    bars: (since, signal) => barItems(today, assets, since, signal),
  };
}

function checkedToday(today: Day | null): Day {
  if (today !== null && today >= EPOCH) return today;
  throw new SourceError(
    `the demo universe begins on ${isoFromDay(EPOCH)}, and today is before that`,
    'set the clock of this machine right',
  );
}

function checkedSize(assets: number): number {
  if (Number.isInteger(assets) && assets >= 1) return assets;
  throw new SourceError(`a demo universe cannot have ${assets} assets`, 'give a whole number from 1 on');
}

async function* profileItems(today: Day, size: number, signal: AbortSignal): AsyncGenerator<SourceItem> {
  const profiles = profilesOf(universe(today, size), simulateMarket(today), today);
  for (const profile of profiles) {
    signal.throwIfAborted();
    yield { kind: 'profile', where: `demo: ${profile.id}`, sourced: { profile, extra: { simulated: true } } };
  }
}

async function* barItems(today: Day, size: number, since: Since, signal: AbortSignal): AsyncGenerator<SourceItem> {
  const market = simulateMarket(today);
  const assets = universe(today, size);
  const batch = new BatchBuffer();
  for (const [done, asset] of assets.entries()) {
    signal.throwIfAborted();
    const from = firstDay(since(refTo(asset)), today);
    batch.add(refTo(asset), (columns, at) => writeBars(asset, market, from, today, columns, at));
    if (batch.isFull()) {
      yield { kind: 'bars', batch: batch.take() };
      yield { kind: 'progress', done: done + 1, total: assets.length, unit: 'assets' };
    }
  }
  if (batch.count > 0) yield { kind: 'bars', batch: batch.take() };
  yield { kind: 'progress', done: assets.length, total: assets.length, unit: 'assets' };
  // After the prices: whoever takes new prices as a sign of life learns last that there is none.
  for (const asset of assets) {
    if (isDelisted(asset, today)) yield { kind: 'delisted', asset: refTo(asset) };
  }
}

function firstDay(stored: Day | null, today: Day): Day {
  // Not before the epoch, hence a day.
  const oldest = Math.max(EPOCH, today - HISTORY_DAYS + 1) as Day;
  return stored !== null && stored > oldest ? stored : oldest;
}

function refTo(asset: DemoAsset): AssetRef {
  return { id: asset.id, symbol: asset.symbol };
}

/** Gathers the bars of several assets in buffers that are used again for the next batch. */
class BatchBuffer {
  readonly #columns = barColumns(BATCH_BARS);
  readonly #asset = new Uint32Array(BATCH_BARS);
  readonly #line = new Uint32Array(BATCH_BARS);
  #assets: AssetRef[] = [];
  #taken = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `write` puts the bars of the asset into the columns, beginning at an index, and tells how many they are. */
  add(asset: AssetRef, write: (columns: BarColumns, at: number) => number): void {
    const start = this.#count;
    this.#count += write(this.#columns, start);
    this.#asset.fill(this.#assets.length, start, this.#count);
    for (let i = start; i < this.#count; i++) this.#line[i] = this.#taken + i + 1;
    if (this.#count > start) this.#assets.push(asset);
  }

  /** Whether another whole series might not fit. */
  isFull(): boolean {
    return this.#count > BATCH_BARS - HISTORY_DAYS;
  }

  take(): BarBatch {
    const batch = {
      ...this.#columns,
      count: this.#count,
      assets: this.#assets,
      asset: this.#asset,
      origin: 'demo',
      line: this.#line,
    };
    this.#taken += this.#count;
    this.#count = 0;
    this.#assets = [];
    return batch;
  }
}
