// Exponential moving average: EMAₜ = EMAₜ₋₁ + 2/(n+1) · (Cₜ − EMAₜ₋₁), seeded with the mean of the first n closes.
//
// Closes are positive, so the error of a step, at most 3 · 1.1e-16 of the larger of EMA and close, stays relative to the average:
// below n · 2e-16 in all, 4e-14 for n = 200.

import { DoubleDouble } from './double-double.ts';
import type { Recursion } from './recursion.ts';

export class Ema implements Recursion {
  readonly size = 1;
  readonly #window: number;
  readonly #weight: number;
  /** NaN before day n. */
  value: number = Number.NaN;

  constructor(window: number) {
    this.#window = window;
    this.#weight = 2 / (window + 1);
  }

  start(): void {
    this.value = Number.NaN;
  }

  step(day: number, closes: Float64Array, at: number): void {
    if (day >= this.#window) this.value += this.#weight * (closes[at]! - this.value);
    else if (day === this.#window - 1) this.value = meanOfFirst(closes, this.#window).high;
  }

  save(state: Float64Array, from: number): void {
    state[from] = this.value;
  }

  load(state: Float64Array, from: number): void {
    this.value = state[from]!;
  }
}

/** Rounded once, so that the mean of equal closes is that close. */
export function meanOfFirst(closes: Float64Array, count: number): DoubleDouble {
  const sum = new DoubleDouble();
  for (let day = 0; day < count; day++) sum.add(closes[day]!);
  return sum.divide(count);
}
