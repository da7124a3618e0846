// Who sends a request, and what it may do: the interface of authentication.

import type { IncomingHttpHeaders } from 'node:http';
import type { Tier } from '../../domain/tiers.ts';
import type { ApiError } from '../../errors.ts';
import type { HeaderLines } from '../wire/head.ts';

export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** The same for all requests on one connection. */
  readonly connection: object;
  /** The client's address; behind a trusted proxy, the one that the proxy names. */
  readonly address: string;
}

/** `headers` are added to the response in both cases; `key` is the public id of a known API key. */
export type Grant =
  | {
      readonly tier: Tier;
      readonly key: string | null;
      readonly headers: HeaderLines;
      /** Signs a path with the API key; only if the key came in the URL. */
      readonly sign?: (path: string) => string;
    }
  | {
      readonly refusal: ApiError;
      readonly key: string | null;
      readonly headers: HeaderLines;
      /** How long the response is held back (see protection/tarpit.ts); 0: not. */
      readonly holdMs: number;
    };

export type Granted = Exclude<Grant, { readonly refusal: ApiError }>;

export type Authenticate = (caller: Caller) => Grant;

export type Identify = (caller: Caller) => { readonly id: string; readonly tier: Tier } | null;
