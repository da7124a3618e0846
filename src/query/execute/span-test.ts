// Filters whose rows are adjacent in the order of a column: ranges, and not-null.

import { partitionPoint } from '../../common/partition-point.ts';
import type { ColumnData } from '../../snapshot/table.ts';
import type { RowBitmap } from './row-bitmap.ts';
import { keepInRange, type RangeValues, type RowTest } from './row-test.ts';
import { isNull, type Span } from './sort-keys.ts';

/** The span of the order with the values from `low` to `high`. */
export function rangeSpan(values: RangeValues, order: Uint32Array, low: number, high: number): Span {
  const from = partitionPoint(0, order.length, p => values[order[p]!]! < low);
  return { from, to: partitionPoint(from, order.length, p => values[order[p]!]! <= high) };
}

export function presentSpan(data: ColumnData, order: Uint32Array): Span {
  return { from: 0, to: partitionPoint(0, order.length, p => !isNull(data, order[p]!)) };
}

abstract class SpanTest {
  readonly atMost: number;
  readonly candidates: Uint32Array;
  readonly #order: Uint32Array;
  readonly #span: Span;

  constructor(order: Uint32Array, span: Span) {
    this.atMost = span.to - span.from;
    this.candidates = order.subarray(span.from, span.to);
    this.#order = order;
    this.#span = span;
  }

  narrow(bitmap: RowBitmap): void {
    bitmap.intersectSpan(this.#order, this.#span);
  }
}

/** Both ends included. No range contains null (NaN). */
export class RangeTest extends SpanTest implements RowTest {
  readonly #values: RangeValues;
  readonly #low: number;
  readonly #high: number;

  constructor(values: RangeValues, order: Uint32Array, low: number, high: number) {
    super(order, rangeSpan(values, order, low, high));
    this.#values = values;
    this.#low = low;
    this.#high = high;
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    return keepInRange(this.#values, [this.#low, this.#high], rows, [from, to]);
  }
}

export class PresentTest extends SpanTest implements RowTest {
  readonly #data: ColumnData;

  constructor(data: ColumnData, order: Uint32Array) {
    super(order, presentSpan(data, order));
    this.#data = data;
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    let end = from;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      if (!isNull(this.#data, row)) rows[end++] = row;
    }
    return end;
  }
}
