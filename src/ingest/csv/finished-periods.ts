// The periods of each asset that a file has left for another one. A row that comes back to one of them is either the same row once
// more, or a part of the period that is missing from a bar which has left in a batch.
//
// Telling them apart takes the time of each finished period: how long after its start its rows are. Nearly all files have one row per
// period at one time of it, or many rows per period in order: these cost two bits per period, in blocks of 32. Only periods with one row
// at another time than the first of the file cost more, and a limited number of these is kept; beyond it a repeated row is refused.

import { LAST_PERIOD } from '../../domain/interval.ts';

const BLOCK_BITS = 5;
const KEPT_TIMES = 500_000;
/** An asset and a period make one number, and an asset and a block. */
const PERIODS = LAST_PERIOD + 1;
const BLOCKS = PERIODS >> BLOCK_BITS;

/** The time, in milliseconds, of a period that has rows of several times. */
export const SEVERAL_TIMES = -1;

/** One bit per period: whether it is finished, and whether it has anything but one row at the usual time. */
interface Block {
  readonly number: number;
  finished: number;
  unusual: number;
}

export class FinishedPeriods {
  readonly #blocks = new Map<number, Block>();
  /** By asset: the block of its latest finished period, because periods mostly follow each other. */
  readonly #latest: Block[] = [];
  #usualTime: number | null = null;
  readonly #times = new Map<number, number>();

  /** In blocks of 32 periods. */
  get size(): number {
    return this.#blocks.size;
  }

  /** `time` is that of all rows of the period, or SEVERAL_TIMES. */
  add(asset: number, period: number, time: number): void {
    const block = this.#find(asset, period) ?? this.#create(asset, period);
    this.#latest[asset] = block;
    const bit = 1 << period;
    block.finished |= bit;
    if (time !== SEVERAL_TIMES) this.#usualTime ??= time;
    if (time === this.#usualTime) {
      block.unusual &= ~bit;
      return;
    }
    block.unusual |= bit;
    const key = asset * PERIODS + period;
    if (time === SEVERAL_TIMES) this.#times.delete(key);
    else if (this.#times.size < KEPT_TIMES) this.#times.set(key, time);
  }

  /** Whether the period is finished, and not known to be made of nothing but rows at this time. */
  excludes(asset: number, period: number, time: number): boolean {
    const block = this.#find(asset, period);
    const bit = 1 << period;
    if (block === undefined || (block.finished & bit) === 0) return false;
    if ((block.unusual & bit) === 0) return time !== this.#usualTime;
    return this.#times.get(asset * PERIODS + period) !== time;
  }

  has(asset: number, period: number): boolean {
    const block = this.#find(asset, period);
    return block !== undefined && (block.finished & (1 << period)) !== 0;
  }

  #find(asset: number, period: number): Block | undefined {
    const latest = this.#latest[asset];
    const number = period >> BLOCK_BITS;
    if (latest === undefined || latest.number === number) return latest;
    return this.#blocks.get(asset * BLOCKS + number);
  }

  #create(asset: number, period: number): Block {
    const number = period >> BLOCK_BITS;
    const block = { number, finished: 0, unusual: 0 };
    this.#blocks.set(asset * BLOCKS + number, block);
    return block;
  }
}
