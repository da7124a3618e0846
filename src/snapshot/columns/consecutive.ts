// The integers 0, 1, 2, … in one array per thread. The days of a history are consecutive, and so are the row numbers of rows that are
// already in order; without this array, each history would allocate copies of its own.

let memory = new SharedArrayBuffer(0);

/** To be read only. */
export function consecutive(from: number, count: number): Int32Array<SharedArrayBuffer> {
  if (4 * (from + count) > memory.byteLength) grow(from + count);
  return new Int32Array(memory, 4 * from, count);
}

/** Row numbers in their own order. To be read only. */
export function rowNumbers(rows: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(consecutive(0, rows).buffer, 0, rows);
}

function grow(needed: number): void {
  memory = new SharedArrayBuffer(4 * 2 ** Math.ceil(Math.log2(needed)));
  const numbers = new Int32Array(memory);
  for (let i = 0; i < numbers.length; i++) numbers[i] = i;
}
