// A cache with a bound in bytes. When it is full, a hand goes round over the entries, as on a clock: what was asked for since it
// last came by stays, what was not is forgotten. So a hit costs one look-up and a mark, and there is no list to keep in order.

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
  wanted: boolean;
}

export class ByteCache<V> {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry<V>>();
  #hand: MapIterator<[string, Entry<V>]> = this.#entries.entries();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.wanted = true;
    return entry.value;
  }

  /** What takes more than half of all is not kept: it would drive out too much. */
  set(key: string, value: V, bytes: number): void {
    this.#forget(key);
    if (bytes > this.#maxBytes / 2) return;
    while (this.#bytes + bytes > this.#maxBytes) this.#forgetOne();
    this.#entries.set(key, { value, bytes, wanted: false });
    this.#bytes += bytes;
  }

  /** There is one: entries take bytes. */
  #forgetOne(): void {
    for (;;) {
      const { done, value } = this.#hand.next();
      if (done) this.#hand = this.#entries.entries();
      else if (value[1].wanted) value[1].wanted = false;
      else {
        this.#forget(value[0]);
        return;
      }
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
