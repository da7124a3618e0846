// What the endpoints of TradingView's Universal Data Feed have in common: the start of their paths, their errors, and the names of assets.

import { type Interval, isFinerThanDay } from '../../../domain/interval.ts';
import { listedAsset } from '../../../query/execute/find-named.ts';
import type { IndexedAsset } from '../../../snapshot/table.ts';
import { endpointsOf } from '../endpoint.ts';
import { UDF_ERRORS } from '../error-bodies.ts';
import type { Market } from '../market.ts';
import { textParameter, wordParameter } from '../parameters.ts';

export const udfEndpoint = endpointsOf<Market>({
  tag: 'UDF',
  base: '/v1/{group}/udf/',
  errorForm: UDF_ERRORS,
  idDoc: '',
  coins: market => market,
});

/** Every asset is of one exchange, because a chart shows its name. */
export const EXCHANGE = 'TIDEMARK';
export const TYPE = 'crypto';

/** In UDF's words, with ours. Charts ask for `D` as well as for `1D`. */
export const RESOLUTIONS: ReadonlyMap<string, Interval> = new Map([
  ['1', '1m'],
  ['5', '5m'],
  ['15', '15m'],
  ['30', '30m'],
  ['60', '1h'],
  ['240', '4h'],
  ['720', '12h'],
  ['1D', '1d'],
  ['1W', '1w'],
  ['1M', '1mo'],
]);

/** Of the intervals that there are. */
export function resolutions(has: (interval: Interval) => boolean): {
  readonly all: string[];
  readonly intraday: string[];
} {
  const found = [...RESOLUTIONS].filter(([, interval]) => has(interval));
  const intraday = found.filter(([, interval]) => isFinerThanDay(interval));
  return { all: found.map(([name]) => name), intraday: intraday.map(([name]) => name) };
}

export const SYMBOL = textParameter(`Id or ticker of the asset, with or without \`${EXCHANGE}:\` before it.`, true);

/** Charts repeat the currency that `symbols` states. */
export const CURRENCY = wordParameter('Currency of the prices.', ['usd']);

export function assetOf({ snapshot }: Market, symbol: string): IndexedAsset {
  const own = symbol.toUpperCase().startsWith(`${EXCHANGE}:`) ? symbol.slice(EXCHANGE.length + 1) : symbol;
  return listedAsset(snapshot.assetIndex, own, 'symbol');
}
