// What the endpoints in CoinGecko's shapes have in common: the start of their paths, their errors, and the ids of their coins.

import { ApiError, quoted } from '../../../errors.ts';
import type { IndexedAsset } from '../../../snapshot/table.ts';
import { endpointsOf } from '../endpoint.ts';
import { COINGECKO_ERRORS } from '../error-bodies.ts';
import type { Market } from '../market.ts';
import { type CoinIds, coinIdsOf } from './coin-ids.ts';

/** What a request works with. */
export interface Coins {
  readonly market: Market;
  readonly ids: CoinIds;
}

export const coinGeckoEndpoint = endpointsOf<Coins>({
  tag: 'CoinGecko',
  base: '/coingecko/api/v3/',
  errorForm: COINGECKO_ERRORS,
  idDoc: 'Id of the coin, as `coins/list` has it: our id without the ticker. Our own ids work as well.',
  coins: async (market, request) => ({ market, ids: await request.run(coinIdsOf(market.snapshot)) }),
});

export function coinOf({ ids }: Coins, id: string): IndexedAsset {
  const found = ids.find(id);
  if (found === null) throw new ApiError('unknown_asset', `Unknown coin ${quoted(id)}.`);
  return found;
}

/** Rounds as `precision` says: `full` and no value leave the number as it is. */
export function rounding(precision: string | null): (value: number | null) => number | null {
  if (precision === null || precision === 'full') return value => value;
  return value => (value === null ? null : Number(value.toFixed(Number(precision))));
}
