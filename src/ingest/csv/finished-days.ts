// The days of each asset that a file has left for another day. A row that comes back to one of them is either the same row once
// more, or a part of the day that is missing from a bar which has left in a batch.
//
// Telling them apart takes the time of day of each finished day. Nearly all files have one row per day at one time of day, or many
// rows per day in order: these cost two bits per day, in blocks of 32 days. Only days with one row at another time than the first
// of the file cost more, and a limited number of these is kept; beyond it a repeated row is refused.

const BLOCK_BITS = 5;
const KEPT_TIMES = 500_000;
/** More than there are days, and than there are blocks of days: an asset and a day make one number. */
const DAYS = 2 ** 22;
const BLOCKS = DAYS >> BLOCK_BITS;

/** The time of day, in milliseconds, of a day that has rows of several times. */
export const SEVERAL_TIMES = -1;

/** One bit per day: whether it is finished, and whether it has anything but one row at the usual time. */
interface Block {
  readonly number: number;
  finished: number;
  unusual: number;
}

export class FinishedDays {
  readonly #blocks = new Map<number, Block>();
  /** By asset: the block of its latest finished day, because days mostly follow each other. */
  readonly #latest: Block[] = [];
  #usualTime: number | null = null;
  readonly #times = new Map<number, number>();

  /** `time` is that of all rows of the day, or SEVERAL_TIMES. */
  add(asset: number, day: number, time: number): void {
    const block = this.#find(asset, day) ?? this.#create(asset, day);
    this.#latest[asset] = block;
    const bit = 1 << day;
    block.finished |= bit;
    if (time !== SEVERAL_TIMES) this.#usualTime ??= time;
    if (time === this.#usualTime) {
      block.unusual &= ~bit;
      return;
    }
    block.unusual |= bit;
    const key = asset * DAYS + day;
    if (time === SEVERAL_TIMES) this.#times.delete(key);
    else if (this.#times.size < KEPT_TIMES) this.#times.set(key, time);
  }

  /** Whether the day is finished, and not known to be made of nothing but rows at this time. */
  excludes(asset: number, day: number, time: number): boolean {
    const block = this.#find(asset, day);
    const bit = 1 << day;
    if (block === undefined || (block.finished & bit) === 0) return false;
    if ((block.unusual & bit) === 0) return time !== this.#usualTime;
    return this.#times.get(asset * DAYS + day) !== time;
  }

  has(asset: number, day: number): boolean {
    const block = this.#find(asset, day);
    return block !== undefined && (block.finished & (1 << day)) !== 0;
  }

  #find(asset: number, day: number): Block | undefined {
    const latest = this.#latest[asset];
    const number = day >> BLOCK_BITS;
    if (latest === undefined || latest.number === number) return latest;
    return this.#blocks.get(asset * BLOCKS + number);
  }

  #create(asset: number, day: number): Block {
    const number = day >> BLOCK_BITS;
    const block = { number, finished: 0, unusual: 0 };
    this.#blocks.set(asset * BLOCKS + number, block);
    return block;
  }
}
