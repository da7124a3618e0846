// Error responses: application/problem+json (RFC 9457) with members of the service.

import { type ApiError, ERRORS } from '../../errors.ts';
import type { Answer } from './answer.ts';
import { clockText } from './envelope.ts';
import { headerLines } from './head.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Where the docs explain the code; relative to the service that answered. */
export function problemUri(code: string): string {
  return `/docs#error-${code}`;
}

const ALWAYS = headerLines('cache-control', 'no-store', 'content-type', PROBLEM_TYPE);
/** Seconds until a retry makes sense. An overload passes sooner than a fault that needs an operator. */
const SOON = headerLines('retry-after', 1);
const LATER = headerLines('retry-after', 5);

/** Errors are never cached and never compressed. */
export function problemAnswer(error: ApiError, requestId: string, now: number): Answer {
  const { status } = ERRORS[error.code];
  const wait = error.code === 'overloaded' || error.code === 'too_many_at_once' ? SOON : LATER;
  const own = headerLines(...Object.entries(error.headers).flat());
  const waits = status === 503 || error.code === 'too_many_streams' || error.code === 'too_many_at_once';
  return { status, headers: ALWAYS + own + (waits ? wait : ''), body: [problemText(error, requestId, now)] };
}

/** As a byte string. */
export function problemText(error: ApiError, requestId: string, now: number): string {
  // Request ids contain nothing that JSON must escape.
  return `${beginning(error)},"request_id":"${requestId}","datetimeUTC":"${clockText(now)}"}`;
}

/** Everything that is the same for all requests with this error. Refusals are made once and sent often. */
const beginnings = new WeakMap<ApiError, string>();

function beginning(error: ApiError): string {
  const known = beginnings.get(error);
  if (known !== undefined) return known;
  const { status, title } = ERRORS[error.code];
  const { code, message: detail, param, position, hint, candidates } = error;
  const type = problemUri(code);
  const text = JSON.stringify({ error: true, type, title, status, code, detail, param, position, hint, candidates });
  const bytes = Buffer.from(text.slice(0, -1)).toString('latin1');
  beginnings.set(error, bytes);
  return bytes;
}
