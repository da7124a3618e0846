// Wilder's relative strength index: 100 · G / (G + L). G and L are averages of daily gains and losses, seeded with the mean of the
// first n, then Aₜ = Aₜ₋₁ + (xₜ − Aₜ₋₁) / n. 100 without losses, 0 without gains, 50 without any move.

import type { Recursion } from './recursion.ts';

export class Rsi implements Recursion {
  readonly size = 2;
  readonly #window: number;
  #gains = 0;
  #losses = 0;

  constructor(window: number) {
    this.#window = window;
  }

  start(): void {
    this.#gains = this.#losses = 0;
  }

  step(day: number, closes: Float64Array, at: number): void {
    if (day === 0) return;
    const window = this.#window;
    const change = closes[at]! - closes[at - 1]!;
    const gain = Math.max(change, 0);
    const loss = Math.max(-change, 0);
    this.#gains += day <= window ? gain / window : (gain - this.#gains) / window;
    this.#losses += day <= window ? loss / window : (loss - this.#losses) / window;
  }

  /** NaN before day n + 1. */
  value(day: number): number {
    if (day < this.#window) return Number.NaN;
    const moves = this.#gains + this.#losses;
    return moves === 0 ? 50 : (100 * this.#gains) / moves;
  }

  save(state: Float64Array, from: number): void {
    state[from] = this.#gains;
    state[from + 1] = this.#losses;
  }

  load(state: Float64Array, from: number): void {
    this.#gains = state[from]!;
    this.#losses = state[from + 1]!;
  }
}
