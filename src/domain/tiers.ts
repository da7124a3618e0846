// What a key may ask for: rows a page, requests a second, requests a day.

export interface Tier {
  readonly name: string;
  /** Rows a page at most; a larger `limit` is lowered to it. */
  readonly maxRows: number;
  readonly defaultRows: number;
}

export const TIERS = {
  free: { name: 'free', maxRows: 5, defaultRows: 5 },
  basic: { name: 'basic', maxRows: 100, defaultRows: 100 },
  pro: { name: 'pro', maxRows: 1000, defaultRows: 100 },
  unlimited: { name: 'unlimited', maxRows: 100_000, defaultRows: 100 },
} as const satisfies Readonly<Record<string, Tier>>;
