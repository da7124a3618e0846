// Conditional requests: the weak ETag of a response, and whether the client has it already.

import { hash } from 'node:crypto';

/** Weak, because the times in the envelope differ between two responses with the same rows. */
export function weakTag(...parts: readonly (string | number)[]): string {
  return `W/"${hash('sha1', parts.join('\n'), 'base64url')}"`;
}

/** `If-None-Match` by weak comparison (RFC 9110 13.1.2). */
export function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  const own = opaque(tag);
  // Most lists do not name the tag, and a client may send a long one.
  return ifNoneMatch.includes(own) && ifNoneMatch.split(',').some(candidate => opaque(candidate) === own);
}
