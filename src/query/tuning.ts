// When which way to a page is taken. The figures only matter to speed; tests set them so that each way is taken.

export interface Tuning {
  /** Share of the rows that a walk along the order may look at before all rows are filtered instead. */
  readonly walkShare: number;
  /** Share of the rows up to which the rows that a filter leaves are listed instead of marked. */
  readonly candidateShare: number;
  /** Memory for marks of earlier queries: a bit a row and filter, of each table in each thread. */
  readonly keptBytes: number;
  /** Nanoseconds a row, measured with a million rows. */
  readonly sortNumberCost: number;
  readonly sortTextCost: number;
  readonly walkCost: number;
}

export const TUNING: Tuning = {
  walkShare: 1 / 64,
  candidateShare: 1 / 64,
  keptBytes: 4 * 2 ** 20,
  sortNumberCost: 25,
  sortTextCost: 2000,
  walkCost: 4,
};
