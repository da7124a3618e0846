// What the handlers work with. A serving thread puts it together (src/serve/thread.ts).

import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceState } from '../access/service-state.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import type { Tier } from '../domain/tiers.ts';
import type { ApiError } from '../errors.ts';
import type { ExportFailure, ExportRequest } from '../export/export-files.ts';
import type { ExportFile } from '../export/export-folder.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import type { Snapshot } from '../snapshot/table.ts';
import type { Store } from '../store/store.ts';
import type { Streams } from '../stream/streams.ts';
import type { HttpObserver } from './observe/http-observer.ts';
import type { Requester } from './wire/answer.ts';
import type { HeaderLines } from './wire/head.ts';
import type { TrustedProxy } from './wire/trusted-proxy.ts';

export interface ServiceContext {
  /** Of the program. */
  readonly version: string;
  readonly group: string;
  /** Base URL for absolute links, without a trailing slash; null: from the request. */
  readonly publicUrl: string | null;
  /** The proxies whose forwarding headers are believed; null: none. */
  readonly trustProxy: TrustedProxy | null;
  /** How long a client may cache a response. */
  readonly maxAgeSeconds: number;
  /** The prices are simulated, and every response says so. */
  readonly simulated: boolean;
  /** Requests need no API key. */
  readonly open: boolean;
  /** The command that creates an API key for this server, for people who are on its machine; null: it is not shown. */
  readonly keyCommand: string | null;
  /** Memory for parsed plans and rendered pages. */
  readonly cacheBytes: number;
  /** For histories of single assets, and for their bars. */
  readonly historyBytes: number;
  readonly barsBytes: number;
  /** State of the service, shared with the other threads. */
  readonly state: ServiceState;
  /** The service is not ready once its data is older than this; 0: never. */
  readonly staleAfterSeconds: number;
  /** A request that has waited longer than this, in milliseconds, is refused; 0: never. */
  readonly shedAfterMs: number;
  /** Null until there is data. */
  snapshot(): Snapshot | null;
  /** Why there is no data yet, and what to do. */
  readonly whyNotReady: () => string;
  profile(assetNumber: AssetNumber): Promise<SourcedProfile | null>;
  readonly closes: Store['publishedCloses'];
  readonly origins: Store['publishedOrigins'];
  readonly loads: Store['loadsOf'];
  readonly bars: Store['publishedBars'];
  readonly recentCloses: Store['closes'];
  /** The snapshot of a past day, or one with the inactive assets. It may be of a newer publication than `current`. Fails with an ApiError if too many days are requested. */
  past(current: Snapshot, wanted: PastDay, requester: Requester): Snapshot | Promise<Snapshot>;
  readonly alerts: Store['alerts'];
  /**
   * The current snapshot with the optional columns. If it has none, they are published first, from then on with each publication. Fails
   * with an ApiError if that takes too long.
   */
  optional(current: Snapshot): Snapshot | Promise<Snapshot>;
  /** The Parquet file of a dataset, made if it is of the current publication. */
  exportFile(request: ExportRequest): Promise<ExportFile | ExportFailure>;
  /** An export file that should exist does not. */
  exportLost(path: string): void;
  /** The open streams of this thread. */
  readonly streams: Streams;
  /** The slot of an API key that `authenticate` accepted, by its public id. */
  slotOf(key: string): number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The API key of a request, without counting it; null if it has none that is accepted. */
  readonly identify: Identify;
  /** Checks the API key of a request, and counts it against the limits. */
  readonly authenticate: Authenticate;
  /** The metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  /** Records every request. */
  readonly observer: HttpObserver;
  /** Records an error that the client did not cause. */
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

export type Authenticate = (caller: Caller) => Grant;

export type Identify = (caller: Caller) => { readonly id: string; readonly tier: Tier } | null;
