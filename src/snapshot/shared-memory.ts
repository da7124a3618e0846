// Zeroed typed arrays in memory that all threads share.

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
 * Columns of the same length in one block of memory, which is returned to the operating system as a whole. Many small blocks that
 * come and go with every table would fragment the heap.
 */
export function sharedDoubleColumns(count: number, length: number): Float64Array<SharedArrayBuffer>[] {
  const all = sharedDoubles(count * length);
  return Array.from({ length: count }, (_, i) => all.subarray(i * length, (i + 1) * length));
}

export interface ExternalMemory {
  /**
   * External-memory accounting: as large as the shared memory of its owner, and never touched, so that it has no pages. V8 does not
   * count shared memory, so unused tables would stay until something else triggers a garbage collection. V8 does count this buffer.
   */
  readonly external: ArrayBuffer;
}

/** Of a table's bytes, V8 counts this share, or all but `WAITING_BYTES` if that is more. */
const COUNTED_SHARE = 1 / 4;
const WAITING_BYTES = 48 * 2 ** 20;

/**
 * For tables that every snapshot replaces. If V8 counted all of their bytes, each snapshot of 50,000 assets would make every serving
 * thread collect all garbage, which delays its requests by milliseconds. This way several small tables wait for one collection.
 */
export function tableMemory(bytes: number): ExternalMemory {
  return externalMemory(Math.ceil(Math.max(COUNTED_SHARE * bytes, bytes - WAITING_BYTES)));
}

/** Resizable, because a plain buffer may get memory that has to be cleared, which would block a serving thread for milliseconds. */
export function externalMemory(bytes: number): ExternalMemory {
  return { external: new ArrayBuffer(bytes, { maxByteLength: bytes }) };
}
