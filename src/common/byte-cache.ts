// A cache bounded in bytes, with CLOCK eviction: a hit sets a reference bit; when space is needed, a pointer cycles over the
// entries, clears set bits and evicts the first entry whose bit is clear. It approximates LRU, and a hit moves nothing.

interface Entry<V> {
  readonly value: V;
  bytes: number;
  referenced: boolean;
}

/** Memory of a cached response beside its bytes and its key: the entry, and the objects that hold both. */
const OVERHEAD_BYTES = 500;
/** V8 lets garbage grow about as large as what is in use before it collects it. */
const HEAP_FACTOR = 2;
/** A larger buffer has memory of its own, outside of V8's heap, in whole pages of the operating system. */
const OWN_MEMORY_BYTES = 16 * 2 ** 10;
const PAGE_BYTES = 4096;

/** The size of a response of `bytes` in a cache. */
export function responseSize(key: string, bytes: number): number {
  const inHeap = OVERHEAD_BYTES + key.length;
  if (bytes <= OWN_MEMORY_BYTES) return HEAP_FACTOR * (inHeap + bytes);
  return HEAP_FACTOR * inHeap + PAGE_BYTES * Math.ceil(bytes / PAGE_BYTES);
}

export class ByteCache<V, K = string> {
  readonly #maxBytes: number;
  readonly #maxEntryBytes: number;
  readonly #onRemoved: (value: V) => void;
  readonly #entries = new Map<K, Entry<V>>();
  #pointer: MapIterator<[K, Entry<V>]> = this.#entries.entries();
  #bytes = 0;

  /** `onRemoved` gets every value that was cached and no longer is. A value of more than `maxEntryBytes` would evict too much. */
  constructor(maxBytes: number, onRemoved: (value: V) => void = () => {}, maxEntryBytes: number = maxBytes / 2) {
    this.#maxBytes = maxBytes;
    this.#onRemoved = onRemoved;
    this.#maxEntryBytes = maxEntryBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.referenced = true;
    return entry.value;
  }

  /** False when the value is not cached because it is too large. */
  set(key: K, value: V, bytes: number): boolean {
    this.#remove(key);
    if (bytes > this.#maxEntryBytes) return false;
    while (this.#bytes + bytes > this.#maxBytes) this.#evictOne();
    this.#entries.set(key, { value, bytes, referenced: false });
    this.#bytes += bytes;
    return true;
  }

  /** A cached value has become larger. It may be evicted. */
  resize(key: K, bytes: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.bytes === bytes) return;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    if (bytes > this.#maxEntryBytes) this.#remove(key);
    this.shrinkTo(this.#maxBytes);
  }

  /** Evicts entries until no more than so many bytes are left. */
  shrinkTo(bytes: number): void {
    while (this.#bytes > bytes) this.#evictOne();
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#remove(key);
  }

  /** There is an entry, because bytes are in use. */
  #evictOne(): void {
    for (;;) {
      const { done, value } = this.#pointer.next();
      if (done) this.#pointer = this.#entries.entries();
      else if (value[1].referenced) value[1].referenced = false;
      else {
        this.#remove(value[0]);
        return;
      }
    }
  }

  #remove(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    this.#entries.delete(key);
    this.#onRemoved(entry.value);
  }
}
