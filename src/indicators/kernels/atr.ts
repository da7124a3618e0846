// Wilder's average true range. The true range of a day is the largest of H − L, |H − C₁| and |L − C₁|, where C₁ is the close of the
// day before. It begins with the second bar; the average is seeded with the mean of the first n true ranges. A bar without high or low
// makes the recursion start again after it.

import type { DailyBars } from '../calendar.ts';
import type { Recursion } from './recursion.ts';

export class Atr implements Omit<Recursion, 'step'> {
  readonly size = 2;
  readonly #window: number;
  #average = 0;
  /** True ranges since the recursion started; -1 until there is a bar with high and low. */
  #ranges = -1;

  constructor(window: number) {
    this.#window = window;
  }

  start(): void {
    this.#average = 0;
    this.#ranges = -1;
  }

  step({ highs, lows, closes }: DailyBars, at: number): void {
    if (Number.isNaN(highs[at]! - lows[at]!)) {
      this.start();
      return;
    }
    this.#ranges++;
    if (this.#ranges === 0) return;
    const before = closes[at - 1]!;
    const range = Math.max(highs[at]! - lows[at]!, Math.abs(highs[at]! - before), Math.abs(lows[at]! - before));
    this.#average += this.#ranges <= this.#window ? range / this.#window : (range - this.#average) / this.#window;
  }

  get value(): number {
    return this.#ranges >= this.#window ? this.#average : Number.NaN;
  }

  save(state: Float64Array, from: number): void {
    state[from] = this.#average;
    state[from + 1] = this.#ranges;
  }

  load(state: Float64Array, from: number): void {
    this.#average = state[from]!;
    this.#ranges = state[from + 1]!;
  }
}
