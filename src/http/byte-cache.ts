// A cache with a bound in bytes. It has two generations: what is asked for again moves to the young one, and when that is full
// the old one is dropped with all that nobody asked for since. So a hit costs one look-up, and there is no list to keep in order.

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
}

export class ByteCache<V> {
  readonly #generationBytes: number;
  #young = new Map<string, Entry<V>>();
  #old = new Map<string, Entry<V>>();
  #youngBytes = 0;

  constructor(maxBytes: number) {
    this.#generationBytes = maxBytes / 2;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young.value;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old.value, old.bytes);
    return old?.value;
  }

  /** What is larger than a generation is not kept. */
  set(key: string, value: V, bytes: number): void {
    if (bytes > this.#generationBytes) return;
    if (this.#youngBytes + bytes > this.#generationBytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#youngBytes += bytes - (this.#young.get(key)?.bytes ?? 0);
    this.#young.set(key, { value, bytes });
  }
}
