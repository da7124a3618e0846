// Walks along the ascending order of a column, ascending or descending. Descending is not the reverse: ties stay ascending, and nulls
// stay last. A descending walk goes backwards from one run of equal values to the next, forwards inside a run, and ends with the
// nulls.

import { partitionPoint } from '../../common/partition-point.ts';
import type { ColumnData } from '../../snapshot/table.ts';
import type { RowBitmap } from './row-bitmap.ts';
import { isNull, type Span, sameKey } from './sort-keys.ts';

export class OrderedRows {
  readonly #data: ColumnData;
  readonly #order: Uint32Array;
  readonly #descending: boolean;
  readonly #span: Span;
  /** The start of the nulls; used by a descending walk only. */
  readonly #nulls: number;
  /** The current run; the whole span when ascending. */
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

  /** Writes the next rows, at most `max`, and returns their number: 0 at the end. */
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

  /** Goes to the row with this index in the walk, without visiting the rows before it. */
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

  /** Goes to the selected row with this index among all selected rows, which number `total` and are in the span. */
  seekSelected(bitmap: RowBitmap, index: number, total: number): void {
    const { from, to } = this.#span;
    const { words } = bitmap;
    const order = this.#order;
    if (!this.#descending) {
      this.#at = positionOfSelected(words, order, from, to, index, total);
      return;
    }
    const nulls = countSelected(words, order, this.#nulls, to);
    const values = total - nulls;
    if (index >= values) {
      this.#enterNulls(positionOfSelected(words, order, this.#nulls, to, index - values, nulls));
      return;
    }
    // If most rows tie, as those of the latest day do, counting the rows before their run is faster than counting the run.
    this.#enterRunAround(this.#nulls - 1);
    if (this.#runTo - this.#runFrom > (this.#nulls - from) / 2) {
      const inRun = values - countSelected(words, order, from, this.#runFrom);
      if (index < inRun) {
        this.#at = positionOfSelected(words, order, this.#runFrom, this.#runTo, index, inRun);
        return;
      }
    }
    // Ties do not matter until the run is found.
    const position = positionOfSelected(words, order, from, this.#nulls, values - 1 - index, values);
    this.#enterRunAround(position);
    const behind = countSelected(words, order, position + 1, this.#runTo);
    const inRun = behind + 1 + countSelected(words, order, this.#runFrom, position);
    this.#at = positionOfSelected(words, order, this.#runFrom, this.#runTo, behind, inRun);
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

  /** A run may be as long as the table (all rows of one day), so its start is found by galloping search. */
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

/** The position of the selected row with this index among the `total` ones between `from` and `to`, counted from the nearer end. */
function positionOfSelected(
  words: Int32Array,
  order: Uint32Array,
  from: number,
  to: number,
  index: number,
  total: number,
): number {
  if (index < total / 2) {
    let position = from;
    for (let left = index + 1; left > 0; position++) left -= bitOf(words, order[position]!);
    return position - 1;
  }
  let position = to;
  for (let left = total - index; left > 0; position--) left -= bitOf(words, order[position - 1]!);
  return position;
}

function countSelected(words: Int32Array, order: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let position = from; position < to; position++) count += bitOf(words, order[position]!);
  return count;
}

/** 1 or 0, to be added up. */
function bitOf(words: Int32Array, row: number): number {
  return (words[row >>> 5]! >>> (row & 31)) & 1;
}
