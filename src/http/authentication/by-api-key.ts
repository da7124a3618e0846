// Authentication by API key: finds the key, counts the request against its limits, and says what is left.

import type { KeyRing, RingKey } from '../../access/key-ring.ts';
import type { Penalties } from '../../access/penalties.ts';
import { type SharedLimits, shareOf, type Verdict } from '../../access/shared-limits.ts';
import { isWellFormed } from '../../domain/api-key.ts';
import { dayOfMillis, MILLIS_PER_DAY } from '../../domain/day.ts';
import type { Tier } from '../../domain/tiers.ts';
import { ApiError } from '../../errors.ts';
import { type HeaderLines, headerLines } from '../wire/head.ts';
import { networkOf } from '../wire/network.ts';
import { KnownConnections } from './connection-keys.ts';
import { KEY_HEADERS, mayHoldApiKey } from './credentials.ts';
import type { Authenticate, Caller, Grant, Identify } from './grant.ts';
import { signature, signingKey } from './link-signature.ts';

const CHALLENGE = 'Bearer realm="tidemark"';
const HOLD_MS = 1000;

export interface KeysAccessOptions {
  readonly ring: KeyRing;
  readonly limits: SharedLimits;
  readonly penalties: Penalties;
  /** How many servers share the rates. */
  readonly servers: () => number;
  /** Milliseconds since 1970: tells the day. */
  readonly now: () => number;
  /** Never goes back, the same in all threads: paces requests. */
  readonly micros: () => bigint;
  /** How long the answers to refusals beyond the allowance wait. */
  readonly holdMs?: number;
}

export const monotonicMicros = (): bigint => process.hrtime.bigint() / 1000n;

export interface KeysAccess {
  readonly identify: Identify;
  readonly authenticate: Authenticate;
}

export function keysAccess(options: KeysAccessOptions): KeysAccess {
  const { ring, limits, penalties, holdMs = HOLD_MS } = options;
  const known = new KnownConnections(ring);
  const identify = (caller: Caller) => {
    const found = findKey(caller, known, ring, options.now());
    return found instanceof ApiError ? null : found;
  };
  const authenticate = (caller: Caller): Grant => {
    const [now, micros] = [options.now(), options.micros()];
    const found = findKey(caller, known, ring, now);
    if (found instanceof ApiError) {
      // Requests without a key are counted separately: they must not make a bad key from the same network look like a guess.
      const network = networkOf(caller.address);
      const name = found.code === 'missing_key' ? `${network} without a key` : network;
      const wait = penalties.penalize(name, Number(micros) / 1000);
      return unknownCaller(found, wait, wait > 0 ? holdMs : 0);
    }
    const day = dayOfMillis(now) ?? 0;
    const toMidnight = MILLIS_PER_DAY - (now % MILLIS_PER_DAY);
    const servers = options.servers();
    const verdict = limits.take(found.slot, found.tier, micros, day, toMidnight, servers);
    const headers = limitHeaders(found.tier, servers, verdict, toMidnight);
    if (verdict.accepted) {
      const granted = { tier: found.tier, key: found.id, headers };
      // A header goes with a redirect, a parameter does not.
      return isInUrl(caller) ? { ...granted, sign: path => signature(found, path, now) } : granted;
    }
    const seconds = inSeconds(verdict.retryInMs);
    const wait = penalties.penalize(found.id, Number(micros) / 1000);
    const refusal = aboveLimit(found.tier, verdict.by, seconds);
    const waiting = headers + headerLines('retry-after', seconds);
    return { refusal, key: found.id, headers: waiting, holdMs: wait > 0 ? holdMs : 0 };
  };
  return { identify, authenticate };
}

/** Made once, because a flood of bad keys must cost little: an Error collects its stack when it is made. */
const REFUSALS = {
  missing_key: new ApiError('missing_key', 'This path requires an API key.', {
    hint: "Send it as 'Authorization: Bearer KEY', 'X-API-Key: KEY' or 'api_key=KEY'.",
  }),
  mistyped_key: new ApiError('mistyped_key', 'The API key is mistyped: its form or its checksum is wrong.', {
    hint: 'Copy the whole API key again, from tdm_ to its last character.',
  }),
  unknown_key: new ApiError('unknown_key', 'This service does not have this API key.', {
    hint: 'It may belong to another server.',
  }),
  revoked_key: new ApiError('revoked_key', 'The API key was revoked.', { hint: 'Ask the operator for a new one.' }),
  expired_key: new ApiError('expired_key', 'The API key has expired.', { hint: 'Ask the operator for a new one.' }),
  too_many_bad_keys: new ApiError('too_many_bad_keys', 'Too many invalid API keys came from this address.', {
    hint: 'Wait Retry-After seconds. Valid API keys still work.',
  }),
} as const;

