// Repeatable chance: the same seed gives the same table, request or shuffle.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }

  some<T>(from: readonly T[], most: number): T[] {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(from));
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map(item => ({ item, assetNumber: this.next() }))
      .sort((a, b) => a.assetNumber - b.assetNumber)
      .map(({ item }) => item);
  }
}
