// What can go wrong with a request, as errors that a program can tell apart by class, `code` and `status`.

import type { ErrorCode, Problem } from './types.ts';

/** Every error of this client. An aborted request throws the reason of its signal instead. */
export class TidemarkError extends Error {
  override name = 'TidemarkError';
}

/** The service did not respond completely: unreachable, too slow, or the connection broke. `cause` has the reason. */
export class NetworkError extends TidemarkError {
  override readonly name = 'NetworkError';
  readonly code = 'network';
}

/** The service responded with an error. */
export class ApiError extends TidemarkError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The kind of error; `http_502` and the like if the body is not one of Tidemark's, for example from a proxy. */
  readonly code: ErrorCode | `http_${number}`;
  readonly title: string;
  /** How to correct the request. */
  readonly hint: string | undefined;
  /** The wrong parameter, and for an expression the position in its value. */
  readonly param: string | undefined;
  readonly position: number | undefined;
  /** What the request may have meant, such as the ids of an ambiguous ticker. */
  readonly candidates: readonly string[] | undefined;
  /** The operator finds the request in the log by it. */
  readonly requestId: string | undefined;
  /** Seconds that the service asks to wait; null if it does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfter: number | null) {
    const { detail, hint } = problem;
    const message = detail ?? `The response has status ${status} and is not from Tidemark.`;
    super(hint === undefined ? message : `${message} ${hint}`);
    this.status = status;
    this.code = problem.code ?? `http_${status}`;
    this.title = problem.title ?? `Status ${status}`;
    this.hint = hint;
    this.param = problem.param;
    this.position = problem.position;
    this.candidates = problem.candidates;
    this.requestId = problem.request_id;
    this.retryAfter = retryAfter;
  }

  /** What was wrong, without the hint. */
  get detail(): string {
    return this.hint === undefined ? this.message : this.message.slice(0, -this.hint.length - 1);
  }
}

export async function apiError(response: Response): Promise<ApiError> {
  return new ApiError(response.status, await problemOf(response), secondsToWait(response.headers.get('retry-after')));
}

/** Empty if a proxy responded, or the body is cut off: the status says as much. */
async function problemOf(response: Response): Promise<Partial<Problem>> {
  const body = await response.text().catch(() => '');
  if (!response.headers.get('content-type')?.includes('problem+json')) return {};
  try {
    // Only the service sends this media type.
    return JSON.parse(body) as Problem;
  } catch {
    return {};
  }
}

/** A number of seconds, or the date of RFC 9110. */
function secondsToWait(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
