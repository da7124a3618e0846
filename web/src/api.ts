// The client of the HTTP API: builds URLs, sends the API key, respects the rate limit, and turns every failure into one type.

import { signal } from '@preact/signals';
import { failureOf, networkFailure, RequestFailed, succeeded } from './failure.ts';
import { key } from './key.ts';
import { pageConfig } from './page-config.ts';
import { type Params, queryString } from './query-string.ts';

export { type Params, queryString };

export interface Answer<Body> {
  readonly body: Body;
  /** Rows per page that the API key's tier allowed for this request; null where the path has no pages. */
  readonly limitApplied: number | null;
}

/** The envelope of every listing. */
export interface Listing<Row> {
  readonly result: readonly Row[];
  readonly next: string | null;
  readonly prev: string | null;
}

/** A name or a number that a row of any listing may hold. */
export type Cell = string | number | boolean | null;

/** The last answer said that its prices are simulated. */
export const simulated = signal(false);
/** Milliseconds since 1970 until which requests wait for the rate limit; 0 while they don't. */
export const waitingUntil = signal(0);

/** A download of everything may take long; a server that is silent for longer is considered gone. */
const TIMEOUT_MS = 60_000;

/** `/v1/crypto/ta-cur` for `ta-cur`. */
export function groupPath(dataset: string): string {
  return `/v1/${pageConfig.group}/${dataset}`;
}

export async function get<Body>(path: string, params: Params = {}, signal?: AbortSignal): Promise<Answer<Body>> {
  const response = await send(path + queryString(params), 'application/json', signal);
  // The service's own tests check its responses, so the page does not.
  return { body: (await bodyOf(response.json(), signal)) as Body, limitApplied: limitOf(response) };
}

/** Fails unless the service accepts this key. */
export async function tryKey(candidate: string): Promise<void> {
  const response = await ask(`${groupPath('ta-cur')}?limit=1`, 'application/json', candidate);
  if (response.ok) return;
  const failure = await failureOf(response);
  // A key that has to wait, or that finds no data yet, is a good key.
  if (failure.kind !== 'limit' && failure.kind !== 'unready') throw new RequestFailed(failure);
}

/** Changes with the data of the service; null when it does not say. */
export async function dataTag(): Promise<string | null> {
  const response = await ask(`${groupPath('assets')}?limit=1`, 'application/json', key.value, { method: 'HEAD' });
  return response.ok ? response.headers.get('etag') : null;
}

/** What the explorer needs of `/readyz`; nulls while the service is not ready. */
export interface Readiness {
  readonly newest_day: string | null;
  readonly inactive: number | null;
}

export async function readiness(): Promise<Readiness> {
  const response = await ask('/readyz', 'application/json', null);
  return response.ok ? ((await response.json()) as Readiness) : { newest_day: null, inactive: null };
}

export interface CsvAnswer {
  readonly text: string;
  readonly next: string | null;
}

/** One page as CSV; `address` is a path with its query, such as the `next` of the page before. */
export async function getCsv(address: string, signal?: AbortSignal): Promise<CsvAnswer> {
  const response = await send(address, 'text/csv', signal);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  return { text: await bodyOf(response.text(), signal), next: next === null ? null : ownPath(next) };
}

/** A connection that breaks inside the body is a failure of the network too. */
async function bodyOf<T>(body: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await body;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestFailed(networkFailure());
  }
}

/** Links of the API name its public address, which need not be how this page reached it. */
export function ownPath(link: string): string {
  const { pathname, search } = new URL(link, location.href);
  return pathname + search;
}

/** Requests that a rate limit stopped are sent again this often, when the wait is short. */
const ATTEMPTS = 4;
const LONGEST_WAIT_SECONDS = 15;

async function send(address: string, accept: string, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    await turn(signal);
    const response = await ask(address, accept, key.value, { signal: signal ?? null });
    if (response.ok) return response;
    const failure = await failureOf(response);
    const wait = failure.kind === 'limit' ? failure.retryAfter : null;
    if (wait === null || wait > LONGEST_WAIT_SECONDS || attempt === ATTEMPTS) throw new RequestFailed(failure);
    holdFor(wait);
  }
}

async function ask(address: string, accept: string, apiKey: string | null, init: RequestInit = {}): Promise<Response> {
  const headers: Record<string, string> = { accept };
  if (apiKey !== null) headers['x-api-key'] = apiKey;
  try {
    // What the browser has kept may be older than the data that this page knows of, so the service is asked each time.
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const response = await fetch(address, { headers, credentials: 'omit', cache: 'no-cache', ...init, signal });
    succeeded();
    simulated.value = response.headers.get('x-tidemark-simulated') === 'true';
    keepToRate(response);
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RequestFailed(networkFailure());
  }
}

/** `RateLimit: "rate";r=0;t=1, …`: with none left, the next request waits. */
function keepToRate(response: Response): void {
  const [, left, seconds] = /"rate";r=(\d+);t=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? [];
  if (left === '0' && seconds !== undefined) holdFor(Number(seconds));
}

function holdFor(seconds: number): void {
  waitingUntil.value = Math.max(waitingUntil.value, Date.now() + seconds * 1000);
}

async function turn(signal?: AbortSignal): Promise<void> {
  while (waitingUntil.value > Date.now()) {
    await new Promise(resolve => setTimeout(resolve, waitingUntil.value - Date.now()));
    signal?.throwIfAborted();
  }
  waitingUntil.value = 0;
}

function limitOf(response: Response): number | null {
  const limit = response.headers.get('x-limit-applied');
  return limit === null ? null : Number(limit);
}
