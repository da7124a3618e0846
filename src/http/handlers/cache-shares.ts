// How a thread's part of `--cache` is shared out.

export const CACHE_SHARES = {
  /** Rendered pages of all listings together. */
  pages: 0.865,
  /** Of each of the two listings: with the default some two thousand questions. */
  listingPlans: 0.05,
  /** Fewer: each asset has its own, and to find its history takes longer than to read the question. */
  historyPlans: 0.025,
  /** Small tables that take long to compute. */
  statistics: 0.01,
} as const;
