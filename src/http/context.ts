// What the handlers work with; the command line puts it together.

import type { AssetKey } from '../domain/asset.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import type { Tier } from '../domain/tiers.ts';
import type { Snapshot } from '../snapshot/table.ts';

export interface ServiceContext {
  readonly group: string;
  /** Base URL for absolute links, without a trailing slash; null: from the request. */
  readonly publicUrl: string | null;
  /** Whether `Forwarded` and `X-Forwarded-*` come from a proxy of our own. */
  readonly trustProxy: boolean;
  /** How long a client may keep an answer. */
  readonly maxAgeSeconds: number;
  /** The prices are simulated: every answer says so. */
  readonly simulated: boolean;
  /** Null until there is data. */
  snapshot(): Snapshot | null;
  /** Why there is no data yet, and what to do. */
  readonly whyNotReady: () => string;
  profile(key: AssetKey): Promise<SourcedProfile | null>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Who asks, and what they may. Throws an ApiError for somebody who may not ask at all. */
  readonly authenticate: Authenticate;
  /** An error that is nobody's but ours. */
  readonly onInternalError: (error: unknown, requestId: string) => void;
}

export interface Credentials {
  /** `Authorization` and `X-API-Key` as sent. */
  readonly authorization: string | undefined;
  readonly apiKeyHeader: string | undefined;
  /** `api_key=` of the query. */
  readonly apiKeyParameter: string | null;
}

export interface Principal {
  readonly tier: Tier;
}

export type Authenticate = (credentials: Credentials) => Principal;
