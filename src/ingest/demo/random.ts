// Numbers that are the same on every machine and engine: integer hashing, the four basic operations and the square root only,
// since Math.exp, Math.log and the like may differ in the last bit.

/** One well-mixed unsigned 32-bit integer from two (the finaliser of MurmurHash3). */
export function hash(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Rises like an exponential: growth(0) = 1, growth(-x) = 1 / growth(x). Close to exp for |x| < 2, and defined for |x| < 16. */
export function growth(x: number): number {
  const step = (16 + x) / (16 - x);
  const fourth = step * step * step * step;
  return fourth * fourth;
}

/** All of them are exact doubles, so that the rounding of what is divided by them is exact, too. */
const POWERS_OF_10 = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** With this many significant digits: the double nearest to the decimal number, which is short in text. */
export function rounded(value: number, digits: number): number {
  const least = POWERS_OF_10[digits - 1]!;
  let places = 0;
  while (places < 22 && value * POWERS_OF_10[places]! < least) places++;
  if (places > 0) return Math.round(value * POWERS_OF_10[places]!) / POWERS_OF_10[places]!;
  while (value / POWERS_OF_10[places]! >= least * 10) places++;
  return Math.round(value / POWERS_OF_10[places]!) * POWERS_OF_10[places]!;
}

/** A stream of random numbers (sfc32): equal seeds give equal streams. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = hash(seed, 1) | 0;
    this.#b = hash(seed, 2) | 0;
    this.#c = hash(seed, 3) | 0;
    // The first numbers of seeds that are alike would be alike.
    for (let i = 0; i < 12; i++) this.next();
  }

  /** An unsigned 32-bit integer. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least `low` and less than `high`. */
  between(low: number, high: number): number {
    return low + (this.next() / 2 ** 32) * (high - low);
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.between(0, 1) < probability;
  }

  /** Mean 0, deviation 1: the sum of four uniform numbers, near enough to a bell curve. */
  normal(): number {
    const first = this.next();
    const second = this.next();
    const sum = (first >>> 16) + (first & 0xffff) + (second >>> 16) + (second & 0xffff);
    return (sum / 65_536 - 2) * Math.sqrt(3);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)]!;
  }

  /** Different ones, at most as many as there are. */
  pickSome<T>(choices: readonly T[], count: number): T[] {
    const rest = [...choices];
    const picked: T[] = [];
    while (picked.length < count && rest.length > 0) picked.push(...rest.splice(this.whole(0, rest.length - 1), 1));
    return picked;
  }

  /** One of the choices, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(choices: readonly T[]): T {
    const total = choices.reduce((sum, choice) => sum + choice.weight, 0);
    let left = this.between(0, total);
    for (const choice of choices) {
      left -= choice.weight;
      if (left < 0) return choice;
    }
    return choices[0]!;
  }
}
