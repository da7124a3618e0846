// Error responses: application/problem+json (RFC 9457) with members of the service.

import { clockText } from '../../common/clock-text.ts';
import { type ApiError, ERRORS } from '../../errors.ts';
import type { Answer } from './answer.ts';
import { headerLines } from './head.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Where the docs explain the code; relative to the service that answered. */
export function problemUri(code: string): string {
  return `/docs#error-${code}`;
}

/** Errors are never cached and never compressed. */
const PROBLEM_HEADERS = headerLines('cache-control', 'no-store', 'content-type', PROBLEM_TYPE);
/** Seconds until a retry makes sense. An overload passes sooner than a fault that needs an operator. */
const SOON = 1;
const LATER = 5;

/** The answer to a request that failed. */
export type Problem = (error: ApiError, requestId: string, now: number) => Answer;

export function problemAnswer(error: ApiError, requestId: string, now: number): Answer {
  const { status } = ERRORS[error.code];
  const headers = PROBLEM_HEADERS + errorHeaders(error);
  return { status, headers, body: [problemText(error, requestId, now)], code: error.code };
}

/** Of the error itself, and when to retry. */
export function errorHeaders(error: ApiError): string {
  const wait = waitOf(error);
  const own = headerLines(...Object.entries(error.headers).flat());
  return wait === null ? own : own + headerLines('retry-after', wait);
}

/** In seconds; null if the error does not say when to retry. */
export function waitOf({ code }: ApiError): number | null {
  if (code === 'overloaded' || code === 'too_many_at_once') return SOON;
  return ERRORS[code].status === 503 || code === 'too_many_streams' ? LATER : null;
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
