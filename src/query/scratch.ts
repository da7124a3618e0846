// Buffers that every query uses anew, so that a query allocates no more than its page. A query runs to its end without
// waiting, so one set for each thread is enough.

import { Marks } from './marks.ts';

let rows = new Uint32Array(0);
let keys = new Float64Array(0);

export const marks = new Marks();

export function rowBuffer(length: number): Uint32Array {
  if (rows.length < length) rows = new Uint32Array(length);
  return rows;
}

export function keyBuffer(length: number): Float64Array {
  if (keys.length < length) keys = new Float64Array(length);
  return keys;
}
