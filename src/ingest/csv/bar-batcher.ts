// Gathers the rows of one file into batches of daily bars.
//
// Rows of the same asset and day become one bar. Where they are of the same instant, the later row counts. Where they are not,
// the file is finer than a day (hourly, say), and the bar is that of the day: its open is that of the earliest row, its close
// that of the latest, whichever way the file is sorted. For this the rows of an asset must stand in order of time, oldest or
// newest first; other assets may stand between them.
//
// A row that the pipeline will refuse for its numbers takes no part in this: it passes as a bar of its own, so that it is
// reported with its line and costs no other row.
//
// The newest bar of each asset may still grow, hence it waits for the next batch: a batch never holds half a day.

import { type BarColumns, barColumns } from '../../domain/bar.ts';
import { isPrice } from '../../domain/price.ts';
import type { AssetRef, BarBatch } from '../source.ts';
import { MILLIS_PER_DAY } from './times.ts';

export const BATCH_BARS = 50_000;

interface Buffers extends BarColumns {
  readonly asset: Uint32Array;
  readonly line: Uint32Array;
  /** Earliest and latest instant of the rows in the bar, in milliseconds. */
  readonly first: Float64Array;
  readonly last: Float64Array;
}

function buffers(capacity: number): Buffers {
  return {
    ...barColumns(capacity),
    asset: new Uint32Array(capacity),
    line: new Uint32Array(capacity),
    first: new Float64Array(capacity),
    last: new Float64Array(capacity),
  };
}

const NO_BAR = -1;

export class BarBatcher {
  #capacity = BATCH_BARS;
  #bars = buffers(BATCH_BARS);
  #count = 0;
  /** The other set, to which the waiting bars move while the consumer reads a batch. */
  #spare = buffers(BATCH_BARS);
  #assets: AssetRef[] = [];
  /** For each asset the place of its newest bar, and its number in the batch being made. */
  #newest = new Int32Array(64);
  #inBatch = new Int32Array(64);

  /** A file's bars depend on that file alone: forgets the assets of the one before. */
  startFile(): void {
    this.#assets = [];
  }

  /** Makes room for an asset and numbers it, from 0 in each file. */
  addAsset(asset: AssetRef): number {
    const number = this.#assets.push(asset) - 1;
    if (number >= this.#newest.length) {
      this.#newest = grown(this.#newest);
      this.#inBatch = grown(this.#inBatch);
    }
    this.#newest[number] = NO_BAR;
    return number;
  }

  get full(): boolean {
    return this.#count === this.#capacity;
  }

  get empty(): boolean {
    return this.#count === 0;
  }

  /** Room must be there: `take` makes it when `full`. */
  add(
    asset: number,
    instant: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
    line: number,
  ): void {
    const bars = this.#bars;
    const day = Math.floor(instant / MILLIS_PER_DAY);
    let bar = this.#newest[asset]!;
    if (!isSound(open, high, low, close, volume)) {
      bar = this.#count++;
    } else if (bar !== NO_BAR && bars.day[bar] === day) {
      if (instant !== bars.first[bar] || instant !== bars.last[bar]) {
        merge(bars, bar, instant, open, high, low, close, volume, line);
        return;
      }
    } else {
      bar = this.#count++;
      this.#newest[asset] = bar;
    }
    bars.day[bar] = day;
    bars.open[bar] = open;
    bars.high[bar] = high;
    bars.low[bar] = low;
    bars.close[bar] = close;
    bars.volume[bar] = volume;
    bars.asset[bar] = asset;
    bars.line[bar] = line;
    bars.first[bar] = instant;
    bars.last[bar] = instant;
  }

  /** The bars that cannot change any more, or all of them at the end of the file; null when there are none. */
  take(origin: string, endOfFile: boolean): BarBatch | null {
    const bars = this.#bars;
    const waiting = endOfFile ? 0 : this.#setNewestAside();
    const batch = this.#batch(bars, this.#count - waiting, origin);
    if (!endOfFile) [this.#bars, this.#spare] = [this.#spare, bars];
    this.#count = waiting;
    // Most bars wait: there are about as many assets as a batch holds, and the next one would be too small to be worth it.
    if (waiting * 2 > this.#capacity) this.#grow();
    return batch;
  }

  /** Moves each asset's newest bar to the spare buffers, closes the gaps that they leave, and returns how many moved. */
  #setNewestAside(): number {
    const bars = this.#bars;
    let waiting = 0;
    for (let bar = 0; bar < this.#count; bar++) {
      const asset = bars.asset[bar]!;
      if (this.#newest[asset] === bar) {
        copyBar(bars, bar, this.#spare, waiting);
        this.#newest[asset] = waiting++;
      } else if (waiting > 0) {
        copyBar(bars, bar, bars, bar - waiting);
      }
    }
    return waiting;
  }

  #grow(): void {
    this.#capacity *= 2;
    const larger = buffers(this.#capacity);
    for (let bar = 0; bar < this.#count; bar++) copyBar(this.#bars, bar, larger, bar);
    this.#bars = larger;
    this.#spare = buffers(this.#capacity);
  }

  #batch(bars: Buffers, count: number, origin: string): BarBatch | null {
    if (count === 0) return null;
    const assets: AssetRef[] = [];
    this.#inBatch.fill(-1);
    for (let bar = 0; bar < count; bar++) {
      const asset = bars.asset[bar]!;
      if (this.#inBatch[asset] === -1) this.#inBatch[asset] = assets.push(this.#assets[asset]!) - 1;
      bars.asset[bar] = this.#inBatch[asset]!;
    }
    const { day, open, high, low, close, volume, asset, line } = bars;
    return { day, open, high, low, close, volume, asset, line, count, assets, origin };
  }
}

function isSound(open: number, high: number, low: number, close: number, volume: number): boolean {
  return isPrice(close) && !(volume < 0) && isPriceOrUnknown(open) && isPriceOrUnknown(high) && isPriceOrUnknown(low);
}

function isPriceOrUnknown(value: number): boolean {
  return Number.isNaN(value) || isPrice(value);
}

/** A number that one of the rows lacks is unknown for the day. A row of an instant at either end of the bar is in it already. */
function merge(
  bars: Buffers,
  bar: number,
  instant: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
  line: number,
): void {
  if (instant === bars.first[bar] || instant === bars.last[bar]) return;
  if (instant < bars.first[bar]!) {
    bars.first[bar] = instant;
    bars.open[bar] = open;
  } else if (instant > bars.last[bar]!) {
    bars.last[bar] = instant;
    bars.close[bar] = close;
    bars.line[bar] = line;
  }
  bars.high[bar] = Math.max(bars.high[bar]!, high);
  bars.low[bar] = Math.min(bars.low[bar]!, low);
  bars.volume[bar] = bars.volume[bar]! + volume;
}

function copyBar(source: Buffers, from: number, target: Buffers, to: number): void {
  target.day[to] = source.day[from]!;
  target.open[to] = source.open[from]!;
  target.high[to] = source.high[from]!;
  target.low[to] = source.low[from]!;
  target.close[to] = source.close[from]!;
  target.volume[to] = source.volume[from]!;
  target.asset[to] = source.asset[from]!;
  target.line[to] = source.line[from]!;
  target.first[to] = source.first[from]!;
  target.last[to] = source.last[from]!;
}

function grown(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
