// Gathers the rows of one file into batches of daily bars.
//
// Rows of the same asset and day become one bar. Where they are of the same instant, the later row counts. Where they are not,
// the file is finer than a day (hourly, say), and the bar is that of the day: its open is that of the earliest row, its close
// that of the latest, whichever way the file is sorted. For this the rows of an asset must stand in order of time, oldest or
// newest first; other assets may stand between them. A row that comes too late for its bar is refused.
//
// A row that the pipeline will refuse for its numbers takes no part in this: it passes as a bar of its own, so that it is
// reported with its line and costs no other row.
//
// The newest bar of each asset may still grow, hence it joins a batch only when its day is over: at a row of another day, or
// at the end of the file.

import { barColumns } from '../../domain/bar.ts';
import { MILLIS_PER_DAY } from '../../domain/day.ts';
import { isPrice } from '../../domain/price.ts';
import type { AssetRef, BarBatch } from '../source.ts';
import { FinishedDays } from './finished-days.ts';
import { NO_DAY, OpenBars } from './open-bars.ts';

export const BATCH_BARS = 50_000;

export class BarBatcher {
  readonly #bars = {
    ...barColumns(BATCH_BARS),
    asset: new Uint32Array(BATCH_BARS),
    line: new Uint32Array(BATCH_BARS),
  };
  #count = 0;
  #assets: AssetRef[] = [];
  /** By asset: its number in the batch being taken. */
  #inBatch = new Int32Array(64);
  readonly #open = new OpenBars();
  #finished = new FinishedDays();

  /** A file's bars depend on that file alone: forgets the assets of the one before. */
  startFile(): void {
    this.#assets = [];
    this.#finished = new FinishedDays();
  }

  /** Makes room for an asset and numbers it, from 0 in each file. */
  addAsset(asset: AssetRef): number {
    const number = this.#assets.push(asset) - 1;
    this.#open.addAsset(number);
    if (number >= this.#inBatch.length) this.#inBatch = new Int32Array(number * 2);
    return number;
  }

  get full(): boolean {
    return this.#count === BATCH_BARS;
  }

  /**
   * False when the row is out of order: the bar of its day is finished, or may hold it already. Room must be there: `take`
   * makes it when `full`.
   */
  add(
    asset: number,
    instant: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
    line: number,
  ): boolean {
    const day = Math.floor(instant / MILLIS_PER_DAY);
    if (!isSound(open, high, low, close, volume)) {
      this.#put(asset, day, open, high, low, close, volume, line);
      return true;
    }
    const openDay = this.#open.dayOf(asset);
    if (openDay === day) return this.#open.merge(asset, instant, open, high, low, close, volume, line);
    if (this.#finished.excludes(asset, day, instant - day * MILLIS_PER_DAY)) return false;
    if (openDay !== NO_DAY) {
      this.#finished.add(asset, openDay, this.#open.timeOf(asset));
      this.#putOpen(asset);
    }
    this.#open.start(asset, day, instant, open, high, low, close, volume, line);
    return true;
  }

  /** The bars gathered so far. */
  take(origin: string): BarBatch {
    const { asset } = this.#bars;
    const assets: AssetRef[] = [];
    this.#inBatch.fill(-1);
    for (let bar = 0; bar < this.#count; bar++) {
      const number = asset[bar]!;
      if (this.#inBatch[number] === -1) this.#inBatch[number] = assets.push(this.#assets[number]!) - 1;
      asset[bar] = this.#inBatch[number]!;
    }
    const batch = { ...this.#bars, count: this.#count, assets, origin };
    this.#count = 0;
    return batch;
  }

  /** At the end of the file: everything that is left. */
  *takeAll(origin: string): Generator<BarBatch, void, undefined> {
    for (let asset = 0; asset < this.#assets.length; asset++) {
      if (this.#open.dayOf(asset) === NO_DAY) continue;
      if (this.full) yield this.take(origin);
      this.#putOpen(asset);
    }
    if (this.#count > 0) yield this.take(origin);
  }

  #putOpen(asset: number): void {
    this.#open.copy(asset, this.#bars, this.#count);
    this.#bars.asset[this.#count++] = asset;
  }

  #put(
    asset: number,
    day: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
    line: number,
  ): void {
    const bars = this.#bars;
    const bar = this.#count++;
    bars.asset[bar] = asset;
    bars.day[bar] = day;
    bars.open[bar] = open;
    bars.high[bar] = high;
    bars.low[bar] = low;
    bars.close[bar] = close;
    bars.volume[bar] = volume;
    bars.line[bar] = line;
  }
}

function isSound(open: number, high: number, low: number, close: number, volume: number): boolean {
  return isPrice(close) && !(volume < 0) && isPriceOrUnknown(open) && isPriceOrUnknown(high) && isPriceOrUnknown(low);
}

function isPriceOrUnknown(value: number): boolean {
  return Number.isNaN(value) || isPrice(value);
}
