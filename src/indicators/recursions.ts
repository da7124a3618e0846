// All recursive columns of one asset, day after day from its first close, and their state, from which the next publication continues.

import type { DailyBars } from './calendar.ts';
import { Atr } from './kernels/atr.ts';
import { Ema } from './kernels/ema.ts';
import { AllTimeHigh } from './kernels/extremes.ts';
import { Macd } from './kernels/macd.ts';
import { Rsi } from './kernels/rsi.ts';
import type { OptionalTable } from './optional-table.ts';

/** A state can be continued if it is of at least as many days: every average has its seed, which is the mean of the first closes. */
export const SEEDED_DAYS = 200;

export class Recursions {
  readonly #ema10 = new Ema(10);
  readonly #ema12 = new Ema(12);
  readonly #ema20 = new Ema(20);
  readonly #ema26 = new Ema(26);
  readonly #ema50 = new Ema(50);
  readonly #ema100 = new Ema(100);
  readonly #ema200 = new Ema(200);
  readonly #macd = new Macd();
  readonly #rsi7 = new Rsi(7);
  readonly #rsi14 = new Rsi(14);
  readonly #rsi21 = new Rsi(21);
  readonly #high = new AllTimeHigh();
  readonly #atr = new Atr(14);
  readonly #all = [
    ...[this.#ema10, this.#ema12, this.#ema20, this.#ema26, this.#ema50, this.#ema100, this.#ema200],
    ...[this.#macd, this.#rsi7, this.#rsi14, this.#rsi21, this.#high, this.#atr],
  ];
  /** Numbers of a state. */
  readonly size = this.#all.reduce((sum, { size }) => sum + size, 0);

  start(): void {
    for (const one of this.#all) one.start();
  }

  /** See `Recursion.step`. */
  step(day: number, bars: DailyBars, at: number): void {
    const { closes } = bars;
    this.#ema10.step(day, closes, at);
    this.#ema12.step(day, closes, at);
    this.#ema20.step(day, closes, at);
    this.#ema26.step(day, closes, at);
    this.#ema50.step(day, closes, at);
    this.#ema100.step(day, closes, at);
    this.#ema200.step(day, closes, at);
    this.#macd.step(day, closes, at);
    this.#rsi7.step(day, closes, at);
    this.#rsi14.step(day, closes, at);
    this.#rsi21.step(day, closes, at);
    this.#high.step(day, closes, at);
    this.#atr.step(bars, at);
  }

  /** Writes the values of the day that was stepped to last. */
  write(day: number, out: OptionalTable, row: number): void {
    out.ema10[row] = this.#ema10.value;
    out.ema12[row] = this.#ema12.value;
    out.ema20[row] = this.#ema20.value;
    out.ema26[row] = this.#ema26.value;
    out.ema50[row] = this.#ema50.value;
    out.ema100[row] = this.#ema100.value;
    out.ema200[row] = this.#ema200.value;
    out.macd[row] = this.#macd.line;
    out.macd_signal[row] = this.#macd.signal;
    out.macd_hist[row] = this.#macd.histogram;
    out.rsi7[row] = this.#rsi7.value(day);
    out.rsi14[row] = this.#rsi14.value(day);
    out.rsi21[row] = this.#rsi21.value(day);
    out.atr14[row] = this.#atr.value;
    out.ath[row] = this.#high.value;
    out.ath_at[row] = this.#high.reached;
  }

  save(state: Float64Array): void {
    let from = 0;
    for (const one of this.#all) {
      one.save(state, from);
      from += one.size;
    }
  }

  load(state: Float64Array): void {
    let from = 0;
    for (const one of this.#all) {
      one.load(state, from);
      from += one.size;
    }
  }
}
