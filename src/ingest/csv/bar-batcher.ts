// Gathers the rows of one file into batches of bars.
//
// Rows of the same asset and period become one bar. If they are of the same instant, the later row counts. If they are not, the file
// is finer than its bars (hours, say, of which days are made), and the bar is that of the period: its open is that of the earliest row,
// its close that of the latest, whichever way the file is sorted. For this the rows of an asset must be in order of time, oldest or newest
// first; rows of other assets may come between them. A row that comes too late for its bar is refused.
//
// A row that the pipeline will refuse for its numbers takes no part in this: it passes as a bar of its own, so that it is
// reported with its line and costs no other row.
//
// A period of a file that is finer than its bars must have all its rows, unless it is the running one: its close would be that of another
// hour. One that lacks some is left out and reported.
//
// In a file of minutes or hours that are not made into anything, each row is a bar. It must be of the start of its period, and rows
// that are evenly further apart are refused: they are bars of another interval.
//
// The newest bar of each asset may still grow. It joins a batch only when its period is over: at a row of another one, or at the end
// of the file.

import { barColumns } from '../../domain/bar.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import { lengthOf } from '../../domain/period-text.ts';
import type { Contradiction } from '../../quality/inconsistent.ts';
import type { AssetRef, BarBatch, SourceContradiction } from '../source.ts';
import { type BarRow, isSound, periodOf } from './bar-row.ts';
import { FinishedPeriods } from './finished-periods.ts';
import { GapFinder, type Gaps } from './gap-finder.ts';
import { NO_PERIOD, OpenBars, writeRow } from './open-bars.ts';
import { MOST_HELD, StepRuns } from './step-runs.ts';

export const BATCH_BARS = 50_000;
/** Bars that one row may add to a batch. */
const AT_ONCE = MOST_HELD + 1;

const DAYS_PER_WEEK = 7;
/** Bars that must follow each other before their distance means anything. */
const FEW_STEPS = 3;
/** Repeated rows whose earlier close is searched for, so that a file of nothing else is not searched again and again. */
const SEARCHED = 1000;
/** Blocks of 32 periods in which repeated minutes and hours are noticed: 16 million of them. */
const REMEMBERED_BLOCKS = 500_000;

/** What became of a row: `late` is out of order, `mixed` is of another interval. */
export type Outcome = 'added' | 'repeated' | 'late' | 'off_grid' | 'mixed';

export interface IncompletePeriod {
  readonly symbol: string;
  readonly period: number;
  readonly rows: number;
  readonly line: number;
}

/** The row that a repeated one takes the place of, as far as it is known. */
export interface EarlierRow {
  readonly line: number;
  readonly close: number;
}

export interface FilePeriods {
  readonly interval: BaseInterval;
  /** Rows of a whole period; 1 if that is not known. */
  readonly rowsPerPeriod: number;
  /** Each row is a bar, and must be of the start of a period. */
  readonly eachIsBar: boolean;
  /** The period that may be incomplete, because it has not ended. */
  readonly current: number;
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
  #finished = new FinishedPeriods();
  /** From one bar of an asset to its next, and how many of these steps are exactly a week. */
  #steps = 0;
  #weeks = 0;
  #file: FilePeriods = { interval: '1d', rowsPerPeriod: 1, eachIsBar: false, current: 0 };
  #length = lengthOf('1d');
  #runs: StepRuns | null = null;
  /** By asset: bars that are further apart, until it is known whether they are gaps. */
  readonly #held = new Map<number, { readonly period: number; readonly row: BarRow }[]>();
  /** Assets whose open bar was refused. */
  readonly #mixed = new Set<number>();
  #mixedLines: number[] = [];
  #gaps = new GapFinder(this.#length);
  #searches = 0;
  #incomplete: IncompletePeriod[] = [];
  /** Since the last batch, by asset and period. */
  readonly #contradictions = new Map<string, SourceContradiction>();
  /** Of the row that was repeated last. */
  earlier: EarlierRow | null = null;

