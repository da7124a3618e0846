// The volume-weighted median of one price of several sources: half of the volume is on each side of it. It is the plain median if a volume
// is unknown, or if nothing was traded.

import { signOfSum } from './exact-sum.ts';

/** Leaves room for sums of the largest volumes. */
const SCALE = 2 ** -10;

/** Takes prices one by one; reused from period to period, so that a period allocates nothing. */
export class WeightedMedian {
  /** In ascending order of the prices; equal prices as they came. */
  readonly #prices: Float64Array;
  readonly #volumes: Float64Array;
  readonly #sources: Int32Array;
  readonly #signed: Float64Array;
  #count = 0;
  #unknown = 0;
  /** The sources of the prices in the middle: two different ones if the median lies between them. */
  lower = -1;
  upper = -1;

  constructor(capacity: number) {
    this.#prices = new Float64Array(capacity);
    this.#volumes = new Float64Array(capacity);
    this.#sources = new Int32Array(capacity);
    this.#signed = new Float64Array(capacity);
  }

  clear(): void {
    this.#count = 0;
    this.#unknown = 0;
  }

  /** A price that the source does not give is passed over, and its volume with it. */
  add(source: number, price: number, volume: number): void {
    if (Number.isNaN(price)) return;
    let at = this.#count++;
    for (; at > 0 && this.#prices[at - 1]! > price; at--) {
      this.#prices[at] = this.#prices[at - 1]!;
      this.#volumes[at] = this.#volumes[at - 1]!;
      this.#sources[at] = this.#sources[at - 1]!;
    }
    this.#prices[at] = price;
    this.#volumes[at] = volume;
    this.#sources[at] = source;
    if (!(volume >= 0 && volume < Number.POSITIVE_INFINITY)) this.#unknown++;
  }

  /** The sum of the weights: of the volumes, or the number of prices if each counts as much as another. */
  get total(): number {
    const volume = this.#unknown > 0 ? 0 : this.#sum(this.#count);
    return volume > 0 ? volume : this.#count;
  }

  get isWeighted(): boolean {
    return this.#unknown === 0 && this.#sum(this.#count) > 0;
  }

  /** The median, or NaN without prices. Sets the sources in the middle. */
  value(): number {
    const count = this.#count;
    if (count === 0) return Number.NaN;
    if (!this.isWeighted) return this.#between((count - 1) >> 1, count >> 1);
    // The smallest price up to which there is at least half of the volume; if it is half exactly, the next price is as good.
    let at = 0;
    let balance = this.#balance(0);
    while (balance < 0) balance = this.#balance(++at);
    let next = at;
    if (balance === 0)
      do next++;
      while (this.#volumes[next] === 0);
    return this.#between(at, next);
  }

  #between(lower: number, upper: number): number {
    this.lower = this.#sources[lower]!;
    this.upper = this.#sources[upper]!;
    return lower === upper ? this.#prices[lower]! : (this.#prices[lower]! + this.#prices[upper]!) / 2;
  }

  /** The sign of the volume of the prices up to and including `last`, less the volume of the others. */
  #balance(last: number): number {
    const [lower, total] = [this.#sum(last + 1), this.#sum(this.#count)];
    const difference = lower - (total - lower);
    // Above the sum of all rounding errors the sign is certain.
    if (Math.abs(difference) > total * this.#count * 1e-15) return Math.sign(difference);
    for (let i = 0; i < this.#count; i++) this.#signed[i] = this.#volumes[i]! * (i <= last ? SCALE : -SCALE);
    return signOfSum(this.#signed, this.#count);
  }

  #sum(count: number): number {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += this.#volumes[i]!;
    return sum;
  }
}
