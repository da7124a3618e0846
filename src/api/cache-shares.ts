// How the part of `--cache` that a thread has is divided.

export const CACHE_SHARES = {
  /** Rendered pages of all listings together. */
  pages: 0.79,
  /** Parsed plans of each listing: about 2,000 with the default `--cache`. */
  listingPlans: 0.05,
  /** Of `ta-hist` and of `bars`. Fewer: each asset has its own, and reading its days takes longer than parsing the query. */
  oneAssetPlans: 0.0125,
  /** Small tables that take long to compute. */
  statistics: 0.01,
  facets: 0.005,
  /** Responses of `closes`: a small chart per row of a page. */
  closes: 0.01,
  /** Of assets, rendered. */
  profiles: 0.01,
  /** One number each, with exact arithmetic. */
  explanations: 0.01,
  /** Responses in the shapes of other services. */
  compat: 0.02,
  /** Answers of tools. */
  toolAnswers: 0.02,
} as const;
