// Scratch buffers that queries reuse, so that a query allocates no more than its page. A query takes a set of them for as long as it
// runs: queries that run in steps take turns, and each has its own.

import { RowBitmap } from './row-bitmap.ts';

export class Scratch {
  readonly bitmap = new RowBitmap();
  #rows = new Uint32Array(0);
  #keys = new Float64Array(0);

  rowBuffer(length: number): Uint32Array {
    if (this.#rows.length < length) this.#rows = new Uint32Array(length);
    return this.#rows;
  }

  keyBuffer(length: number): Float64Array {
    if (this.#keys.length < length) this.#keys = new Float64Array(length);
    return this.#keys;
  }
}

/** The one that is not in use. Further ones exist only while several queries are in progress. */
let spare: Scratch | null = null;

export function takeScratch(): Scratch {
  const taken = spare ?? new Scratch();
  spare = null;
  return taken;
}

export function giveBack(scratch: Scratch): void {
  spare = scratch;
}
