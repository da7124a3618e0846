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

/** Errors are never cached and never compressed. */
const PROBLEM_HEADERS = headerLines('cache-control', 'no-store', 'content-type', PROBLEM_TYPE);
const RPC_HEADERS = headerLines('cache-control', 'no-store', 'content-type', 'application/json');
/** Seconds until a retry makes sense. An overload passes sooner than a fault that needs an operator. */
const SOON = 1;
const LATER = 5;
/** Codes of JSON-RPC: for an error of the server itself, and for those of an application. */
const RPC_INTERNAL = -32_603;
const RPC_REFUSED = -32_000;

export function problemAnswer(error: ApiError, requestId: string, now: number): Answer {
  const { status } = ERRORS[error.code];
  return { status, headers: PROBLEM_HEADERS + ownHeaders(error), body: [problemText(error, requestId, now)] };
}

/**
 * The same as a response of JSON-RPC, whose clients show no other body: the problem is its `data`. The id of the message is not known,
 * because the message was not read.
 */
export function rpcProblemAnswer(error: ApiError, requestId: string, now: number): Answer {
  const { status } = ERRORS[error.code];
  const { message: detail, hint } = error;
  const wait = waitOf(error);
  const code = error.code === 'internal' ? RPC_INTERNAL : RPC_REFUSED;
  const advice = wait === null ? (hint ?? '') : `Retry after ${wait} s.`;
  const message = Buffer.from(JSON.stringify(`${detail} ${advice}`.trim())).toString('latin1');
  const data = problemText(error, requestId, now);
  return {
    status,
    headers: RPC_HEADERS + ownHeaders(error),
    body: [`{"jsonrpc":"2.0","id":null,"error":{"code":${code},"message":${message},"data":${data}}}`],
  };
}

function ownHeaders(error: ApiError): string {
  const wait = waitOf(error);
  const own = headerLines(...Object.entries(error.headers).flat());
  return wait === null ? own : own + headerLines('retry-after', wait);
}

/** In seconds; null if the error does not say when to retry. */
function waitOf({ code }: ApiError): number | null {
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
