// The declaration of an endpoint. Its route, the parsing of its parameters, its errors, its OpenAPI operation, its line in the reference
// and its examples follow from it.

import { fillPath } from '../domain/paths.ts';
import type { ErrorCode } from '../errors.ts';
import { type Document, documentHandler } from '../http/document.ts';
import type { Route } from '../http/routes.ts';
import type { Answer, ApiRequest, Handler } from '../http/wire/answer.ts';
import type { RequestHeader, ResponseHeader } from '../http/wire/headers.ts';
import type { Problem } from '../http/wire/problem.ts';
import type { ServiceContext } from './context.ts';
import type { JsonObject } from './json-schema.ts';
import type { QueryParameters } from './parameters.ts';

export const TAGS = {
  Listings: 'Tables of rows with one envelope, and one set of parameters for paging, sorting and filtering.',
  Exports: 'Whole datasets as files.',
  Profiles: 'The profile of one asset.',
  Agents: 'The same data for AI agents: the Model Context Protocol.',
  Streams: 'Server-Sent Events: the server sends each change when it happens.',
  CoinGecko:
    "CoinGecko's paths and shapes, with the data of this service, for programs that were written for CoinGecko.",
  CoinPaprika:
    "CoinPaprika's paths and shapes, with the data of this service, for programs that were written for CoinPaprika.",
  freqtrade: 'Pair lists for the trading bot freqtrade.',
  UDF: "TradingView's Universal Data Feed, for charting libraries that read it.",
  Service: 'Description and status of the service. No API key required.',
} as const;

/** What OpenAPI says of a response, besides the headers that every response of the endpoint has. */
export interface ResponseFacts {
  readonly description?: string;
  readonly headers?: readonly ResponseHeader[];
  /** By media type. */
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
}

/** By name: what it shows, and what follows the part of the path that is always the same: an id, or a query string with its `?`. */
export type Examples = Readonly<Record<string, readonly [summary: string, request: string]>>;

interface Facts {
  /** Its `operationId`. */
  readonly id: string;
  /** As OpenAPI writes it. `{group}` comes first; other names stand at the end, or before a last part that is always the same. */
  readonly path: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description?: string;
  /** The names in its path, as OpenAPI describes them. */
  readonly pathParameters?: readonly JsonObject[];
  /** Headers that it reads, besides those of every request and `If-None-Match`. */
  readonly requestHeaders?: readonly RequestHeader[];
  /** By status. */
  readonly response: Readonly<Record<number, ResponseFacts>>;
  /** The schemas that its responses refer to. */
  readonly schemas?: JsonObject;
  readonly examples?: Examples;
  /** The name under which its requests are counted, if not its path. */
  readonly label?: string;
}

type Handle<V> = (context: ServiceContext) => (request: ApiRequest, parameters: V) => Answer | Promise<Answer>;

/** Errors in another form than a problem of RFC 9457: those of another service, whose paths the endpoint has. */
export interface ErrorForm {
  readonly answer: Problem;
  readonly statusOf: (code: ErrorCode) => number;
  /** Of the body. */
  readonly schema: JsonObject;
}

interface DataFacts<V> {
  readonly kind?: 'data' | 'stream';
  readonly parameters: QueryParameters<V>;
  /** Its own codes, besides those of its parameters and of every endpoint with data. */
  readonly errors: readonly ErrorCode[];
  readonly errorForm?: ErrorForm;
  readonly handle: Handle<V>;
}

interface ToolFacts {
  readonly errors: readonly ErrorCode[];
  readonly requestBody: JsonObject;
  readonly post: (context: ServiceContext) => NonNullable<Route['post']>;
  readonly handle: (context: ServiceContext) => Handler;
}

interface DocumentFacts {
  /** `endpoints`: all of them. */
  readonly document: (context: ServiceContext, endpoints: readonly Endpoint[]) => Document;
  /** Served also when the server is overloaded. */
  readonly urgent?: boolean;
}

interface ProbeFacts {
  readonly answer: (context: ServiceContext) => () => Answer;
}

export interface Endpoint extends Facts {
  readonly method: 'get' | 'post';
  readonly needsApiKey: boolean;
  /** Of the query string, as OpenAPI describes them. */
  readonly parameters: readonly JsonObject[];
  /** All codes that it can answer with, except those that can happen to any request. */
  readonly errors: readonly ErrorCode[];
  readonly errorForm?: ErrorForm;
  readonly requestBody?: JsonObject;
  readonly route: (context: ServiceContext, endpoints: readonly Endpoint[]) => Route;
}

