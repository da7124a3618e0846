// The id by which a request is found again in the logs: the client's own where it sends a harmless one.

import { randomBytes } from 'node:crypto';

const prefix = randomBytes(6).toString('base64url');
let counter = 0;

export function newRequestId(): string {
  counter++;
  return `${prefix}-${counter.toString(36)}`;
}

export function acceptRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) ? header : null;
}
