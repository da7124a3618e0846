// Memory that one piece of work after the other uses: large blocks that come and go cause garbage collections.

export class WorkMemory {
  #words = new Uint32Array();
  #doubles = new Float64Array();

  /** At least so many words, with any content. */
  words(length: number): Uint32Array {
    if (this.#words.length < length) this.#words = new Uint32Array(length);
    return this.#words;
  }

  /** So many doubles, with any content. */
  doubles(length: number): Float64Array {
    if (this.#doubles.length < length) this.#doubles = new Float64Array(length);
    return this.#doubles.subarray(0, length);
  }
}
