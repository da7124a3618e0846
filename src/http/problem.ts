// Errors as answers: application/problem+json (RFC 9457) with the service's own members.

import { type ApiError, ERRORS } from '../errors.ts';
import { clockText } from './envelope.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Where the docs explain the code; relative, so that it resolves against the service that answered. */
export function problemUri(code: string): string {
  return `/docs#error-${code}`;
}

export function problemBody(error: ApiError, requestId: string, now: number): Buffer {
  const { status, title } = ERRORS[error.code];
  return Buffer.from(
    JSON.stringify({
      error: true,
      type: problemUri(error.code),
      title,
      status,
      code: error.code,
      detail: error.message,
      param: error.param,
      hint: error.hint,
      candidates: error.candidates,
      request_id: requestId,
      datetimeUTC: clockText(now),
    }),
  );
}
