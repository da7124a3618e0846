// Signatures of messages as in Standard Webhooks (https://www.standardwebhooks.com): the receiver can check who sent a message, and when.

import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../domain/alert.ts';

export interface SignedHeaders {
  readonly 'webhook-id': string;
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** `at` is the time of the attempt, in milliseconds since 1970. */
export function signedHeaders(id: string, at: number, body: string, secret: string): SignedHeaders {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
