// What the handlers work with; the command line puts it together.

import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceState } from '../access/service-state.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import type { Tier } from '../domain/tiers.ts';
import type { ApiError } from '../errors.ts';
import type { ReadCloses } from '../snapshot/histories.ts';
import type { Snapshot } from '../snapshot/table.ts';
import type { HttpObserver } from './observe/http-observer.ts';
import type { HeaderLines } from './wire/head.ts';
import type { TrustedProxy } from './wire/trusted-proxy.ts';

export interface ServiceContext {
  readonly group: string;
  /** Base URL for absolute links, without a trailing slash; null: from the request. */
  readonly publicUrl: string | null;
  /** The proxies whose forwarding headers are believed; null: none. */
  readonly trustProxy: TrustedProxy | null;
  /** How long a client may keep an answer. */
  readonly maxAgeSeconds: number;
  /** The prices are simulated: every answer says so. */
  readonly simulated: boolean;
  /** Everybody may ask, without a key. */
  readonly open: boolean;
  /** For finished pages. */
  readonly cacheBytes: number;
  /** How the service is; shared with the other threads. */
  readonly state: ServiceState;
  /** Age of the data from which on the service is not ready; 0: never. */
  readonly staleAfterSeconds: number;
  /** Wait from which on requests are refused, in milliseconds; 0: never. */
  readonly shedAfterMs: number;
  /** Null until there is data. */
  snapshot(): Snapshot | null;
  /** Why there is no data yet, and what to do. */
  readonly whyNotReady: () => string;
  profile(key: AssetNumber): Promise<SourcedProfile | null>;
  readonly closes: ReadCloses;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Who asks, and what they may. */
  readonly authenticate: Authenticate;
  /** The metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  /** Is told of every request. */
  readonly observer: HttpObserver;
  /** An error that is nobody's but ours. */
  readonly onInternalError: (error: unknown, requestId: string) => void;
}

export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** The same for all requests on one connection. */
  readonly connection: object;
  /** The client's address; behind a trusted proxy, the one that the proxy names. */
  readonly address: string;
}

/** `headers` go onto the answer, whether the caller is let in or refused; `key` is the public id of a key that is known. */
export type Grant =
  | { readonly tier: Tier; readonly key: string | null; readonly headers: HeaderLines }
  | {
      readonly refusal: ApiError;
      readonly key: string | null;
      readonly headers: HeaderLines;
      /** The answer waits for so long: whoever goes on asking after many refusals is not answered at once. */
      readonly holdMs: number;
    };

export type Authenticate = (caller: Caller) => Grant;
