// API keys: their form, how they are made, and what the store holds of them.
//
//   tdm_ 32 random characters 6 characters of checksum
//
// The prefix lets scanners of published code find keys that leaked. The checksum tells a mistyped key from an unknown
// one without a lookup. Base62 needs no encoding anywhere, and a double click selects all of it.

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Day } from './day.ts';

export const KEY_PREFIX = 'tdm_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 190 random bits. */
const BODY_LENGTH = 32;
/** 62⁶ is above 2³², so that every CRC-32 fits. */
const CHECKSUM_LENGTH = 6;

/** What looks like a key; `isWellFormed` checks its checksum too. */
export const KEY_PATTERN = /^tdm_[0-9A-Za-z]{38}$/;

/** A key, or so much of one that it must not be shown. */
const LIKE_A_KEY = /tdm_[0-9a-z]{8,}/gi;

/** The parameters that hold an API key: ours, and CoinGecko's. Each contains `api_key`. */
export const KEY_PARAMETERS: readonly string[] = ['api_key', 'x_cg_demo_api_key', 'x_cg_pro_api_key'];

/** For text that a client chose and that others may read: logs, links, messages. */
export function looksLikeKey(text: string): boolean {
  return text.search(LIKE_A_KEY) >= 0;
}

export function withoutKeys(text: string): string {
  return text.replace(LIKE_A_KEY, `${KEY_PREFIX}***`);
}

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

export function newApiKey(): string {
  return keyWithBody(randomText(BODY_LENGTH, BASE62));
}

/** The key with this body of 32 base62 characters. */
export function keyWithBody(body: string): string {
  const key = KEY_PREFIX + body + checksum(KEY_PREFIX + body);
  if (!KEY_PATTERN.test(key)) throw new RangeError(`the body of a key is ${BODY_LENGTH} letters and digits`);
  return key;
}

/** False for a text that was never an API key: mistyped, cut off, or something else. */
export function isWellFormed(text: string): boolean {
  return KEY_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256, the only form of a key that is stored. Without salt and without a slow hash: 190 random bits cannot be guessed. */
export function hashOf(key: string): Buffer {
  return Buffer.from(hashTextOf(key), 'latin1');
}

/** The same as a text of one character per byte: four times as fast, because nothing is allocated outside the heap. */
export function hashTextOf(key: string): string {
  return hash('sha256', key, 'binary');
}

/** The public name of a key, for lists, logs and metrics. It reveals nothing of the key. */
export function newKeyId(): string {
  return `key_${randomText(10, ID_ALPHABET)}`;
}

/** The two public keys of the demo, which exist in no other store. */
export const DEMO_KEYS = {
  free: keyWithBody('DemoFreeKeyOfTheSimulatedMarket0'),
  pro: keyWithBody('DemoProKeyOfTheSimulatedMarket00'),
} as const;

export type KeyState = 'active' | 'revoked' | 'expired';

/** `expires` is the last day on which the key is valid. A key that is both revoked and expired is reported as revoked. */
export function keyState(
  key: { readonly revokedAt: string | null; readonly expires: Day | null },
  today: Day,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expires !== null && key.expires < today ? 'expired' : 'active';
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

function randomText(length: number, alphabet: string): string {
  // A byte above the last multiple of the alphabet's length would favour its first characters.
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) if (byte < fair) text += alphabet[byte % alphabet.length];
  }
  return text;
}