function findKey(caller: Caller, known: KnownConnections, ring: KeyRing, now: number): RingKey | ApiError {
  const key = known.recall(caller) ?? known.find(caller) ?? signingKey(ring, caller.url, now);
  if (key instanceof ApiError) return key;
  if (key === null) return REFUSALS.missing_key;
  if (typeof key === 'string') return isWellFormed(key) ? REFUSALS.unknown_key : REFUSALS.mistyped_key;
  return refusalOf(key, now) ?? key;
}

/** Why an API key is no longer accepted; null if it is. */
export function refusalOf(key: RingKey, now: number): ApiError | null {
  if (key.revoked) return REFUSALS.revoked_key;
  return key.expires !== null && (dayOfMillis(now) ?? 0) > key.expires ? REFUSALS.expired_key : null;
}

function isInUrl({ headers, url }: Caller): boolean {
  const inHeader = headers.authorization !== undefined || KEY_HEADERS.some(name => headers[name] !== undefined);
  return !inHeader && mayHoldApiKey(url);
}

/** Only refusals are slowed down: a client that shares an address with a guesser is not locked out. */
function unknownCaller(refusal: ApiError, wait: number, holdMs: number): Grant {
  if (refusal.code === 'missing_key') {
    return { refusal, key: null, headers: headerLines('www-authenticate', CHALLENGE), holdMs };
  }
  if (wait > 0) {
    const headers = headerLines('retry-after', inSeconds(wait));
    return { refusal: REFUSALS.too_many_bad_keys, key: null, headers, holdMs };
  }
  const challenge = headerLines('www-authenticate', `${CHALLENGE}, error="invalid_token"`);
  return { refusal, key: null, headers: refusal.status === 401 ? challenge : '', holdMs };
}

function limitHeaders(tier: Tier, servers: number, verdict: Verdict, msToMidnight: number): HeaderLines {
  const rate = `"rate";r=${verdict.tokens};t=${Math.ceil(verdict.fullInMs / 1000)}`;
  const quota = `"day";r=${verdict.quotaLeft};t=${inSeconds(msToMidnight)}`;
  return policyOf(tier, servers) + headerLines('ratelimit', `${rate}, ${quota}`);
}

const policies = new WeakMap<Tier, { readonly servers: number; readonly lines: HeaderLines }>();

/** What this server grants; servers join and leave rarely. */
function policyOf(tier: Tier, servers: number): HeaderLines {
  const known = policies.get(tier);
  if (known?.servers === servers) return known.lines;
  const { burst, seconds } = shareOf(tier, servers);
  const rate = `"rate";q=${burst};w=${inSeconds(seconds * 1000)}`;
  const lines = headerLines('ratelimit-policy', `${rate}, "day";q=${tier.quota};w=86400`);
  policies.set(tier, { servers, lines });
  return lines;
}

/** Kept for the common waits, for the reason that refusals are. */
const aboveLimits = new WeakMap<Tier, Map<number, ApiError>>();
const WAITS_KEPT = 100;

function aboveLimit(tier: Tier, by: 'rate' | 'quota', seconds: number): ApiError {
  const kept = aboveLimits.get(tier) ?? new Map<number, ApiError>();
  aboveLimits.set(tier, kept);
  // The words on the quota do not depend on the wait.
  const name = by === 'quota' ? -1 : seconds;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const error =
    by === 'quota'
      ? new ApiError('quota_exceeded', `All ${tier.quota} requests of this UTC day are used.`, {
          hint: 'The quota resets at midnight UTC; a larger tier has more.',
        })
      : new ApiError('rate_limited', `More than ${tier.rate} requests per second.`, {
          hint: `Wait ${seconds} s. After a longer pause, several requests at once are allowed.`,
        });
  if (kept.size < WAITS_KEPT) kept.set(name, error);
  return error;
}

/** Whole seconds, at least one, rounded up: a client that waits so long has waited long enough. */
function inSeconds(millis: number): number {
  return Math.max(1, Math.ceil(millis / 1000));
}
