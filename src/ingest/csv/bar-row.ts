// One row of a CSV file on its way into a bar. One object is filled again for each row: millions of them would be slow.

import { isPrice } from '../../domain/price.ts';

/** A number that the row does not give is NaN. */
export interface BarRow {
  /** The asset's number in the file. */
  asset: number;
  /** Milliseconds since 1970-01-01 UTC. */
  instant: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  line: number;
}

export function emptyRow(): BarRow {
  const none = Number.NaN;
  return { asset: 0, instant: none, open: none, high: none, low: none, close: none, volume: none, line: 0 };
}

/** The number of the period that it lies in; its length is in milliseconds. */
export function periodOf(row: BarRow, length: number): number {
  return Math.floor(row.instant / length);
}

/** Whether the pipeline will accept it: its other numbers are possible, or were left out. */
export function isSound({ close }: BarRow): boolean {
  return isPrice(close);
}
