// Cells as sort keys: whether a cell is null, and whether two rows tie.

import { compareTexts } from '../../snapshot/columns/texts.ts';
import type { ColumnData } from '../../snapshot/table.ts';

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
