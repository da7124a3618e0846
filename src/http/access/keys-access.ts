// Access by key: finds the key, counts the request, and says what is left.

import { hashOf, isWellFormed } from '../../domain/api-key.ts';
import { dayOfMillis } from '../../domain/day.ts';
import type { Tier } from '../../domain/tiers.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import type { Authenticate, Caller, Grant } from '../context.ts';
import { keyOf } from './credentials.ts';
import { Guesses } from './guesses.ts';
import type { KeyRing, RingKey } from './key-ring.ts';
import type { SharedLimits, Verdict } from './shared-limits.ts';

const DAY_MS = 86_400_000;
const CHALLENGE = 'Bearer realm="tidemark"';

export interface KeysAccessOptions {
  readonly ring: KeyRing;
  readonly limits: SharedLimits;
  /** How many servers share the rates. */
  readonly servers: () => number;
  /** Milliseconds since 1970: tells the day. */
  readonly now: () => number;
  /** Never goes back, the same in all threads: paces requests. */
  readonly micros: () => bigint;
}

export const monotonicMicros = (): bigint => process.hrtime.bigint() / 1000n;

export function keysAccess(options: KeysAccessOptions): Authenticate {
  const guesses = new Guesses();
  return caller => {
    const now = options.now();
    const found = findKey(caller, options.ring, now);
    if (found instanceof ApiError) return refused(found, caller.address, guesses, now);
    const day = dayOfMillis(now) ?? 0;
    const toMidnight = DAY_MS - (now % DAY_MS);
    const verdict = options.limits.take(found.slot, found.tier, options.micros(), day, toMidnight, options.servers());
    return grant(found.tier, verdict, toMidnight);
  };
}

/** Made once, because a flood of bad keys must cost little: an Error collects its stack when it is made. */
const REFUSALS = {
  missing_key: new ApiError('missing_key', 'This path needs an API key.', {
    hint: "Send it as 'Authorization: Bearer KEY', 'X-API-Key: KEY' or 'api_key=KEY'.",
  }),
  mistyped_key: new ApiError('mistyped_key', 'The key has a typing mistake: its checksum is wrong.', {
    hint: 'Copy it once more, whole, from tdm_ to its last character.',
  }),
  unknown_key: new ApiError('unknown_key', 'There is no such key.', { hint: 'It may belong to another server.' }),
  revoked_key: new ApiError('revoked_key', 'The key was revoked.', { hint: 'Ask the operator for a new one.' }),
  expired_key: new ApiError('expired_key', 'The key has expired.', { hint: 'Ask the operator for a new one.' }),
  too_many_bad_keys: new ApiError('too_many_bad_keys', 'Too many bad keys came from this address.', {
    hint: 'Wait as long as Retry-After says. Good keys are heard meanwhile.',
  }),
} as const;

function findKey(caller: Caller, ring: KeyRing, now: number): RingKey | ApiError {
  const text = keyOf(caller.headers, caller.url);
  if (text instanceof ApiError) return text;
  if (text === null) return REFUSALS.missing_key;
  if (!isWellFormed(text)) return REFUSALS.mistyped_key;
  const key = ring.find(hashOf(text));
  if (key === null) return REFUSALS.unknown_key;
  if (key.revoked) return REFUSALS.revoked_key;
  return key.expires !== null && (dayOfMillis(now) ?? 0) > key.expires ? REFUSALS.expired_key : key;
}

/** Only bad keys are slowed down: whoever shares an address with a guesser is not locked out. */
function refused(refusal: ApiError, address: string, guesses: Guesses, now: number): Grant {
  if (refusal.code !== 'missing_key') {
    const wait = guesses.wait(address, now);
    if (wait > 0) {
      return { refusal: REFUSALS.too_many_bad_keys, headers: { 'retry-after': String(Math.ceil(wait / 1000)) } };
    }
    guesses.failed(address, now);
  }
  return { refusal, headers: refusal.status === 401 ? { 'www-authenticate': challenge(refusal.code) } : {} };
}

function challenge(code: ErrorCode): string {
  return code === 'missing_key' ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`;
}

function grant(tier: Tier, verdict: Verdict, msToMidnight: number): Grant {
  const headers = {
    'ratelimit-policy': `"rate";q=${tier.burst};w=${inSeconds((tier.burst / tier.rate) * 1000)}, "day";q=${tier.quota};w=86400`,
    ratelimit:
      `"rate";r=${verdict.tokens};t=${Math.ceil(verdict.fullInMs / 1000)}, ` +
      `"day";r=${verdict.quotaLeft};t=${inSeconds(msToMidnight)}`,
  };
  if (verdict.accepted) return { tier, headers };
  const seconds = inSeconds(verdict.retryInMs);
  const refusal =
    verdict.by === 'quota'
      ? new ApiError('quota_exceeded', `The ${tier.quota} requests of this UTC day are used up.`, {
          hint: 'They start anew at midnight UTC; a wider tier has more.',
        })
      : new ApiError('rate_limited', `More than ${tier.rate} requests a second.`, {
          hint: `Wait ${seconds} s; after a longer pause, several at once are fine.`,
        });
  return { refusal, headers: { ...headers, 'retry-after': String(seconds) } };
}

/** Whole seconds, at least one: whoever waits for them has waited long enough. */
function inSeconds(millis: number): number {
  return Math.max(1, Math.ceil(millis / 1000));
}
