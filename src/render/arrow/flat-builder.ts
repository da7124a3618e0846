// Builds FlatBuffers, the form of Arrow's metadata: from the end to the start, because a table refers to parts that come after it.

/** A scalar of so many bytes; `offset` refers to a part that was built before. */
export interface Slot {
  readonly size: 1 | 2 | 4 | 8;
  readonly value: number;
  readonly offset?: true;
}

export class FlatBuilder {
  #bytes = Buffer.alloc(4096);
  /** Bytes written, counted from the end: the position of the part that was built last. */
  #used = 0;

  string(text: string): Slot {
    const bytes = Buffer.from(text);
    this.#align(4, bytes.length + 1);
    this.#scalar(1, 0);
    const at = this.#reserve(bytes.length);
    bytes.copy(this.#bytes, at);
    return this.#counted(bytes.length);
  }

  /** A list of tables. */
  tables(parts: readonly Slot[]): Slot {
    this.#align(4, 4 * parts.length);
    for (const { value } of parts.toReversed()) this.#scalar(4, this.#used + 4 - value);
    return this.#counted(parts.length);
  }

  /** A list of structs, each of so many 64-bit integers. */
  structs(numbers: readonly number[], perStruct: number): Slot {
    this.#align(8, 8 * numbers.length);
    for (const number of numbers.toReversed()) this.#scalar(8, number);
    return this.#counted(numbers.length / perStruct);
  }

  /** Fields in the order of the schema; null: the default. */
  table(slots: readonly (Slot | null)[]): Slot {
    const start = this.#used;
    const places = slots.map(slot => {
      if (slot === null) return 0;
      this.#align(slot.size, 0);
      this.#scalar(slot.size, slot.offset ? this.#used + 4 - slot.value : slot.value);
      return this.#used;
    });
    this.#align(4, 0);
    this.#scalar(4, 0);
    const table = this.#used;
    this.#align(2, 0);
    for (const place of places.toReversed()) this.#scalar(2, place === 0 ? 0 : table - place);
    this.#scalar(2, table - start);
    this.#scalar(2, 2 * (slots.length + 2));
    // The table begins with the distance to its list of fields, which stands before it.
    this.#bytes.writeInt32LE(this.#used - table, this.#bytes.length - table);
    return { size: 4, value: table, offset: true };
  }

  /** The whole buffer, a multiple of 8 bytes. */
  finish(root: Slot): Buffer {
    this.#align(8, 4);
    this.#scalar(4, this.#used + 4 - root.value);
    return this.#bytes.subarray(this.#bytes.length - this.#used);
  }

  #counted(count: number): Slot {
    this.#scalar(4, count);
    return { size: 4, value: this.#used, offset: true };
  }

  /** Zeros, so that the start of what is written after `more` bytes is a multiple of `size` from the end. */
  #align(size: number, more: number): void {
    const padding = (size - ((this.#used + more) % size)) % size;
    const at = this.#reserve(padding);
    this.#bytes.fill(0, at, at + padding);
  }

  #scalar(size: Slot['size'], value: number): void {
    const at = this.#reserve(size);
    if (size === 1) this.#bytes[at] = value;
    else if (size === 2) this.#bytes.writeUInt16LE(value, at);
    else if (size === 4) this.#bytes.writeInt32LE(value, at);
    else this.#bytes.writeBigInt64LE(BigInt(value), at);
  }

  /** Returns the index of so many bytes before what was written. It may replace `#bytes`. */
  #reserve(size: number): number {
    if (this.#used + size > this.#bytes.length) {
      const larger = Buffer.alloc(2 * (this.#bytes.length + size));
      this.#bytes.copy(larger, larger.length - this.#bytes.length);
      this.#bytes = larger;
    }
    this.#used += size;
    return this.#bytes.length - this.#used;
  }
}
