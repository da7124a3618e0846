// Why a series cannot be computed, and at which of its bars.

export type SeriesFault =
  | 'empty_series'
  | 'length_mismatch'
  | 'unsorted_days'
  | 'day_out_of_range'
  | 'bad_price'
  | 'bad_batch';

export class SeriesError extends Error {
  override readonly name = 'SeriesError';
  readonly fault: SeriesFault;
  /** Index of the offending bar in the input; of the offset, row or table for a bad batch. */
  readonly position: number;

  constructor(fault: SeriesFault, position: number, detail: string) {
    super(`${fault} at position ${position}: ${detail}`);
    this.fault = fault;
    this.position = position;
  }
}
