// Periods without a row, between others that have one, in a file of minutes or hours.
//
// Steps from one row of an asset to its next tell where they are, if the rows are in order of time. Otherwise only their number is known.

import { isHourMissing, isSpringNight } from './clock-change.ts';

export interface Gaps {
  /** Null if the rows are not in order of time. */
  readonly places: Places | null;
  readonly periods: number;
}

interface Places {
  readonly count: number;
  /** Of the row after the first of them, which is `from` … `to`. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** The row after an hour that is missing in a night in which clocks change. */
  readonly clockChange: { readonly line: number; readonly period: number } | null;
}

/** Of one asset: its first, last and latest read period, how many it has, and whether time goes forward in the file. */
interface Span {
  first: number;
  last: number;
  latest: number;
  periods: number;
  forward: boolean | null;
}

export class GapFinder {
  readonly #length: number;
  readonly #spans: (Span | undefined)[] = [];
  #places: { -readonly [K in keyof Places]: Places[K] } | null = null;
  #periods = 0;
  #isOrdered = true;

  /** `length` of a period in milliseconds. */
  constructor(length: number) {
    this.#length = length;
  }

  /** A row of another period than the one before it of the same asset. */
  add(asset: number, period: number, isRepeated: boolean): void {
    const span = this.#spans[asset];
    if (span === undefined) {
      this.#spans[asset] = { first: period, last: period, latest: period, periods: 1, forward: null };
      return;
    }
    const forward = period > span.latest;
    if (span.forward !== null && forward !== span.forward) this.#isOrdered = false;
    span.forward = forward;
    span.latest = period;
    span.first = Math.min(span.first, period);
    span.last = Math.max(span.last, period);
    if (!isRepeated) span.periods++;
  }

  /** Two rows of an asset that follow each other are further apart than one period; `line` is that of the second. */
  addStep(before: number, later: number, line: number): void {
    const missing = before + 1;
    this.#places ??= { count: 0, line, from: missing, to: later - 1, clockChange: null };
    this.#places.count++;
    this.#periods += later - missing;
    const length = this.#length;
    if (isHourMissing(before * length, later * length, length) && isSpringNight(missing * length)) {
      this.#places.clockChange ??= { line, period: missing };
    }
  }

  /** So many steps of `periods` were to rows of another interval. */
  takeBack(steps: number, periods: number): void {
    if (this.#places === null) return;
    this.#places.count -= steps;
    this.#periods -= steps * (periods - 1);
    if (this.#places.count === 0) this.#places = null;
  }

  /** Null if there are none. */
  get found(): Gaps | null {
    if (this.#places === null) return null;
    if (this.#isOrdered) return { places: this.#places, periods: this.#periods };
    let missing = 0;
    for (const span of this.#spans) if (span) missing += span.last - span.first + 1 - span.periods;
    return missing > 0 ? { places: null, periods: missing } : null;
  }
}
