// The ways in which a request can fail, by what the user can do about it.

import { ApiError, NetworkError } from '../../client/src/index.ts';

export type Failure =
  /** No key, or one that the service refuses. */
  | { readonly kind: 'key'; readonly problem: ApiError }
  /** Too many requests; fine again after so many seconds. */
  | { readonly kind: 'limit'; readonly problem: ApiError; readonly retryAfter: number }
  /** The service has no data yet. */
  | { readonly kind: 'unready'; readonly problem: ApiError; readonly retryAfter: number }
  /** The service does not know what was asked for. */
  | { readonly kind: 'missing'; readonly problem: ApiError }
  /** What was asked is wrong. */
  | { readonly kind: 'request'; readonly problem: ApiError }
  /** The service failed. */
  | { readonly kind: 'server'; readonly problem: ApiError }
  /** No response, or a connection that broke; the page tries again after so many seconds. */
  | { readonly kind: 'network'; readonly retryAfter: number };

/** Failures of the network since the last response: each doubles the wait, up to a minute. */
let failures = 0;

export function succeeded(): void {
  failures = 0;
}

export function networkFailure(): Failure {
  return { kind: 'network', retryAfter: Math.min(60, 2 ** ++failures) };
}

/** What a `catch` caught; null for a request that the page itself gave up. */
export function failureIn(error: unknown): Failure | null {
  if (error instanceof ApiError) return failureOf(error);
  if (error instanceof NetworkError) return networkFailure();
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  throw error;
}

/** A proxy may not say how long to wait. */
const UNSAID_WAIT_SECONDS = 5;

function failureOf(problem: ApiError): Failure {
  const retryAfter = problem.retryAfter ?? UNSAID_WAIT_SECONDS;
  switch (problem.status) {
    case 401:
    case 403:
      return { kind: 'key', problem };
    case 404:
      return { kind: 'missing', problem };
    case 429:
      return { kind: 'limit', problem, retryAfter };
    case 503:
      return { kind: 'unready', problem, retryAfter };
    default:
      return { kind: problem.status < 500 ? 'request' : 'server', problem };
  }
}
