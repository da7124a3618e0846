// Scratch buffers that queries reuse, so that a query allocates no more than its page. A query never awaits anything, so one set
// per thread is enough.

import { RowBitmap } from './row-bitmap.ts';

let rows = new Uint32Array(0);
let keys = new Float64Array(0);

export const bitmap = new RowBitmap();

export function rowBuffer(length: number): Uint32Array {
  if (rows.length < length) rows = new Uint32Array(length);
  return rows;
}

export function keyBuffer(length: number): Float64Array {
  if (keys.length < length) keys = new Float64Array(length);
  return keys;
}
