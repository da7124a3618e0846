// Gathers the rows of one file into batches of daily bars.
//
// Rows of the same asset and day become one bar. If they are of the same instant, the later row counts. If they are not, the file
// is finer than a day (hourly, say), and the bar is that of the day: its open is that of the earliest row, its close that of the
// latest, whichever way the file is sorted. For this the rows of an asset must be in order of time, oldest or newest first; rows
// of other assets may come between them. A row that comes too late for its bar is refused.
//
// A row that the pipeline will refuse for its numbers takes no part in this: it passes as a bar of its own, so that it is
// reported with its line and costs no other row.
//
// A day of a file that is finer than a day must have all its rows, unless it is the running day: its close would be that of another
// hour. One that lacks some is left out and reported.
//
// The newest bar of each asset may still grow. It joins a batch only when its day is over: at a row of another day, or at the end
// of the file.

import { barColumns } from '../../domain/bar.ts';
import { MILLIS_PER_DAY } from '../../domain/day.ts';
import type { AssetRef, BarBatch } from '../source.ts';
import { type BarRow, dayOf, isSound } from './bar-row.ts';
import { FinishedDays } from './finished-days.ts';
import { NO_DAY, OpenBars, writeRow } from './open-bars.ts';

export const BATCH_BARS = 50_000;

const DAYS_PER_WEEK = 7;
/** Bars that must follow each other before their distance means anything. */
const FEW_STEPS = 3;
/** Repeated rows whose earlier close is searched for, so that a file of nothing else is not searched again and again. */
const SEARCHED = 1000;

/** What became of a row: `late` is out of order. */
export type Fate = 'added' | 'repeated' | 'late';

export interface IncompleteDay {
  readonly symbol: string;
  readonly day: number;
  readonly rows: number;
  readonly line: number;
}

/** The row that a repeated one takes the place of, as far as it is known. */
export interface EarlierRow {
  readonly line: number;
  readonly close: number;
}

export interface FileDays {
  /** Rows of a whole day; 1 if that is not known. */
  readonly rowsPerDay: number;
  /** The day that may be incomplete, because it has not ended. */
  readonly today: number;
}

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
  /** From one bar of an asset to its next, and how many of these steps are exactly a week. */
  #steps = 0;
  #weeks = 0;
  #days: FileDays = { rowsPerDay: 1, today: 0 };
  #searches = 0;
  #incomplete: IncompleteDay[] = [];
  /** Of the row that was repeated last. */
  earlier: EarlierRow | null = null;

  /** A file's bars depend on that file alone: forgets the assets of the one before. */
  startFile(days: FileDays): void {
    this.#assets = [];
    this.#finished = new FinishedDays();
    this.#steps = 0;
    this.#weeks = 0;
    this.#days = days;
  }

  /** The days that were left out since the last call. */
  takeIncomplete(): readonly IncompleteDay[] {
    const days = this.#incomplete;
    if (days.length > 0) this.#incomplete = [];
    return days;
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

  /** Whether the bars of the file so far are a week apart. */
  get isWeekly(): boolean {
    return this.#steps >= FEW_STEPS && this.#weeks === this.#steps;
  }

  /**
   * A row is late when the bar of its day is finished, or may hold it already. Room must be there: `take` makes it when `full`.
   */
  add(row: BarRow): Fate {
    const { asset } = row;
    if (!isSound(row)) {
      writeRow(row, this.#bars, this.#count);
      this.#bars.asset[this.#count++] = asset;
      return 'added';
    }
    const day = dayOf(row);
    const openDay = this.#open.dayOf(asset);
    if (openDay === day) return this.#merge(row);
    const time = row.instant - day * MILLIS_PER_DAY;
    if (this.#finished.excludes(asset, day, time)) return 'late';
    const isRepeated = this.#finished.has(asset, day);
    if (openDay !== NO_DAY) {
      this.#steps++;
      if (Math.abs(day - openDay) === DAYS_PER_WEEK) this.#weeks++;
      this.#finished.add(asset, openDay, this.#open.timeOf(asset));
      this.#putOpen(asset);
    }
    this.#open.start(row);
    if (!isRepeated) return 'added';
    this.earlier = this.#search(asset, day);
    return 'repeated';
  }

  #merge(row: BarRow): Fate {
    const { asset } = row;
    const [line, close] = [this.#open.lineOf(asset), this.#open.closeOf(asset)];
    const fate = this.#open.merge(row);
    // The close of a day is that of its latest row, which need not be the one that was repeated.
    if (fate === 'repeated') this.earlier = this.#open.lineOf(asset) === row.line ? { line, close } : null;
    return fate;
  }

  #search(asset: number, day: number): EarlierRow | null {
    if (this.#searches++ >= SEARCHED) return null;
    const { asset: assets, day: days, line, close } = this.#bars;
    for (let bar = this.#count - 1; bar >= 0; bar--) {
      if (assets[bar] === asset && days[bar] === day) return { line: line[bar]!, close: close[bar]! };
    }
    return null;
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
    const rows = this.#open.rowsOf(asset);
    const day = this.#open.dayOf(asset);
    if (rows < this.#days.rowsPerDay && day < this.#days.today) {
      const { symbol } = this.#assets[asset]!;
      this.#incomplete.push({ symbol, day, rows, line: this.#open.lineOf(asset) });
      return;
    }
    this.#open.copy(asset, this.#bars, this.#count);
    this.#bars.asset[this.#count++] = asset;
  }
}