  /** A file's bars depend on that file alone: forgets the assets of the one before. */
  startFile(file: FilePeriods): void {
    this.#assets = [];
    this.#finished = new FinishedPeriods();
    this.#steps = 0;
    this.#weeks = 0;
    this.#file = file;
    this.#length = lengthOf(file.interval);
    this.#runs = file.eachIsBar && file.interval !== '1d' ? new StepRuns(file.interval) : null;
    this.#gaps = new GapFinder(this.#length);
  }

  /** The periods that were left out since the last call. */
  takeIncomplete(): readonly IncompletePeriod[] {
    const periods = this.#incomplete;
    if (periods.length > 0) this.#incomplete = [];
    return periods;
  }

  /** The lines of rows before the last one that are of another interval, since the last call. */
  takeMixed(): readonly number[] {
    const lines = this.#mixedLines;
    if (lines.length > 0) this.#mixedLines = [];
    return lines;
  }

  /** Of the file so far; null if it has none. Days may be missing without a word. */
  get gaps(): Gaps | null {
    return this.#gaps.found;
  }

  /** Makes room for an asset and numbers it, from 0 in each file. */
  addAsset(asset: AssetRef): number {
    const number = this.#assets.push(asset) - 1;
    this.#open.addAsset(number);
    this.#runs?.addAsset(number);
    if (number >= this.#inBatch.length) this.#inBatch = new Int32Array(number * 2);
    return number;
  }

  get full(): boolean {
    return this.#count > BATCH_BARS - AT_ONCE;
  }

  /** Whether the bars of the file so far are days, a week apart. */
  get isWeekly(): boolean {
    return this.#file.interval === '1d' && this.#steps >= FEW_STEPS && this.#weeks === this.#steps;
  }

  /**
   * A row is late when the bar of its period is finished, or may hold it already. Room must be there: `take` makes it when `full`.
   */
  add(row: BarRow, contradiction: Contradiction | null = null): Outcome {
    const period = periodOf(row, this.#length);
    const outcome = this.#addRow(row, period);
    if (contradiction !== null || this.#contradictions.size > 0) this.#note(row.asset, period, outcome, contradiction);
    return outcome;
  }

  /** Of several rows of a bar, the first that contradicts itself counts, unless a repeated one takes its place. */
  #note(asset: number, period: number, outcome: Outcome, contradiction: Contradiction | null): void {
    const key = `${asset} ${period}`;
    if (outcome === 'repeated') this.#contradictions.delete(key);
    if (contradiction === null || (outcome !== 'added' && outcome !== 'repeated') || this.#contradictions.has(key))
      return;
    this.#contradictions.set(key, { ...contradiction, asset: this.#assets[asset]!, period });
  }

  #addRow(row: BarRow, period: number): Outcome {
    const { asset } = row;
    if (!isSound(row)) {
      this.#put(row, period);
      return 'added';
    }
    if (this.#runs !== null) return this.#addBar(row, period, this.#runs);
    const open = this.#open.periodOf(asset);
    if (open === period) return this.#merge(row);
    const time = row.instant - period * this.#length;
    if (this.#finished.excludes(asset, period, time)) return 'late';
    const isRepeated = this.#finished.has(asset, period);
    if (open !== NO_PERIOD) {
      this.#steps++;
      if (Math.abs(period - open) === DAYS_PER_WEEK) this.#weeks++;
      this.#finished.add(asset, open, this.#open.timeOf(asset, this.#length));
      this.#putOpen(asset);
    }
    this.#open.start(row, period);
    if (!isRepeated) return 'added';
    this.earlier = this.#search(asset, period);
    return 'repeated';
  }

  /** A row that is a bar of its own. */
  #addBar(row: BarRow, period: number, runs: StepRuns): Outcome {
    if (row.instant % this.#length !== 0) return 'off_grid';
    const { asset } = row;
    const open = this.#open.periodOf(asset);
    if (open === period) {
      this.earlier = { line: this.#open.lineOf(asset), close: this.#open.closeOf(asset) };
      this.#open.start(row, period);
      return 'repeated';
    }
    const isRepeated = this.#finished.has(asset, period);
    if (open !== NO_PERIOD) {
      if (this.#finished.size < REMEMBERED_BLOCKS) this.#finished.add(asset, open, 0);
      const step = runs.step(asset, Math.abs(period - open));
      if (step === 'enough') this.#refuseHeld(asset);
      if (step === 'enough' || step === 'more') {
        this.#open.start(row, period);
        return 'mixed';
      }
      if (step !== 'another') this.#release(asset);
      if (step === 'next') this.#putOpen(asset);
      else this.#hold(asset, open, row, period);
    }
    this.#mixed.delete(asset);
    this.#gaps.add(asset, period, isRepeated);
    this.#open.start(row, period);
    if (!isRepeated) return 'added';
    this.earlier = this.#search(asset, period);
    return 'repeated';
  }

  /** The open bar waits: the row after it came later than the next period. */
  #hold(asset: number, open: number, after: BarRow, period: number): void {
    if (this.#mixed.has(asset)) return;
    const [before, later] = [Math.min(open, period), Math.max(open, period)];
    this.#gaps.addStep(before, later, after.line);
    const held = this.#held.get(asset) ?? [];
    held.push({ period: open, row: this.#open.rowOf(asset) });
    this.#held.set(asset, held);
  }

  /** What was held has gaps between it. */
  #release(asset: number): void {
    for (const { period, row } of this.#held.get(asset) ?? []) this.#put(row, period);
    this.#held.delete(asset);
  }

  /** What was held, and the open bar, are of another interval. */
  #refuseHeld(asset: number): void {
    const held = this.#held.get(asset) ?? [];
    for (const { row } of held) this.#mixedLines.push(row.line);
    if (!this.#mixed.has(asset)) this.#mixedLines.push(this.#open.lineOf(asset));
    this.#held.delete(asset);
    this.#mixed.add(asset);
    const [first, second] = held;
    const step = second === undefined || first === undefined ? 1 : Math.abs(second.period - first.period);
    this.#gaps.takeBack(held.length, step);
  }

  #put(row: BarRow, period: number): void {
    writeRow(row, period, this.#bars, this.#count);
    this.#bars.asset[this.#count++] = row.asset;
  }

  #merge(row: BarRow): Outcome {
    const { asset } = row;
    const [line, close] = [this.#open.lineOf(asset), this.#open.closeOf(asset)];
    const outcome = this.#open.merge(row);
    // The close of a period is that of its latest row, which need not be the one that was repeated.
    if (outcome === 'repeated') this.earlier = this.#open.lineOf(asset) === row.line ? { line, close } : null;
    return outcome;
  }

  #search(asset: number, period: number): EarlierRow | null {
    if (this.#searches++ >= SEARCHED) return null;
    const { asset: assets, day: periods, line, close } = this.#bars;
    for (let bar = this.#count - 1; bar >= 0; bar--) {
      if (assets[bar] === asset && periods[bar] === period) return { line: line[bar]!, close: close[bar]! };
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
    const { interval } = this.#file;
    const contradictions = [...this.#contradictions.values()];
    const batch = { ...this.#bars, interval, count: this.#count, assets, origin, contradictions };
    this.#count = 0;
    this.#contradictions.clear();
    return batch;
  }

  /** At the end of the file: everything that is left. */
  *takeAll(origin: string): Generator<BarBatch, void, undefined> {
    for (let asset = 0; asset < this.#assets.length; asset++) {
      if (this.#open.periodOf(asset) === NO_PERIOD) continue;
      if (this.full) yield this.take(origin);
      this.#release(asset);
      this.#putOpen(asset);
    }
    this.#mixed.clear();
    if (this.#count > 0) yield this.take(origin);
  }

  #putOpen(asset: number): void {
    if (this.#mixed.size > 0 && this.#mixed.has(asset)) return;
    const rows = this.#open.rowsOf(asset);
    const period = this.#open.periodOf(asset);
    if (rows < this.#file.rowsPerPeriod && period < this.#file.current) {
      const { symbol } = this.#assets[asset]!;
      this.#incomplete.push({ symbol, period, rows, line: this.#open.lineOf(asset) });
      return;
    }
    this.#open.copy(asset, this.#bars, this.#count);
    this.#bars.asset[this.#count++] = asset;
  }
}
