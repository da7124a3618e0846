// The market that past days are tested on: also with assets that are not there every day.

import { MARKET, type MarketAsset, marketSource } from './market.ts';

/** One that stopped long ago, and is delisted. */
export const GONE: MarketAsset = {
  symbol: 'GONE',
  name: 'Gone',
  closes: [1, 2, 3, 4, 5],
  age: 40,
  profile: { is_active: false, rank: 3 },
};
/** One with a gap: its closes before it, and those after it. */
export const GAP: MarketAsset = { symbol: 'GAPPY', name: 'Gappy', closes: [10, 11], age: 30, profile: {} };
export const GAP_LATER: MarketAsset = { ...GAP, closes: [12, 13, 14], age: 20 };

export const PAST_ASSETS: readonly MarketAsset[] = [...MARKET, GONE, GAP];
export const pastSources = () => [marketSource(PAST_ASSETS), marketSource([GAP_LATER])];
