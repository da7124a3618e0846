// Memory that one piece of work after the other uses: large blocks that come and go cause garbage collections.

export class WorkMemory {
  #words = new Uint32Array();

  /** At least so many words, with any content. */
  words(length: number): Uint32Array {
    if (this.#words.length < length) this.#words = new Uint32Array(length);
    return this.#words;
  }
}
