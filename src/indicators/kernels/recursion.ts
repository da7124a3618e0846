// What every recursive indicator provides: a step from one day to the next, and its state as numbers, so that a later computation
// continues where this one stopped instead of starting at the first close. The same steps give the same bits.

export interface Recursion {
  /** Numbers of the state. */
  readonly size: number;
  /** Forgets everything: the next step is that of day 0, the first close. */
  start(): void;
  /**
   * `day` is the number of days since the first close, and `closes[at]` its close. A recursion that is seeded with the mean of its first
   * closes finds them at `closes[0 …]`: a state is loaded only after the last seed (see `SEEDED_DAYS` in recursions.ts).
   */
  step(day: number, closes: Float64Array, at: number): void;
  save(state: Float64Array, from: number): void;
  load(state: Float64Array, from: number): void;
}
