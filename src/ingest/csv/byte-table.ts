// Numbers texts by their bytes, so that a row whose symbol was seen before needs no string.

export class ByteTable {
  readonly #texts: Uint8Array[] = [];
  /** Open addressing: number + 1 of a text, 0 where free; its length is a power of two, at most half of it used. */
  #slots = new Int32Array(256);
  #last = -1;

  get size(): number {
    return this.#texts.length;
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
    const following = last + 1 < this.#texts.length ? last + 1 : 0;
    if (last >= 0 && equal(this.#texts[last]!, bytes, from, to)) return last;
    return this.#texts.length > 0 && equal(this.#texts[following]!, bytes, from, to) ? following : -1;
  }

  /** Numbers a text that `find` did not find: the next whole number, from 0. */
  add(bytes: Uint8Array, from: number, to: number): number {
    if (this.#texts.length * 2 >= this.#slots.length) this.#grow();
    this.#slots[this.#slotOf(bytes, from, to)] = this.#texts.push(copy(bytes, from, to));
    return this.#texts.length - 1;
  }

  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(bytes, from, to) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]!;
      if (entry === 0 || equal(this.#texts[entry - 1]!, bytes, from, to)) return slot;
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    for (let i = 0; i < this.#texts.length; i++) {
      const text = this.#texts[i]!;
      this.#slots[this.#slotOf(text, 0, text.length)] = i + 1;
    }
  }
}

/** `slice` of a Buffer would share the bytes, which are soon overwritten. */
function copy(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return Uint8Array.from(bytes.subarray(from, to));
}

/** FNV-1a, 32 bits, and its high half mixed into the low one, which alone picks the slot. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193);
  return value ^ (value >>> 16);
}

function equal(text: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (text[i] !== bytes[from + i]) return false;
  return true;
}
