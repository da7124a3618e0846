// Makes the bars of a base interval of those of the next finer one: minutes make hours, and hours make days.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import { BAR_NUMBERS } from '../../domain/source-bars.ts';
import type { BarPlaces, StoredBars } from '../port/store.ts';
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
  readonly #places: { assetNumber: AssetNumber; period: number; fresh: number }[] = [];
  readonly #numbers: number[] = [];
  readonly #emptied: { assetNumber: AssetNumber; period: number }[] = [];
  #fresh: number[] = [];
  #periods: number[] = [];

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
    this.#fresh = this.#periods.map(period => Number(this.#barsIn(blocks, asset, period).next().done === true));
  }

  /** After. */
  end(blocks: Blocks, asset: AssetNumber): void {
    for (const [i, period] of this.#periods.entries()) {
      const cells = [...this.#barsIn(blocks, asset, period)];
      if (cells.length === 0) {
        this.#emptied.push({ assetNumber: asset, period });
        continue;
      }
      this.#places.push({ assetNumber: asset, period, fresh: this.#fresh[i]! });
      for (const [field, name] of FIELDS.entries()) this.#numbers.push(summary(name, blocks, asset, field, cells));
    }
  }

  bars(): SortedBars {
    const column = (name: (typeof FIELDS)[number]) =>
      Float64Array.from(this.#places, (_, i) => this.#numbers[i * FIELDS.length + FIELDS.indexOf(name)]!);
    const numbers = Object.fromEntries(BAR_NUMBERS.map(name => [name, column(name)])) as Pick<
      StoredBars,
      (typeof BAR_NUMBERS)[number]
    >; // made of these names
    const bars = {
      count: this.#places.length,
      assetNumber: Uint32Array.from(this.#places, ({ assetNumber }) => assetNumber),
      day: Int32Array.from(this.#places, ({ period }) => period),
      ...numbers,
    };
    return { ...bars, spans: spansOf(bars), fresh: Uint8Array.from(this.#places, ({ fresh }) => fresh) };
  }

  /** The coarser periods of which no bar is left. */
  emptied(): BarPlaces {
    return {
      assetNumber: Uint32Array.from(this.#emptied, ({ assetNumber }) => assetNumber),
      day: Int32Array.from(this.#emptied, ({ period }) => period),
    };
  }

  /** The finer periods of a coarser one that have a bar. */
  *#barsIn(blocks: Blocks, asset: AssetNumber, coarser: number): Generator<number, void, undefined> {
    const end = (coarser + 1) * this.#ratio;
    for (let period = coarser * this.#ratio; period < end; period++) {
      if (!Number.isNaN(numberAt(blocks, asset, CLOSE, period))) yield period;
    }
  }
}

function numberAt(blocks: Blocks, asset: AssetNumber, field: number, period: number): number {
  const block = blockOf(period);
  const numbers = blocks.find(asset, field, block);
  return numbers === null ? Number.NaN : numbers[blocks.cellsOf(asset, block) + period - block * BLOCK_DAYS]!;
}

/** A number that one of the bars lacks is unknown in the coarser one, too. */
function summary(
  name: (typeof FIELDS)[number],
  blocks: Blocks,
  asset: AssetNumber,
  field: number,
  periods: readonly number[],
): number {
  const at = (period: number) => numberAt(blocks, asset, field, period);
  switch (name) {
    case 'open':
      return at(periods[0]!);
    case 'close':
      return at(periods.at(-1)!);
    case 'high':
      return periods.reduce((highest, period) => Math.max(highest, at(period)), Number.NEGATIVE_INFINITY);
    case 'low':
      return periods.reduce((lowest, period) => Math.min(lowest, at(period)), Number.POSITIVE_INFINITY);
    case 'volume':
      return periods.reduce((sum, period) => sum + at(period), 0);
  }
}
