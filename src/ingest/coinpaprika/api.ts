// The requests to CoinPaprika: addresses, key, pace, and what each refusal means to the person who runs the load.

import { isObject, type Json } from '../field-reader.ts';
import { type HttpClientOptions, type HttpFault, httpClient } from '../http-client.ts';
import { SourceError } from '../source.ts';

export const FREE_URL = 'https://api.coinpaprika.com/v1';
export const PAID_URL = 'https://api-pro.coinpaprika.com/v1';

/** Its FAQ: ten requests per second per address. */
const REQUESTS_PER_SECOND = 10;

/**
 * The key goes into `Authorization` bare: so says the OpenAPI description, its only example, and the official clients do it.
 * The introduction of the documentation says `Bearer KEY` instead; both cannot be true.
 */
const authorization = (key: string): string => key;

export interface ApiOptions {
  readonly apiKey: string | null;
  readonly baseUrl: string;
  /** For tests: time-outs and a clock of their own. */
  readonly http?: HttpClientOptions;
}

export interface Api {
  /** Address of a path for people. */
  url(path: string): string;
  /** A list that the whole load depends on. */
  list(path: string, signal: AbortSignal): Promise<readonly unknown[]>;
  /** It concerns one asset: the others go on. */
  ask(path: string, signal: AbortSignal): Promise<AssetAnswer>;
}

export type AssetAnswer =
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly detail: string };

/** The provider will not answer any more requests like this one. */
export class Refusal extends SourceError {
  readonly status: number;

  constructor(status: number, message: string, hint: string) {
    super(message, hint);
    this.status = status;
  }
}

/** Failures in a row after which the provider counts as down. */
const FAILURES_IN_A_ROW = 3;

export function coinpaprikaApi(options: ApiOptions): Api {
  const base = options.baseUrl.replace(/\/+$/, '');
  const key = options.apiKey;
  const client = httpClient({
    requestsPerSecond: REQUESTS_PER_SECOND,
    inspect: hiddenError,
    ...options.http,
    headers: {
      accept: 'application/json',
      'user-agent': 'tidemark',
      ...(key === null ? {} : { authorization: authorization(key) }),
    },
    secrets: key === null ? [] : [key],
  });
  let failures = 0;
  const url = (path: string) => `${base}${path}`;

  return {
    url,
    async list(path, signal) {
      const outcome = await client.getJson(url(path), signal);
      if (!outcome.ok) throw refusal(url(path), outcome.fault);
      if (Array.isArray(outcome.body)) return outcome.body;
      throw new SourceError(
        `${url(path)} did not answer with a list`,
        'see that the base URL is one of CoinPaprika’s API',
      );
    },
    async ask(path, signal) {
      const outcome = await client.getJson(url(path), signal);
      if (outcome.ok) {
        failures = 0;
        return { kind: 'answer', body: outcome.body };
      }
      const { fault } = outcome;
      if (fault.kind === 'status' && fault.status === 404) return { kind: 'unknown' };
      if (isRefused(fault) || ++failures >= FAILURES_IN_A_ROW) throw refusal(url(path), fault);
      return { kind: 'failed', detail: describe(fault) };
    },
  };
}

/** The used-up quota was seen with status 200: `{"type":"payment_required","error":"request limits were reached"}`. */
function hiddenError(body: unknown): { status: number; detail: string } | null {
  if (!isObject(body)) return null;
  const { type, error }: Json & { type?: unknown; error?: unknown } = body;
  if (typeof error !== 'string') return null;
  if (type === 'payment_required') return { status: 402, detail: error };
  // No good answer has a member `error`.
  return { status: /request limit/i.test(error) ? 429 : 400, detail: error };
}

function isRefused(fault: HttpFault): boolean {
  return fault.kind === 'status' && [401, 402, 403, 418, 429].includes(fault.status);
}

function refusal(url: string, fault: HttpFault): SourceError {
  const goOn = 'what was loaded stays, and repeating the command goes on from there';
  const status = fault.kind === 'status' ? fault.status : null;
  switch (status) {
    case 402:
      return new Refusal(
        402,
        `CoinPaprika refuses ${url}: ${describe(fault)}`,
        `the quota is used up, or the plan does not include this: wait until it is renewed or use the key of a higher plan; ${goOn}`,
      );
    case 401:
    case 403:
      return new Refusal(
        status,
        `CoinPaprika does not accept the API key for ${url}: ${describe(fault)}`,
        'check the key; without one, the free plan is used',
      );
    case 418:
    case 429:
      return new Refusal(status, `CoinPaprika wants fewer requests: ${describe(fault)}`, `wait a while; ${goOn}`);
    case 404:
      return new SourceError(`${url} does not exist`, 'see that the base URL is one of CoinPaprika’s API');
    default:
      return new SourceError(
        `CoinPaprika does not answer ${url}: ${describe(fault)}`,
        `see that the network and the provider are up; ${goOn}`,
      );
  }
}

function describe(fault: HttpFault): string {
  return fault.kind === 'status' ? `status ${fault.status}, ${fault.detail || 'without a reason'}` : fault.detail;
}
