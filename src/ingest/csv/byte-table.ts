// Numbers texts by their bytes, so that a row whose symbol was seen before needs no string.

export class ByteTable {
  /** All texts, one after the other, and where each ends: an array for each would take ten times the memory of its bytes. */
  #bytes = new Uint8Array(1024);
  #ends = new Uint32Array(128);
  #size = 0;
  /** Open addressing: number + 1 of a text, 0 where free; its length is a power of two, at most half of it used. */
  #slots = new Int32Array(256);
  #last = -1;

  get size(): number {
    return this.#size;
  }

  /** The number of this text, or -1 when it is new. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const guess = this.#guess(bytes, from, to);
    this.#last = guess >= 0 ? guess : this.#slots[this.#slotOf(bytes, from, to)]! - 1;
    return this.#last;
  }

  /** The text found last, in a file sorted by asset, or the one that came after it the first time, in a file sorted by day. */
  #guess(bytes: Uint8Array, from: number, to: number): number {
    const last = this.#last;
    const following = last + 1 < this.#size ? last + 1 : 0;
    if (last >= 0 && this.#equals(last, bytes, from, to)) return last;
    return this.#size > 0 && this.#equals(following, bytes, from, to) ? following : -1;
  }

  /** Numbers a text that `find` did not find: the next whole number, from 0. */
  add(bytes: Uint8Array, from: number, to: number): number {
    if (this.#size * 2 >= this.#slots.length) this.#growSlots();
    const number = this.#size;
    const start = this.#start(number);
    const end = start + to - from;
    while (end > this.#bytes.length) this.#bytes = doubled(this.#bytes, new Uint8Array(this.#bytes.length * 2));
    if (number === this.#ends.length) this.#ends = doubled(this.#ends, new Uint32Array(number * 2));
    this.#slots[this.#slotOf(bytes, from, to)] = number + 1;
    this.#bytes.set(bytes.subarray(from, to), start);
    this.#ends[number] = end;
    this.#size++;
    return number;
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!;
  }

  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(bytes, from, to) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]!;
      if (entry === 0 || this.#equals(entry - 1, bytes, from, to)) return slot;
    }
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    for (let number = 0; number < this.#size; number++) {
      const slot = this.#slotOf(this.#bytes, this.#start(number), this.#ends[number]!);
      this.#slots[slot] = number + 1;
    }
  }

  #equals(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#start(number);
    const length = to - from;
    if (this.#ends[number]! - start !== length) return false;
    const own = this.#bytes;
    for (let i = 0; i < length; i++) if (own[start + i] !== bytes[from + i]) return false;
    return true;
  }
}

/** FNV-1a, 32 bits, and its high half mixed into the low one, which alone picks the slot. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193);
  return value ^ (value >>> 16);
}

function doubled<A extends Uint8Array | Uint32Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}
