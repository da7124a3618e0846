// What the endpoints in the shapes of another service have in common.

import type { ErrorCode } from '../../errors.ts';
import type { Answer, ApiRequest } from '../../http/wire/answer.ts';
import type { ServiceContext } from '../context.ts';
import { type Endpoint, type ErrorForm, type Examples, endpoint, type TAGS } from '../endpoint.ts';
import { type JsonObject, pathParameter } from '../json-schema.ts';
import type { QueryParameters } from '../parameters.ts';
import { conditional, json, OF_DATA } from '../responses.ts';
import { type Market, marketOf } from './market.ts';

interface OtherService<C> {
  readonly tag: Extract<keyof typeof TAGS, 'CoinGecko' | 'CoinPaprika' | 'UDF'>;
  /** The start of its paths. */
  readonly base: string;
  readonly errorForm: ErrorForm;
  /** What `{id}` in a path is. */
  readonly idDoc: string;
  /** What its handlers work with. */
  readonly coins: (market: Market, request: ApiRequest) => C | Promise<C>;
}

interface CompatFacts<C, V> {
  readonly id: string;
  /** Behind the base. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: QueryParameters<V>;
  readonly schema: JsonObject;
  /** Whether it reads optional columns of the listing; true unless it says no. */
  readonly readsOptional?: boolean;
  /** Its own codes, besides those of its parameters, of `{id}` and of optional columns. */
  readonly errors?: readonly ErrorCode[];
  readonly examples?: Examples;
  readonly handle: (context: ServiceContext, request: ApiRequest, coins: C, values: V) => Answer | Promise<Answer>;
}

/** Declares the endpoints of a service. */
export function endpointsOf<C>({ tag, base, errorForm, idDoc, coins }: OtherService<C>) {
  return <V>({ path, schema, readsOptional = true, errors = [], handle, ...facts }: CompatFacts<C, V>): Endpoint => {
    const hasId = path.includes('{id}');
    return endpoint({
      ...facts,
      ...(hasId ? { pathParameters: [pathParameter('id', idDoc)] } : {}),
      path: base + path,
      tag,
      errors: [
        ...errors,
        ...(hasId ? (['unknown_asset'] as const) : []),
        ...(readsOptional ? (['columns_pending'] as const) : []),
      ],
      errorForm,
      response: conditional(`In ${tag}'s shape.`, json(schema), OF_DATA, ['Content-Encoding', 'X-Limit-Applied']),
      handle: context => async (request, values) => {
        const market = await marketOf(context, readsOptional);
        return handle(context, request, await coins(market, request), values);
      },
    });
  };
}
