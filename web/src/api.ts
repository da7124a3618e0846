// The client of the HTTP API for this page: it sends the API key, respects the rate limit, and notes what responses state.

import { signal } from '@preact/signals';
import { ApiError, Tidemark, type TidemarkError } from '../../client/src/index.ts';
import { succeeded } from './failure.ts';
import { key } from './key.ts';
import { pageConfig } from './page-config.ts';

export { type Query as Params, queryString } from '../../client/src/index.ts';
export type { Cell } from './cell.ts';

/** The last response said that its prices are simulated. */
export const simulated = signal(false);
/** Milliseconds since 1970 until which requests wait for the rate limit; 0 while they don't. */
export const waitingUntil = signal(0);

export const tidemark = clientWith(() => key.value);

/** `/v1/crypto/ta-cur` for `ta-cur`. */
export function groupPath(dataset: string): string {
  return `/v1/${pageConfig.group}/${dataset}`;
}

/** Fails unless the service accepts this key. */
export async function tryKey(candidate: string): Promise<void> {
  try {
    await clientWith(() => candidate)
      .rows('ta-cur', { limit: 1 })
      .page();
  } catch (error) {
    // A key that has to wait, or that finds no data yet, is a good key.
    if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) throw error;
  }
}

/** Changes with the data of the service; null when it does not say. */
export async function dataTag(): Promise<string | null> {
  const response = await tidemark.request('assets', { limit: 1 }, { method: 'HEAD' });
  return response.headers.get('etag');
}

/** What the explorer needs of `/readyz`; nulls while the service is not ready. */
export interface Readiness {
  readonly newest_day: string | null;
  readonly inactive: number | null;
}

export async function readiness(): Promise<Readiness> {
  try {
    return await tidemark.request('/readyz', {}, { read: response => response.json() as Promise<Readiness> }); // as documented
  } catch (error) {
    if (error instanceof ApiError) return { newest_day: null, inactive: null };
    throw error;
  }
}

function clientWith(apiKey: () => string | null): Tidemark {
  return new Tidemark({
    url: location.origin,
    group: pageConfig.group,
    apiKey,
    fetch: paced,
    retryDelay: afterRateLimit,
  });
}

/** Waits for the rate limit, which all requests of the page share. */
async function paced(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  while (waitingUntil.value > Date.now()) {
    await new Promise(resolve => setTimeout(resolve, waitingUntil.value - Date.now()));
    init?.signal?.throwIfAborted();
  }
  waitingUntil.value = 0;
  // What the browser has kept may be older than the data that this page knows of, so the service is asked each time.
  const response = await fetch(url, { ...init, credentials: 'omit', cache: 'no-cache' });
  succeeded();
  simulated.value = response.headers.get('x-tidemark-simulated') === 'true';
  keepToRate(response);
  return response;
}

/** `RateLimit: "rate";r=0;t=1, …`: with none left, the next request waits. */
function keepToRate(response: Response): void {
  const [, left, seconds] = /"rate";r=(\d+);t=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? [];
  if (left === '0' && seconds !== undefined) holdFor(Number(seconds));
}

/** Requests that a rate limit stopped are sent again this often, when the wait is short. */
const ATTEMPTS = 4;
const LONGEST_WAIT_SECONDS = 15;

/** Other failures are shown at once; the notice retries by itself. */
function afterRateLimit(error: TidemarkError, attempt: number): number | null {
  if (!(error instanceof ApiError) || error.status !== 429 || attempt >= ATTEMPTS) return null;
  const wait = error.retryAfter ?? Number.POSITIVE_INFINITY;
  if (wait > LONGEST_WAIT_SECONDS) return null;
  holdFor(wait);
  return 0;
}

function holdFor(seconds: number): void {
  waitingUntil.value = Math.max(waitingUntil.value, Date.now() + seconds * 1000);
}
