// The days of each asset that a file has left for another day, to tell what a row that comes back to one of them is: the same
// row once more, or a part of the day that is missing from a bar which is made and gone.
//
// For this it must know the times of day of each finished day. Nearly all files have one row a day at one time of day, or many
// rows a day in order: then it takes two bits a day, in blocks of 32 days. Only days with one row at another time than the
// first of the file cost more, and of these it keeps a limited number; a repetition of one beyond it is taken for a part.

const BLOCK_BITS = 5;
const KEPT_TIMES = 500_000;
/** More than there are days, so that an asset and a day make one number. */
const DAYS = 2 ** 22;

/** The time of day, in milliseconds, of a day that has rows of several times. */
export const SEVERAL_TIMES = -1;

export class FinishedDays {
  /** Open addressing: a block of an asset's days in each slot, at most half of the slots used; their number is a power of two. */
  #asset = new Int32Array(256).fill(-1);
  #block = new Int32Array(256);
  /** A bit for each day of the block: finished; finished with anything but one row at the usual time. */
  #finished = new Int32Array(256);
  #unusual = new Int32Array(256);
  #used = 0;
  /** The slot asked for last: rows of one asset often come one after the other. */
  #last = 0;
  #usualTime: number | null = null;
  readonly #times = new Map<number, number>();

  /** `time` is that of all rows of the day, or SEVERAL_TIMES. */
  add(asset: number, day: number, time: number): void {
    const slot = this.#slotFor(asset, day >> BLOCK_BITS);
    const bit = 1 << day;
    this.#finished[slot]! |= bit;
    if (time !== SEVERAL_TIMES) this.#usualTime ??= time;
    if (time === this.#usualTime) {
      this.#unusual[slot]! &= ~bit;
      return;
    }
    this.#unusual[slot]! |= bit;
    const key = asset * DAYS + day;
    if (time === SEVERAL_TIMES) this.#times.delete(key);
    else if (this.#times.size < KEPT_TIMES) this.#times.set(key, time);
  }

  /** Whether the day is finished, and not known to be made of nothing but rows at this time. */
  excludes(asset: number, day: number, time: number): boolean {
    const slot = this.#find(asset, day >> BLOCK_BITS);
    const bit = 1 << day;
    if (this.#asset[slot] === -1 || (this.#finished[slot]! & bit) === 0) return false;
    if ((this.#unusual[slot]! & bit) === 0) return time !== this.#usualTime;
    return this.#times.get(asset * DAYS + day) !== time;
  }

  /** The slot of the block, or the free one where it belongs. */
  #find(asset: number, block: number): number {
    if (this.#asset[this.#last] === asset && this.#block[this.#last] === block) return this.#last;
    const mask = this.#asset.length - 1;
    let slot = hash(asset, block) & mask;
    while (this.#asset[slot] !== -1 && (this.#asset[slot] !== asset || this.#block[slot] !== block)) {
      slot = (slot + 1) & mask;
    }
    this.#last = slot;
    return slot;
  }

  #slotFor(asset: number, block: number): number {
    const found = this.#find(asset, block);
    if (this.#asset[found] !== -1) return found;
    if (this.#used * 2 >= this.#asset.length) this.#grow();
    const slot = this.#find(asset, block);
    this.#asset[slot] = asset;
    this.#block[slot] = block;
    this.#used++;
    return slot;
  }

  #grow(): void {
    const [assets, blocks, finished, unusual] = [this.#asset, this.#block, this.#finished, this.#unusual];
    const length = assets.length * 2;
    this.#asset = new Int32Array(length).fill(-1);
    this.#block = new Int32Array(length);
    this.#finished = new Int32Array(length);
    this.#unusual = new Int32Array(length);
    for (let old = 0; old < assets.length; old++) {
      if (assets[old] === -1) continue;
      const slot = this.#find(assets[old]!, blocks[old]!);
      this.#asset[slot] = assets[old]!;
      this.#block[slot] = blocks[old]!;
      this.#finished[slot] = finished[old]!;
      this.#unusual[slot] = unusual[old]!;
    }
  }
}

/** Every bit of both numbers counts in the low bits, which alone pick the slot. */
function hash(asset: number, block: number): number {
  let value = Math.imul(asset, 0x9e3779b1) ^ Math.imul(block, 0x85ebca77);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return value ^ (value >>> 13);
}
