// Signed links: the address that a redirect names works for an hour without the API key in it.
//
//   signature=SECONDS.KEY_ID.MAC     until when, in seconds since 1970; whose limits count; HMAC-SHA-256 of path and time
//
// The secret of the MAC is the stored hash of the API key, so that every server of a store can check it, and a revoked API key ends
// it. A redirect with the API key itself would put the key into a header that proxies and programs write into their logs.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing, RingKey } from '../../access/key-ring.ts';
import { ApiError } from '../../errors.ts';

const VALID_SECONDS = 3600;
export const SIGNATURE = 'signature';
const FORM = new RegExp(`[?&]${SIGNATURE}=(\\d{1,12})\\.([\\w-]{1,64})\\.([\\w-]{43})(?:&|$)`);

const BAD_SIGNATURE = new ApiError('bad_signature', 'The signature in the address is invalid or has expired.', {
  hint: 'Request the address without the version again, with the API key. It redirects to a new address.',
});

/** A parameter for the query string. `path`: as the server gets it. */
export function signature(key: RingKey, path: string, now: number): string {
  const until = Math.floor(now / 1000) + VALID_SECONDS;
  return `${SIGNATURE}=${until}.${key.id}.${mac(key, path, until).toString('base64url')}`;
}

/** The API key that signed the URL of a request; null if it has no signature, or is of a path that is never signed. */
export function signingKey(ring: KeyRing, url: string, now: number): RingKey | ApiError | null {
  if (!url.includes(`${SIGNATURE}=`) || !url.includes('/export/')) return null;
  const [, until = '', id = '', text = ''] = FORM.exec(url) ?? [];
  const key = ring.withId(id);
  if (key === null || Number(until) * 1000 < now) return BAD_SIGNATURE;
  const path = url.slice(0, url.indexOf('?'));
  return timingSafeEqual(Buffer.from(text, 'base64url'), mac(key, path, Number(until))) ? key : BAD_SIGNATURE;
}

function mac(key: RingKey, path: string, until: number): Buffer {
  return createHmac('sha256', key.hash).update(`${path}\n${until}`).digest();
}
