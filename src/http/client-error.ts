// What the HTTP parser cannot read at all is answered here, below the framework: one problem body, then the line is closed.

import type { Socket } from 'node:net';
import { ApiError, ERRORS, type ErrorCode } from '../errors.ts';
import { PROBLEM_TYPE, problemBody } from './problem.ts';
import { newRequestId } from './request-id.ts';

const REASONS: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = describe(error.code);
  const { status } = ERRORS[problem.code];
  const body = problemBody(problem, newRequestId(), Date.now());
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function describe(code: string | undefined): ApiError {
  const problem = (name: ErrorCode, detail: string, hint: string) => new ApiError(name, detail, { hint });
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers_too_large', 'The request line and headers are too long.', 'Keep them below 32 kB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request_timeout', 'The request did not arrive in time.', 'Send it at once.');
    default:
      return problem(
        'bad_request',
        'This is no HTTP request.',
        'Percent-encode what is not plain ASCII in the address.',
      );
  }
}
