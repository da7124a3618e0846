// What rows are sorted by: whether two rows tie, which have nothing to be sorted by, and where values begin in an order.

import type { ColumnData } from '../snapshot/table.ts';
import { compareTexts } from '../snapshot/texts.ts';

/** Positions of an order: `from … to - 1`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function isNull(data: ColumnData, row: number): boolean {
  switch (data.kind) {
    case 'number':
      return Number.isNaN(data.values[row]!);
    case 'text':
      return data.missing[row] === 1;
    case 'day':
      return data.values[row]! < 0;
    case 'flag':
      return false;
  }
}

/** For rows that are not null. */
export function sameKey(data: ColumnData, a: number, b: number): boolean {
  return data.kind === 'text' ? compareTexts(data, a, data, b) === 0 : data.values[a] === data.values[b];
}

/** The first of `from … to` for which `holds` is false; it must be true up to there and false from there on. */
export function partitionPoint(from: number, to: number, holds: (position: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
