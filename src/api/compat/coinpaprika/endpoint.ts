// What the endpoints in CoinPaprika's shapes have in common: the start of their paths, their errors, and the ids of their coins.

import { ApiError, type ErrorCode, quoted } from '../../../errors.ts';
import type { Answer, ApiRequest } from '../../../http/wire/answer.ts';
import type { IndexedAsset } from '../../../snapshot/asset-index.ts';
import type { ServiceContext } from '../../context.ts';
import { type Endpoint, endpoint } from '../../endpoint.ts';
import { type JsonObject, pathParameter } from '../../json-schema.ts';
import type { QueryParameters } from '../../parameters.ts';
import { conditional, json, OF_DATA } from '../../responses.ts';
import { COINPAPRIKA_ERRORS } from '../error-bodies.ts';
import { type Market, marketOf } from '../market.ts';

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

interface CoinPaprikaFacts<V> {
  readonly id: string;
  /** Behind `/coinpaprika/v1/`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: QueryParameters<V>;
  readonly schema: JsonObject;
  /** Whether it reads optional columns of the listing; true unless it says no. */
  readonly readsOptional?: boolean;
  readonly handle: (
    context: ServiceContext,
    request: ApiRequest,
    market: Market,
    values: V,
  ) => Answer | Promise<Answer>;
}

export function coinPaprikaEndpoint<V>({
  path,
  schema,
  readsOptional = true,
  handle,
  ...facts
}: CoinPaprikaFacts<V>): Endpoint {
  const named = path.includes('{id}') ? { pathParameters: [pathParameter('id', 'Id of the coin.')] } : {};
  return endpoint({
    ...facts,
    ...named,
    path: `/coinpaprika/v1/${path}`,
    tag: 'CoinPaprika',
    errors: ERRORS,
    errorForm: COINPAPRIKA_ERRORS,
    response: conditional("In CoinPaprika's shape.", json(schema), OF_DATA, ['Content-Encoding', 'X-Limit-Applied']),
    handle: context => async (request, values) =>
      handle(context, request, await marketOf(context, readsOptional), values),
  });
}

/** By id alone: CoinPaprika does not look tickers up. */
export function coinOf({ snapshot }: Market, id: string): IndexedAsset {
  const found = snapshot.assetIndex.byId(id);
  if (found === null) throw new ApiError('unknown_asset', `There is no coin ${quoted(id)}.`);
  return found;
}
