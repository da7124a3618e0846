// The days of each asset that a file has left for another day, to tell what a row that comes back to one of them is: the same
// row once more, or a part of the day that is missing from a bar which is made and gone.
//
// For this it must know the times of day of each finished day. Nearly all files have one row a day at one time of day, or many
// rows a day in order: then it takes two bits a day, in blocks of 32 days. Only days with one row at another time than the
// first of the file cost more, and of these it keeps a limited number; a repetition of one beyond it is taken for a part.
//
// Days mostly follow each other: the block that an asset is in lies in arrays by asset, the blocks that it left in a table.

import { BlockTable } from './block-table.ts';

const BLOCK_BITS = 5;
const NO_BLOCK = -1;
const KEPT_TIMES = 500_000;
/** More than there are days, so that an asset and a day make one number. */
const DAYS = 2 ** 22;

/** The time of day, in milliseconds, of a day that has rows of several times. */
export const SEVERAL_TIMES = -1;

export class FinishedDays {
  #block = new Int32Array(64).fill(NO_BLOCK);
  /** A bit for each day of the block: finished; finished with anything but one row at the usual time. */
  #finished = new Int32Array(64);
  #unusual = new Int32Array(64);
  readonly #left = new BlockTable();
  #usualTime: number | null = null;
  readonly #times = new Map<number, number>();

  /** `time` is that of all rows of the day, or SEVERAL_TIMES. */
  add(asset: number, day: number, time: number): void {
    const block = day >> BLOCK_BITS;
    const bit = 1 << day;
    if (asset >= this.#block.length) this.#grow(asset);
    if (this.#block[asset] !== block) this.#enter(asset, block);
    this.#finished[asset]! |= bit;
    if (time !== SEVERAL_TIMES) this.#usualTime ??= time;
    if (time === this.#usualTime) {
      this.#unusual[asset]! &= ~bit;
      return;
    }
    this.#unusual[asset]! |= bit;
    const key = asset * DAYS + day;
    if (time === SEVERAL_TIMES) this.#times.delete(key);
    else if (this.#times.size < KEPT_TIMES) this.#times.set(key, time);
  }

  /** Whether the day is finished, and not known to be made of nothing but rows at this time. */
  excludes(asset: number, day: number, time: number): boolean {
    if (asset >= this.#block.length || this.#block[asset] === NO_BLOCK) return false;
    const block = day >> BLOCK_BITS;
    const bit = 1 << day;
    const here = this.#block[asset] === block;
    const finished = here ? this.#finished[asset]! : this.#left.finished(asset, block);
    if ((finished & bit) === 0) return false;
    const unusual = here ? this.#unusual[asset]! : this.#left.unusual(asset, block);
    if ((unusual & bit) === 0) return time !== this.#usualTime;
    return this.#times.get(asset * DAYS + day) !== time;
  }

  #enter(asset: number, block: number): void {
    const old = this.#block[asset]!;
    if (old !== NO_BLOCK) this.#left.put(asset, old, this.#finished[asset]!, this.#unusual[asset]!);
    this.#block[asset] = block;
    this.#finished[asset] = this.#left.finished(asset, block);
    this.#unusual[asset] = this.#left.unusual(asset, block);
  }

  #grow(asset: number): void {
    const length = Math.max(asset + 1, this.#block.length * 2);
    const block = new Int32Array(length).fill(NO_BLOCK);
    const [finished, unusual] = [new Int32Array(length), new Int32Array(length)];
    block.set(this.#block);
    finished.set(this.#finished);
    unusual.set(this.#unusual);
    [this.#block, this.#finished, this.#unusual] = [block, finished, unusual];
  }
}
