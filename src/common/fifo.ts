// A queue, first in, first out. `Array.shift` moves all items of a long array; this moves them once in so many.

const MAX_TAKEN = 1024;

export class Fifo<T> {
  #items: T[] = [];
  /** How many at the beginning were taken out. */
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  get first(): T | undefined {
    return this.#items[this.#taken];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#taken++];
    if (this.length === 0 || this.#taken > MAX_TAKEN) [this.#items, this.#taken] = [this.#items.slice(this.#taken), 0];
    return item;
  }
}
