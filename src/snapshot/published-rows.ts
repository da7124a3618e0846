// The published rows of every asset, listed or not, as columns that are written in place: what listings are gathered from.
//
// Rows lie where their asset's slot says. They stay in this thread and are never served themselves.

import { INDICATORS } from '../domain/columns.ts';
import type { CurrentRow } from '../store/store.ts';

const NONE = -1;

export class PublishedRows {
  #capacity = 0;
  /** Day of the latest close; -1 without a row. */
  day = new Int32Array();
  /** Days from the first close to the latest, both included. */
  history = new Uint32Array();
  price = new Float64Array();
  /** One array for each indicator, in catalogue order. */
  values: Float64Array[] = INDICATORS.map(() => new Float64Array());

  reserve(slots: number): void {
    if (slots <= this.#capacity) return;
    const capacity = Math.max(slots, Math.ceil(this.#capacity * 1.25));
    this.day = grown(new Int32Array(capacity).fill(NONE), this.day);
    this.history = grown(new Uint32Array(capacity), this.history);
    this.price = grown(new Float64Array(capacity), this.price);
    this.values = this.values.map(column => grown(new Float64Array(capacity), column));
    this.#capacity = capacity;
  }

  set(slot: number, row: CurrentRow): void {
    if (row.values.length !== INDICATORS.length) {
      throw new Error(`a published row has ${row.values.length} indicators, but the catalogue ${INDICATORS.length}`);
    }
    this.day[slot] = row.day;
    this.history[slot] = row.history;
    this.price[slot] = servable(row.price);
    for (let i = 0; i < row.values.length; i++) this.values[i]![slot] = servable(row.values[i]!);
  }

  clear(): void {
    this.day.fill(NONE);
  }

  /** -1 without a row. */
  firstDay(slot: number): number {
    const day = this.day[slot]!;
    return day === NONE ? NONE : day - this.history[slot]! + 1;
  }
}

function grown<A extends Int32Array | Uint32Array | Float64Array>(larger: A, old: A): A {
  larger.set(old);
  return larger;
}

/** What JSON can write, one form each: no infinities, no -0, one NaN. */
function servable(value: number): number {
  return Number.isFinite(value) ? value + 0 : Number.NaN;
}
