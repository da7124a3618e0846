// Error responses of `/mcp`.

import { type ApiError, ERRORS } from '../errors.ts';
import type { Answer } from '../http/wire/answer.ts';
import { headerLines } from '../http/wire/head.ts';
import { errorHeaders, problemText, waitOf } from '../http/wire/problem.ts';

const RPC_HEADERS = headerLines('cache-control', 'no-store', 'content-type', 'application/json');
/** Codes of JSON-RPC: for an error of the server itself, and for those of an application. */
const RPC_INTERNAL = -32_603;
const RPC_REFUSED = -32_000;

/**
 * A problem as a response of JSON-RPC, whose clients show no other body: the problem is its `data`. The id of the message is not known,
 * because the message was not read.
 */
export function rpcProblemAnswer(error: ApiError, requestId: string, now: number): Answer {
  const { status } = ERRORS[error.code];
  const { message: detail, hint } = error;
  const wait = waitOf(error);
  const rpcCode = error.code === 'internal' ? RPC_INTERNAL : RPC_REFUSED;
  const advice = wait === null ? (hint ?? '') : `Retry after ${wait} s.`;
  const message = Buffer.from(JSON.stringify(`${detail} ${advice}`.trim())).toString('latin1');
  const data = problemText(error, requestId, now);
  return {
    status,
    headers: RPC_HEADERS + errorHeaders(error),
    code: error.code,
    body: [`{"jsonrpc":"2.0","id":null,"error":{"code":${rpcCode},"message":${message},"data":${data}}}`],
  };
}
