// How the columns follow that are a number of the bar, a fact of the asset, or a day.

import type { Days, Derivation } from './definitions.ts';
import { lastDays, NOTHING, step } from './definitions.ts';
import { fromDouble, fromInteger, multiply, type Real } from './real.ts';

/** Of the asset, as a source gives them; they have no history. */
export interface AssetFigures {
  readonly rank: number | null;
  readonly supply: number | null;
}

type MarketDefinition = (days: Days, facts: AssetFigures) => Derivation;

const ofBar =
  (field: 'open' | 'high' | 'low' | 'volume'): MarketDefinition =>
  days => ({ inputs: [0], steps: [], exact: days.number(field, 0) });

const realOf = (value: number | null): Real | null => (value === null ? null : fromDouble(value));

export const MARKET_DEFINITIONS: Readonly<Record<string, MarketDefinition>> = {
  open: ofBar('open'),
  high: ofBar('high'),
  low: ofBar('low'),
  volume: ofBar('volume'),
  rank: (_, { rank }) => ({ inputs: [], steps: [], exact: realOf(rank) }),
  supply: (_, { supply }) => ({ inputs: [], steps: [], exact: realOf(supply) }),
  market_cap: (days, { supply }) => {
    const known = realOf(supply);
    if (known === null) return { inputs: [0], ...NOTHING };
    return { inputs: [0], steps: [step('supply', known)], exact: multiply(days.close(0), known) };
  },
  history: days => ({ inputs: [0], steps: [], exact: fromInteger(days.count) }),
  /** A day, which has no decimal digits. */
  ath_at: days => {
    const highest = lastDays(days.count)
      .map(i => days.close(i))
      .reduce((a, b) => (a > b ? a : b));
    return { inputs: lastDays(days.count), steps: [step('ath', highest)], exact: null };
  },
};
