// Tiers of API keys: rows per page, requests per second, requests per day, streams at once, the weight of their requests when the
// server is busy, and whether they include exports and alerts.

import { nearest } from '../common/nearest.ts';

export interface Tier {
  readonly name: string;
  /** Most rows per page; a larger `limit` is lowered to it. */
  readonly maxRows: number;
  /** Rows per page without `limit`. */
  readonly defaultRows: number;
  /** Requests per second in the long run. */
  readonly rate: number;
  /** Requests at once, after a long enough pause. */
  readonly burst: number;
  /** Requests per UTC day. */
  readonly quota: number;
  /** Streams open at once. */
  readonly streams: number;
  /** When the server is busy, an API key with twice the weight gets twice the processor time. */
  readonly weight: number;
  /** Whether it includes whole datasets as one file. */
  readonly export: boolean;
  /** Whether it includes the list of saved alerts, which belong to the operator. */
  readonly alerts: boolean;
}

export const TIERS = {
  free: {
    name: 'free',
    maxRows: 5,
    defaultRows: 5,
    rate: 2,
    burst: 10,
    quota: 2_000,
    streams: 2,
    weight: 1,
    export: false,
    alerts: false,
  },
  basic: {
    name: 'basic',
    maxRows: 100,
    defaultRows: 100,
    rate: 10,
    burst: 50,
    quota: 100_000,
    streams: 10,
    weight: 2,
    export: false,
    alerts: false,
  },
  pro: {
    name: 'pro',
    maxRows: 1_000,
    defaultRows: 100,
    rate: 50,
    burst: 250,
    quota: 2_000_000,
    streams: 100,
    weight: 4,
    export: true,
    alerts: false,
  },
  unlimited: {
    name: 'unlimited',
    maxRows: 100_000,
    defaultRows: 100,
    rate: 10_000,
    burst: 20_000,
    quota: 1_000_000_000,
    streams: 100_000,
    weight: 8,
    export: true,
    alerts: false,
  },
} as const satisfies Readonly<Record<string, Tier>>;

export type Tiers = ReadonlyMap<string, Tier>;

/** What a tier includes or not. */
const RIGHTS = ['export', 'alerts'] as const;
type Right = (typeof RIGHTS)[number];

interface TierSetting {
  readonly field: Exclude<keyof Tier, 'name' | Right>;
  readonly low: number;
  readonly high: number;
}

/** The names in the setting. The bounds keep the arithmetic exact. */
const TIER_SETTINGS: Readonly<Record<string, TierSetting>> = {
  rows: { field: 'maxRows', low: 1, high: 1_000_000 },
  default: { field: 'defaultRows', low: 1, high: 1_000_000 },
  rate: { field: 'rate', low: 0.001, high: 1_000_000 },
  burst: { field: 'burst', low: 1, high: 1_000_000 },
  quota: { field: 'quota', low: 1, high: 2_000_000_000 },
  streams: { field: 'streams', low: 0, high: 1_000_000 },
  weight: { field: 'weight', low: 1, high: 1000 },
};

/**
 * The built-in tiers, changed and added to by a text such as `free: rate=1 quota=500; team: rows=500 rate=20`. What an entry
 * does not say stays as it was, or is as in `basic` for a new tier.
 */
export function resolveTiers(text: string): Tiers {
  const tiers = new Map<string, Tier>(Object.entries(TIERS));
  for (const entry of text.split(';').map(part => part.trim())) {
    if (entry === '') continue;
    const [, name, settings] = /^([a-z][a-z0-9-]{0,30})\s*:\s*(.*)$/.exec(entry) ?? [];
    if (name === undefined || settings === undefined) {
      throw new TierError(
        `'${entry}' is not a tier; write NAME: rows=100 default=100 rate=10 burst=50 quota=100000 streams=10 weight=2 export=no alerts=no`,
      );
    }
    const base = tiers.get(name) ?? { ...TIERS.basic, name };
    const tier = settings
      .split(/[\s,]+/)
      .filter(Boolean)
      .reduce(withSetting, base);
    // Lowering the rows of a tier lowers its default too.
    tiers.set(name, { ...tier, defaultRows: Math.min(tier.defaultRows, tier.maxRows) });
  }
  return tiers;
}

function withSetting(tier: Tier, text: string): Tier {
  const [key = '', value = ''] = text.split('=');
  if (RIGHTS.some(right => right === key)) {
    if (value !== 'yes' && value !== 'no') {
      throw new TierError(`${key} of the tier ${tier.name} is yes or no, not '${value}'`);
    }
    return { ...tier, [key]: value === 'yes' };
  }
  const setting = Object.hasOwn(TIER_SETTINGS, key) ? TIER_SETTINGS[key] : undefined;
  if (setting === undefined) {
    const meant = nearest(key, [...Object.keys(TIER_SETTINGS), ...RIGHTS]);
    throw new TierError(`the tier ${tier.name} has no '${key}'${meant === null ? '' : `; did you mean ${meant}?`}`);
  }
  const { field, low, high } = setting;
  const number = Number(value);
  const whole = field === 'rate' || Number.isInteger(number);
  if (value === '' || !whole || !(number >= low && number <= high)) {
    throw new TierError(`${key} of the tier ${tier.name} is a number from ${low} to ${high}, not '${value}'`);
  }
  return { ...tier, [field]: number };
}

export class TierError extends Error {
  override readonly name = 'TierError';
  readonly hint = "Example: --tiers 'free: rate=1 quota=500; team: rows=500 rate=20'";
}
