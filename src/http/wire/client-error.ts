// What never reaches a handler is answered here, in the same words: one problem body, then the line is closed.

import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, ERRORS, type ErrorCode } from '../../errors.ts';
import type { RequestGate } from '../protection/request-gate.ts';
import { inTimeSlices } from '../protection/time-slices.ts';
import { STATUS_CODES } from './node-internals.ts';
import { PROBLEM_TYPE, problemText } from './problem.ts';
import { newRequestId } from './request-id.ts';

/** Read-only: HTTP has no other methods that change nothing. */
export const METHODS = 'GET, HEAD, OPTIONS';

/** For the client to read the answer: closing the line for good makes the system forget it when more arrives. */
const LINGER_MS = 1000;

/** A request in everything but that nobody knows its method. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** What the HTTP parser cannot read. */
export function answerClientErrors(
  server: Server,
  gate: Pick<RequestGate, 'responseOn'>,
  onAnswered: (code: ErrorCode) => void,
): void {
  function answerError(error: Error & { code?: string; rawPacket?: unknown }, socket: Duplex): void {
    const answer = gate.responseOn(socket);
    // Words put into the middle of an answer would be read as a part of it.
    const begun = answer?.headersSent === true && !answer.writableEnded;
    if (error.code === 'ECONNRESET' || !socket.writable || begun) {
      socket.destroy();
      return;
    }
    // The requests before it are answered first.
    if (answer !== null) {
      answer.once('finish', () => answerError(error, socket));
      return;
    }
    const noMethod = error.code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(String(error.rawPacket));
    const problem = noMethod ? methodNotAllowed('This method') : describe(error.code);
    endWith(socket, problem, noMethod ? `allow: ${METHODS}\r\n` : '');
    onAnswered(problem.code);
  }
  const answerLate = inTimeSlices(([error, socket]: [Error, Duplex]) => answerError(error, socket));
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // Thousands of slow requests can come to the end of their time together.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') answerLate([error, socket]);
    else answerError(error, socket);
  });
}

/** What Node would answer by itself, with an empty body or none at all. */
export function answerInsteadOfNode(server: Server, onAnswered: (code: ErrorCode) => void): void {
  server.on('connect', (_request, socket) => {
    endWith(socket, methodNotAllowed('CONNECT'), `allow: ${METHODS}\r\n`);
    onAnswered('method_not_allowed');
  });
  // An expectation that nobody knows may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

export function methodNotAllowed(method: string): ApiError {
  return new ApiError('method_not_allowed', `${method} is not supported: the service is read-only.`, {
    hint: `Use one of ${METHODS}.`,
  });
}

function endWith(socket: Duplex, problem: ApiError, headers = ''): void {
  const { status } = ERRORS[problem.code];
  const body = problemText(problem, newRequestId(), Date.now());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${body.length}\r\n${headers}connection: close\r\n\r\n${body}`,
  );
  // Some never end their side of the line, and go on sending.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function describe(code: string | undefined): ApiError {
  const problem = (name: ErrorCode, detail: string, hint: string) => new ApiError(name, detail, { hint });
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem(
        'headers_too_large',
        'The request line and headers are too long, or too many.',
        'Keep them below 32 kB, and below 1,000 headers.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request_timeout', 'The request did not arrive in time.', 'Send it at once.');
    case 'HPE_INVALID_URL':
      return problem('bad_request', 'The address cannot be read.', 'Percent-encode what is not plain ASCII in it.');
    default:
      return problem(
        'bad_request',
        'This is not an HTTP request.',
        'The service speaks plain HTTP/1.1; TLS is for a proxy.',
      );
  }
}
