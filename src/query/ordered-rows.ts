// Row numbers in the order of a listing, along the ascending order that the table keeps. Descending is not that order
// backwards: rows that tie stay ascending, and nulls stay last. So a descending walk goes backwards from one run of equal
// values to the next, forwards inside a run, and comes to the nulls at the end.

import type { ColumnData } from '../snapshot/table.ts';
import type { Marks } from './marks.ts';
import { isNull, partitionPoint, sameKey } from './sort-keys.ts';

/** Positions of an order: `from … to - 1`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export class OrderedRows {
  readonly #data: ColumnData;
  readonly #order: Uint32Array;
  readonly #descending: boolean;
  readonly #span: Span;
  /** Where the nulls begin; only a descending walk has to know. */
  readonly #nulls: number;
  /** The run that is being walked: all of the span when ascending. */
  #runFrom: number;
  #runTo: number;
  #at: number;
  #inNulls = false;

  /** A span begins and ends between runs, never inside one. */
  constructor(data: ColumnData, order: Uint32Array, descending: boolean, span: Span) {
    this.#data = data;
    this.#order = order;
    this.#descending = descending;
    this.#span = span;
    this.#nulls = descending ? partitionPoint(span.from, span.to, p => !isNull(data, order[p]!)) : span.to;
    this.#runFrom = descending ? this.#nulls : span.from;
    this.#runTo = descending ? this.#nulls : span.to;
    this.#at = this.#runFrom;
  }

  /** Writes the next rows, at most `max`, and returns how many they are: 0 at the end. */
  next(out: Uint32Array, max: number): number {
    let count = 0;
    while (count < max && (this.#at < this.#runTo || this.#enterNextRun())) {
      const copied = Math.min(max - count, this.#runTo - this.#at);
      for (let i = 0; i < copied; i++) out[count + i] = this.#order[this.#at + i]!;
      this.#at += copied;
      count += copied;
    }
    return count;
  }

  /** Goes to the row with this index in the walk, without walking there. */
  seek(index: number): void {
    const { from, to } = this.#span;
    const values = this.#nulls - from;
    if (!this.#descending) this.#at = Math.min(from + index, to);
    else if (index >= values) this.#enterNulls(Math.min(from + index, to));
    else {
      this.#enterRunAround(this.#nulls - 1 - index);
      this.#at = this.#runFrom + index - (this.#nulls - this.#runTo);
    }
  }

  /**
   * Goes behind the first `count` rows that are marked; false when they are not found in that many steps. Ties do not matter
   * until the last run, so only marks are looked at.
   */
  skipMarked(marks: Marks, count: number, steps: number): boolean {
    const order = this.#order;
    const start = this.#at;
    let left = count;
    if (this.#descending) {
      const last = Math.max(this.#span.from, this.#nulls - steps);
      let position = this.#nulls;
      while (position > last && left >= 0) left -= marks.has(order[--position]!);
      if (left < 0) {
        this.#enterRunAround(position);
        left = 0;
        for (let p = position + 1; p < this.#runTo; p++) left += marks.has(order[p]!);
      } else if (last > this.#span.from) return false;
      else this.#enterNulls(this.#nulls);
    }
    const last = this.#descending ? this.#runTo : Math.min(this.#runTo, start + steps);
    while (left > 0 && this.#at < last) left -= marks.has(order[this.#at++]!);
    return left <= 0;
  }

  #enterNextRun(): boolean {
    if (!this.#descending || this.#inNulls) return false;
    if (this.#runFrom > this.#span.from) {
      this.#runTo = this.#runFrom;
      this.#runFrom = this.#at = this.#startOfRun(this.#runTo - 1);
    } else this.#enterNulls(this.#nulls);
    return this.#at < this.#runTo;
  }

  #enterNulls(at: number): void {
    this.#inNulls = true;
    this.#runFrom = this.#nulls;
    this.#runTo = this.#span.to;
    this.#at = at;
  }

  #enterRunAround(position: number): void {
    this.#runFrom = this.#at = this.#startOfRun(position);
    this.#runTo = this.#endOfRun(position);
  }

  /** A run may be as long as the table (all rows of one day), so its start is searched in growing steps. */
  #startOfRun(position: number): number {
    const { from } = this.#span;
    let step = 1;
    while (position - step >= from && this.#tie(position - step, position)) step *= 2;
    if (step === 1) return position;
    return partitionPoint(Math.max(from, position - step), position, p => !this.#tie(p, position));
  }

  #endOfRun(position: number): number {
    let step = 1;
    while (position + step < this.#nulls && this.#tie(position + step, position)) step *= 2;
    if (step === 1) return position + 1;
    return partitionPoint(position, Math.min(this.#nulls, position + step), p => this.#tie(p, position));
  }

  #tie(a: number, b: number): boolean {
    return sameKey(this.#data, this.#order[a]!, this.#order[b]!);
  }
}