/** Those of every request with an API key. */
const KEYED_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'missing_key',
  'bad_authorization',
  'mistyped_key',
  'unknown_key',
  'revoked_key',
  'expired_key',
  'conflicting_keys',
  'rate_limited',
  'too_many_at_once',
  'quota_exceeded',
  'too_many_bad_keys',
  'overloaded',
];
/** Those of every endpoint with data. */
const DATA_ERRORS: readonly ErrorCode[] = [...KEYED_ERRORS, 'store_unavailable', 'no_data'];

/** An endpoint with data, for clients with an API key. */
export function endpoint<V>({
  kind = 'data',
  parameters,
  errors,
  handle,
  errorForm,
  ...facts
}: Facts & DataFacts<V>): Endpoint {
  return {
    ...facts,
    method: 'get',
    needsApiKey: true,
    parameters: parameters.described,
    errors: [...DATA_ERRORS, ...parameters.errors, ...errors],
    ...(errorForm === undefined ? {} : { errorForm }),
    route: context => {
      const [parse, handler] = [parameters.parser(context), handle(context)];
      const parsed = (query: string) => {
        const values = parse(query);
        return (request: ApiRequest) => handler(request, values);
      };
      const other = errorForm === undefined ? {} : { problem: errorForm.answer, slashesRepeat: true };
      return { ...placeOf(facts, context), kind, parse: parsed, ...other };
    },
  };
}

/** An endpoint that is called by POST, with an API key. */
export function toolEndpoint({ errors, handle, post, ...facts }: Facts & ToolFacts): Endpoint {
  return {
    ...facts,
    method: 'post',
    needsApiKey: true,
    parameters: [],
    errors: [...KEYED_ERRORS, ...errors],
    route: context => {
      const handler = handle(context);
      return { ...placeOf(facts, context), kind: 'tools', parse: () => handler, post: post(context) };
    },
  };
}

/** A document that is the same for every client, and open to all. */
export function documentEndpoint({ document, urgent = false, ...facts }: Facts & DocumentFacts): Endpoint {
  return {
    ...facts,
    ...OPEN,
    route: (context, endpoints) => ({
      ...documentRoute(placeOf(facts, context), document(context, endpoints)),
      urgent,
    }),
  };
}

/** A file of a page has a route, and is not described. */
export function documentRoute(place: Pick<Route, 'path' | 'label'>, document: Document): Route {
  const handle = documentHandler(document);
  return { ...place, kind: 'document', parse: () => handle };
}

/** A few bytes that are made at once, and open to all. */
export function probeEndpoint({ answer, ...facts }: Facts & ProbeFacts): Endpoint {
  return {
    ...facts,
    ...OPEN,
    route: context => {
      const handle = answer(context);
      return { ...placeOf(facts, context), kind: 'probe', urgent: true, parse: () => handle };
    },
  };
}

const OPEN = { method: 'get', needsApiKey: false, parameters: [], errors: ['bad_request'] } as const;

/** `*` stands for all that differs between the requests. */
function placeOf({ path, label }: Facts, { group }: ServiceContext): Pick<Route, 'path' | 'segments' | 'label'> {
  const [start = '', rest] = splitPath(path, group);
  if (rest === undefined) return { path: start };
  // `{id}/market_chart` has an end that is always the same; `{dataset}.parquet` has not.
  const [names = rest, end = ''] = rest.split(/(?<=\})(\/[^{]+)$/);
  const place = { path: `${start}*${end}`, segments: names.split('/').length };
  return label === undefined ? place : { ...place, label: fillPath(label, { group }) };
}

/** What is the same for all requests, and what differs. */
function splitPath(path: string, group: string): string[] {
  return path.replace('{group}', group).split(/(?=\{)(.*)/, 2);
}

/** The example requests of an endpoint, to the group of the demo. */
export function exampleRequests({
  path,
  examples = {},
}: Endpoint): { name: string; summary: string; request: string }[] {
  const [start = ''] = splitPath(path, 'crypto');
  return Object.entries(examples).map(([name, [summary, request]]) => ({ name, summary, request: start + request }));
}
