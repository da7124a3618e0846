// Typed arrays in memory that every thread can use, zeroed.

export function sharedDoubles(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(8 * length));
}

export function sharedIntegers(length: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4 * length));
}

export function sharedCounts(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}

export function sharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/**
 * Columns of the same length in one piece of memory, which goes back to the system as a whole: many small pieces that come and go
 * with every table would leave holes that only some of the next ones fit into.
 */
export function sharedDoubleColumns(count: number, length: number): Float64Array<SharedArrayBuffer>[] {
  const all = sharedDoubles(count * length);
  return Array.from({ length: count }, (_, i) => all.subarray(i * length, (i + 1) * length));
}

export interface ExternalMemory {
  /**
   * As large as the shared memory of its owner, and never touched, so that the system gives it no pages. V8 does not count shared
   * memory: what nobody uses any more would stay until something else brings about a garbage collection. This it counts.
   */
  readonly external: ArrayBuffer;
}

/** A resizable one: others may be given memory that was used before, and clearing it would stop a serving thread for milliseconds. */
export function externalMemory(bytes: number): ExternalMemory {
  return { external: new ArrayBuffer(bytes, { maxByteLength: bytes }) };
}
