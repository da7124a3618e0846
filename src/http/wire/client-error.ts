// Answers what never becomes a request: one problem body as for every error, then the connection is closed.

import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, ERRORS, type ErrorCode } from '../../errors.ts';
import type { RequestGate } from '../protection/request-gate.ts';
import { inTimeSlices } from '../protection/time-slices.ts';
import { STATUS_CODES } from './node-internals.ts';
import { PROBLEM_TYPE, problemText } from './problem.ts';
import { newRequestId } from './request-id.ts';

/** The service is read-only. */
export const METHODS = 'GET, HEAD, OPTIONS';

/** Time for the client to read the answer: a closed socket that still receives bytes is reset, and the answer is lost. */
const LINGER_MS = 1000;

/** A valid request line, whatever its method. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** Answers bytes that the HTTP parser refuses, and requests that arrive too slowly. */
export function answerClientErrors(
  server: Server,
  gate: Pick<RequestGate, 'responseOn'>,
  onAnswered: (code: ErrorCode) => void,
): void {
  function answerError(error: Error & { code?: string; rawPacket?: unknown }, socket: Duplex): void {
    const answer = gate.responseOn(socket);
    // The client would read an error inside of a response as part of it.
    const begun = answer?.headersSent === true && !answer.writableEnded;
    if (error.code === 'ECONNRESET' || !socket.writable || begun) {
      socket.destroy();
      return;
    }
    // The request before is answered first.
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
    // Thousands of slow requests can time out together.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') answerLate([error, socket]);
    else answerError(error, socket);
  });
}

/** Answers what Node would answer itself, with an empty body or none. */
export function answerInsteadOfNode(server: Server, onAnswered: (code: ErrorCode) => void): void {
  server.on('connect', (_request, socket) => {
    endWith(socket, methodNotAllowed('CONNECT'), `allow: ${METHODS}\r\n`);
    onAnswered('method_not_allowed');
  });
  // An unknown expectation may be ignored (RFC 9110 10.1.1).
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
  // Some clients never close their side, and go on sending.
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
