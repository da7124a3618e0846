// Typed arrays in memory that all threads share: zeroed ones of a length, or views of memory that there is already.

export type LengthOrMemory = number | SharedArrayBuffer;

export function sharedDoubles(from: LengthOrMemory): Float64Array<SharedArrayBuffer> {
  return new Float64Array(memoryFor(from, 8));
}

export function sharedIntegers(from: LengthOrMemory): Int32Array<SharedArrayBuffer> {
  return new Int32Array(memoryFor(from, 4));
}

export function sharedCounts(from: LengthOrMemory): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(memoryFor(from, 4));
}

export function sharedBytes(from: LengthOrMemory): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(memoryFor(from, 1));
}

function memoryFor(from: LengthOrMemory, bytesEach: number): SharedArrayBuffer {
  return typeof from === 'number' ? new SharedArrayBuffer(bytesEach * from) : from;
}

/**
 * Columns of the same length in one block of memory, which is returned to the operating system as a whole. Many small blocks that
 * come and go with every table would fragment the heap.
 */
export function sharedDoubleColumns(
  count: number,
  length: number,
  from: LengthOrMemory = count * length,
): Float64Array<SharedArrayBuffer>[] {
  const all = sharedDoubles(from);
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

/**
 * The integers 0, 1, 2, … in one array per thread. The days of a history are consecutive, and so are the row numbers of rows that are
 * already in order; without this array, each history would allocate copies of its own.
 */
let integers = new SharedArrayBuffer(0);

/** To be read only. */
export function consecutive(from: number, count: number): Int32Array<SharedArrayBuffer> {
  if (4 * (from + count) > integers.byteLength) grow(from + count);
  return new Int32Array(integers, 4 * from, count);
}

/** Row numbers in their own order. To be read only. */
export function rowNumbers(rows: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(consecutive(0, rows).buffer, 0, rows);
}

function grow(needed: number): void {
  integers = new SharedArrayBuffer(4 * 2 ** Math.ceil(Math.log2(needed)));
  const numbers = new Int32Array(integers);
  for (let i = 0; i < numbers.length; i++) numbers[i] = i;
}
