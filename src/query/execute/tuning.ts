// The figures by which a query chooses its access path. They affect speed only; tests set them so that each path is taken.

export interface Tuning {
  /** Share of the rows that a walk along the order may visit before all rows are filtered instead. */
  readonly walkShare: number;
  /** Share of the rows up to which the rows that a filter leaves are listed instead of put into a bitmap. */
  readonly candidateShare: number;
  /** Memory for the bitmaps of earlier queries, per table and thread: one bit per row and filter. */
  readonly bitmapCacheBytes: number;
  /** Nanoseconds per row, measured with a million rows. */
  readonly sortNumberCost: number;
  readonly sortTextCost: number;
  readonly walkCost: number;
}

export const TUNING: Tuning = {
  walkShare: 1 / 64,
  candidateShare: 1 / 64,
  bitmapCacheBytes: 4 * 2 ** 20,
  sortNumberCost: 25,
  sortTextCost: 2000,
  walkCost: 4,
};
