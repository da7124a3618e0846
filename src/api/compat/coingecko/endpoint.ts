// What the endpoints in CoinGecko's shapes have in common: the start of their paths, their errors, and the ids of their coins.

import { ApiError, type ErrorCode, quoted } from '../../../errors.ts';
import type { Answer, ApiRequest } from '../../../http/wire/answer.ts';
import type { IndexedAsset } from '../../../snapshot/asset-index.ts';
import type { ServiceContext } from '../../context.ts';
import { type Endpoint, type Examples, endpoint } from '../../endpoint.ts';
import { type JsonObject, pathParameter } from '../../json-schema.ts';
import type { QueryParameters } from '../../parameters.ts';
import { conditional, json, OF_DATA } from '../../responses.ts';
import { COINGECKO_ERRORS } from '../error-bodies.ts';
import { type Market, marketOf } from '../market.ts';
import { type CoinIds, coinIdsOf } from './coin-ids.ts';

const ERRORS: readonly ErrorCode[] = [
  'duplicate_parameter',
  'bad_encoding',
  'query_too_long',
  'missing_parameter',
  'invalid_value',
  'unknown_asset',
  'not_in_tier',
  'columns_pending',
];

/** What a request works with. */
export interface Coins {
  readonly market: Market;
  readonly ids: CoinIds;
}

interface CoinGeckoFacts<V> {
  readonly id: string;
  /** Behind `/coingecko/api/v3/`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: QueryParameters<V>;
  readonly schema: JsonObject;
  /** Whether it reads optional columns of the listing; true unless it says no. */
  readonly readsOptional?: boolean;
  readonly examples?: Examples;
  readonly handle: (context: ServiceContext, request: ApiRequest, coins: Coins, values: V) => Answer | Promise<Answer>;
}

export function coinGeckoEndpoint<V>({
  path,
  schema,
  readsOptional = true,
  handle,
  ...facts
}: CoinGeckoFacts<V>): Endpoint {
  const named = path.includes('{id}') ? { pathParameters: [COIN_ID] } : {};
  return endpoint({
    ...facts,
    ...named,
    path: `/coingecko/api/v3/${path}`,
    tag: 'CoinGecko',
    errors: ERRORS,
    errorForm: COINGECKO_ERRORS,
    response: conditional("In CoinGecko's shape.", json(schema), OF_DATA, ['Content-Encoding', 'X-Limit-Applied']),
    handle: context => async (request, values) => {
      const market = await marketOf(context, readsOptional);
      const ids = await request.run(coinIdsOf(market.snapshot));
      return handle(context, request, { market, ids }, values);
    },
  });
}

const COIN_ID = pathParameter(
  'id',
  'Id of the coin, as `coins/list` has it: our id without the ticker. Our own ids work as well.',
);

export function coinOf({ ids }: Coins, id: string): IndexedAsset {
  const found = ids.find(id);
  if (found === null) throw new ApiError('unknown_asset', `There is no coin ${quoted(id)}.`);
  return found;
}

/** Rounds as `precision` says: `full` and no value leave the number as it is. */
export function rounding(precision: string | null): (value: number | null) => number | null {
  if (precision === null || precision === 'full') return value => value;
  return value => (value === null ? null : Number(value.toFixed(Number(precision))));
}
