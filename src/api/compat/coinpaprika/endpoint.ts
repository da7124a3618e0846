// What the endpoints in CoinPaprika's shapes have in common: the start of their paths, their errors, and the ids of their coins.

import { ApiError, quoted } from '../../../errors.ts';
import type { IndexedAsset } from '../../../snapshot/table.ts';
import { endpointsOf } from '../endpoint.ts';
import { COINPAPRIKA_ERRORS } from '../error-bodies.ts';
import type { Market } from '../market.ts';

export const coinPaprikaEndpoint = endpointsOf<Market>({
  tag: 'CoinPaprika',
  base: '/coinpaprika/v1/',
  errorForm: COINPAPRIKA_ERRORS,
  idDoc: 'Id of the coin.',
  coins: market => market,
});

/** By id alone: CoinPaprika does not look tickers up. */
export function coinOf({ snapshot }: Market, id: string): IndexedAsset {
  const found = snapshot.assetIndex.byId(id);
  if (found === null) throw new ApiError('unknown_asset', `Unknown coin ${quoted(id)}.`);
  return found;
}
