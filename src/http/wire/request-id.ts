// The id by which an operator finds a request in the log: the client's own, or a new one where that could not be logged.

import { randomBytes } from 'node:crypto';
import { looksLikeKey } from '../../domain/api-key.ts';

const prefix = randomBytes(6).toString('base64url');
let counter = 0;

export function newRequestId(): string {
  counter++;
  return `${prefix}-${counter.toString(36)}`;
}

/** Null for one that the log must not have: too long, with other characters, or with an API key in it. */
export function acceptRequestId(header: string | string[] | undefined): string | null {
  const harmless = typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) && !looksLikeKey(header);
  return harmless ? header : null;
}
