// Makes the bars of a base interval of those of the next finer one: minutes make hours, and hours make days.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import type { BarPlaces } from '../port/store.ts';
import { type SortedBars, spansOf } from './batch.ts';
import { BLOCK_DAYS, type Blocks, blockOf, CLOSE, FIELDS } from './blocks.ts';

interface Coarser {
  readonly interval: BaseInterval;
  /** Periods of the finer interval in one of the coarser. */
  readonly ratio: number;
}

/** The base interval that is made of another one; null if none is. */
export const COARSER: Readonly<Record<BaseInterval, Coarser | null>> = {
  '1m': { interval: '1h', ratio: 60 },
  '1h': { interval: '1d', ratio: 24 },
  '1d': null,
};

/** The base interval that another one is made of; null if it is of none. */
export const FINER: Readonly<Record<BaseInterval, BaseInterval | null>> = { '1m': null, '1h': '1m', '1d': '1h' };

/** The last period up to this one at which no block and no coarser period is cut: earlier bars can be dropped. */
export function dropBoundary(interval: BaseInterval, period: number): number {
  const ratio = COARSER[interval]?.ratio ?? 1;
  let step = ratio;
  while (step % BLOCK_DAYS !== 0) step += ratio;
  return period - (period % step);
}

/** Collects the coarser bars of a batch, asset by asset in ascending order. */
export class Folding {
  readonly #ratio: number;
  readonly #made = new MadeBars();
  readonly #emptied: { assetNumber: AssetNumber; period: number }[] = [];
  #periods: number[] = [];
  #fresh: boolean[] = [];

  constructor(ratio: number) {
    this.#ratio = ratio;
  }

  /** Before the bars of these periods, in ascending order, are changed. */
  begin(blocks: Blocks, asset: AssetNumber, periods: Iterable<number>): void {
    this.#periods = [];
    for (const period of periods) {
      const coarser = Math.floor(period / this.#ratio);
      if (coarser !== this.#periods.at(-1)) this.#periods.push(coarser);
    }
    this.#fresh = this.#periods.map(period => !hasBars(blocks, asset, period * this.#ratio, this.#ratio));
  }

  /** After. */
  end(blocks: Blocks, asset: AssetNumber): void {
    for (const [i, period] of this.#periods.entries()) {
      const isMade = this.#made.add(blocks, asset, period, this.#ratio, this.#fresh[i]!);
      if (!isMade) this.#emptied.push({ assetNumber: asset, period });
    }
  }

  /** Makes the coarser bars of these coarser periods, if there are finer ones. */
  remake(blocks: Blocks, asset: AssetNumber, periods: readonly number[]): void {
    for (const period of periods) this.#made.add(blocks, asset, period, this.#ratio, false);
  }

  bars(): SortedBars {
    return this.#made.sorted();
  }

  /** The coarser periods of which no bar is left. */
  emptied(): BarPlaces {
    return {
      assetNumber: Uint32Array.from(this.#emptied, ({ assetNumber }) => assetNumber),
      day: Int32Array.from(this.#emptied, ({ period }) => period),
    };
  }
}

function hasBars(blocks: Blocks, asset: AssetNumber, from: number, count: number): boolean {
  for (let period = from; period < from + count; ) {
    const block = blockOf(period);
    const end = Math.min(from + count, (block + 1) * BLOCK_DAYS);
    const closes = blocks.find(asset, CLOSE, block);
    const cells = blocks.cellsOf(asset, block) - block * BLOCK_DAYS;
    if (closes !== null) for (; period < end; period++) if (!Number.isNaN(closes[cells + period])) return true;
    period = end;
  }
  return false;
}

class MadeBars {
  readonly #assetNumber: AssetNumber[] = [];
  readonly #day: number[] = [];
  readonly #fresh: number[] = [];
  readonly #numbers = {
    open: [] as number[],
    high: [] as number[],
    low: [] as number[],
    close: [] as number[],
    volume: [] as number[],
  };

  /** Makes the bar of a period of the `count` finer bars in it; false if there is none. */
  add(blocks: Blocks, asset: AssetNumber, period: number, count: number, isFresh: boolean): boolean {
    const [first, end] = [period * count, (period + 1) * count];
    let [open, close, volume] = [Number.NaN, Number.NaN, 0];
    let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let block = blockOf(first); block * BLOCK_DAYS < end; block++) {
      const closes = blocks.find(asset, CLOSE, block);
      if (closes === null) continue;
      const [opens, highs, lows, volumes] = OTHERS.map(field => blocks.find(asset, field, block));
      const cells = blocks.cellsOf(asset, block) - block * BLOCK_DAYS;
      const until = Math.min(end, (block + 1) * BLOCK_DAYS);
      for (let at = Math.max(first, block * BLOCK_DAYS); at < until; at++) {
        const cell = cells + at;
        if (Number.isNaN(closes[cell])) continue;
        if (Number.isNaN(close)) open = opens ? opens[cell]! : Number.NaN;
        close = closes[cell]!;
        // NaN, an unknown number, makes each of these NaN.
        high = Math.max(high, highs ? highs[cell]! : Number.NaN);
        low = Math.min(low, lows ? lows[cell]! : Number.NaN);
        volume += volumes ? volumes[cell]! : Number.NaN;
      }
    }
    if (Number.isNaN(close)) return false;
    this.#assetNumber.push(asset);
    this.#day.push(period);
    this.#fresh.push(Number(isFresh));
    const { open: opens, high: highs, low: lows, close: closes, volume: volumes } = this.#numbers;
    opens.push(open);
    highs.push(high);
    lows.push(low);
    closes.push(close);
    volumes.push(volume);
    return true;
  }

  sorted(): SortedBars {
    const { open, high, low, close, volume } = this.#numbers;
    const bars = {
      count: this.#day.length,
      assetNumber: Uint32Array.from(this.#assetNumber),
      day: Int32Array.from(this.#day),
      open: Float64Array.from(open),
      high: Float64Array.from(high),
      low: Float64Array.from(low),
      close: Float64Array.from(close),
      volume: Float64Array.from(volume),
    };
    return { ...bars, spans: spansOf(bars), fresh: Uint8Array.from(this.#fresh) };
  }
}

const OTHERS = (['open', 'high', 'low', 'volume'] as const).map(name => FIELDS.indexOf(name));
