// Finds rows of another interval in a file of minutes or hours: rows of one asset that are evenly further apart than one period.
//
// A single longer step is a gap, of an exchange that was down or a market without trades. Several equal ones after each other are
// not chance: of steps that the next longer interval is made of, such as 24 hours in a file of hours, few are enough.

import type { BaseInterval } from '../../domain/interval.ts';
import { lengthOf } from '../../domain/period-text.ts';

const FEW_STEPS = 3;
const MANY_STEPS = 12;

/** Rows that may have to wait until it is known what they are. */
export const MOST_HELD = MANY_STEPS;

export class StepRuns {
  readonly #coarse: number;
  /** By asset: the length of its last step in periods, and how many of them came after each other. */
  #steps = new Int32Array(64);
  #lengths = new Int32Array(64);

  constructor(interval: Exclude<BaseInterval, '1d'>) {
    this.#coarse = lengthOf(interval === '1m' ? '1h' : '1d') / lengthOf(interval);
  }

  addAsset(asset: number): void {
    if (asset >= this.#steps.length) {
      this.#steps = doubled(this.#steps);
      this.#lengths = doubled(this.#lengths);
    }
    this.#steps[asset] = 1;
    this.#lengths[asset] = 0;
  }

  /**
   * What this step from one row of the asset to the next means: `next` period; the `first` longer step of its length, `another` one of them,
   * and from `enough` of them on all rows are of another interval.
   */
  step(asset: number, periods: number): 'next' | 'first' | 'another' | 'enough' | 'more' {
    const isSame = this.#steps[asset] === periods;
    this.#steps[asset] = periods;
    this.#lengths[asset] = isSame ? this.#lengths[asset]! + 1 : 1;
    if (periods === 1) return 'next';
    const length = this.#lengths[asset]!;
    const enough = periods % this.#coarse === 0 ? FEW_STEPS : MANY_STEPS;
    if (length === 1) return 'first';
    return length < enough ? 'another' : length === enough ? 'enough' : 'more';
  }
}

function doubled(old: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}
