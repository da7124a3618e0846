// What the HTTP server needs of the service behind it.

import type { ApiError } from '../errors.ts';
import type { Authenticate, Identify } from './authentication/grant.ts';
import type { HttpObserver } from './observe/http-observer.ts';
import type { Problem } from './wire/problem.ts';
import type { TrustedProxy } from './wire/trusted-proxy.ts';

export interface HttpService {
  /** The proxies whose forwarding headers are believed; null: none. */
  readonly trustProxy: TrustedProxy | null;
  /** The prices are simulated, and every response says so. */
  readonly simulated: boolean;
  /** A request that has waited longer than this, in milliseconds, is refused; 0: never. */
  readonly shedAfterMs: number;
  readonly state: { readonly stopping: boolean };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The API key of a request, without counting it; null if it has none that is accepted. */
  readonly identify: Identify;
  /** Checks the API key of a request, and counts it against the limits. */
  readonly authenticate: Authenticate;
  /** Records every request. */
  readonly observer: HttpObserver;
  /** Records an error that the client did not cause. */
  readonly onInternalError: (error: unknown, requestId: string) => void;
}

/** The error of a path without a route, and its form if it is not a problem of RFC 9457. */
export type NotFound = (path: string) => { readonly error: ApiError; readonly form: Problem | null };
