// Current rows on their way out of a database.

import type { Day } from '../domain/day.ts';
import type { CurrentRow } from './store.ts';

/** Rows that share one memory for their values: a million small ones would take twice as much. */
const ROWS_AT_ONCE = 1024;

/** Collects rows. The values come as little-endian doubles, like the memory of every machine that Node runs on. */
export class CurrentRows {
  readonly rows: CurrentRow[] = [];
  #room = new Float64Array(0);
  #used = 0;

  add(key: number, day: number, history: number, price: number, bytes: Uint8Array): void {
    const count = bytes.byteLength / 8;
    if (this.#used + count > this.#room.length) {
      this.#room = new Float64Array(ROWS_AT_ONCE * count);
      this.#used = 0;
    }
    const values = this.#room.subarray(this.#used, this.#used + count);
    this.#used += count;
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength).set(bytes);
    // Only days from the domain are ever stored.
    this.rows.push({ key, day: day as Day, history, price, values });
  }
}
