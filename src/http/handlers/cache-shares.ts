// How the part of `--cache` that a thread has is divided.

export const CACHE_SHARES = {
  /** Rendered pages of all listings together. */
  pages: 0.865,
  /** Parsed plans of each listing: about 2,000 with the default `--cache`. */
  listingPlans: 0.05,
  /** Fewer: each asset has its own, and reading a history takes longer than parsing its query. */
  historyPlans: 0.025,
  /** Small tables that take long to compute. */
  statistics: 0.01,
} as const;
