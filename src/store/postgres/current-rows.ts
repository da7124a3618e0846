// Published rows on their way out of the database.

import type { Day } from '../../domain/day.ts';
import type { CurrentRow } from '../port/store.ts';

/** Rows that share one memory for their values: a million small ones would take twice as much. */
const ROWS_AT_ONCE = 1024;

export class CurrentRows {
  readonly rows: CurrentRow[] = [];
  readonly #columns: number;
  #room = new Float64Array(0);
  #used = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Adds a row whose values are to be filled in. */
  add(assetNumber: number, day: number, history: number, price: number): CurrentRow {
    if (this.#used + this.#columns > this.#room.length) {
      this.#room = new Float64Array(ROWS_AT_ONCE * this.#columns);
      this.#used = 0;
    }
    const values = this.#room.subarray(this.#used, this.#used + this.#columns);
    this.#used += this.#columns;
    // Only days from the domain are ever stored.
    const row = { assetNumber, day: day as Day, history, price, values };
    this.rows.push(row);
    return row;
  }
}
