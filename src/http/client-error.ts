// Answers what never becomes a request: one problem body as for every error, then the connection is closed.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { inTimeSlices } from '../common/time-slices.ts';
import { ApiError, ERRORS, type ErrorCode } from '../errors.ts';
import type { RequestGate } from './protection/request-gate.ts';
import { cutOff } from './protection/slow-readers.ts';
import { STATUS_CODES } from './wire/node-internals.ts';
import { errorHeaders, PROBLEM_TYPE, problemText } from './wire/problem.ts';
import { newRequestId } from './wire/request-id.ts';

/** The service is read-only. */
export const METHODS = 'GET, HEAD, OPTIONS';
/** Of a route that is called with a body. */
export const POST_METHODS = 'POST, OPTIONS';

/** Time for the client to read the answer: a closed socket that still receives bytes is reset, and the answer is lost. */
const LINGER_MS = 1000;

/** A valid request line, whatever its method. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** What Node reports of bytes that cannot be parsed: all that it had read, and how much of it is good. */
interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The bytes from the beginning of the request that cannot be parsed, behind the good ones of the same read. */
function unreadableRequest({ rawPacket, bytesParsed }: ParseError): string {
  const read = rawPacket?.toString('latin1') ?? '';
  const end = read.lastIndexOf('\r\n\r\n', bytesParsed);
  return end < 0 ? read : read.slice(end + 4);
}

/** Answers bytes that the HTTP parser refuses, and requests that arrive too slowly. */
export function answerClientErrors(
  server: Server,
  gate: Pick<RequestGate, 'responseOn'>,
  onAnswered: (code: ErrorCode) => void,
): void {
  function answerError(error: ParseError, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // The request before is answered first.
    const owed = gate.responseOn(socket);
    // A POST is answered once its body has arrived: if that takes too long, the response is the problem.
    const awaitsBody = owed?.req.method === 'POST' && !owed.req.complete && !owed.headersSent;
    if (owed !== null && !awaitsBody) {
      socket.pause();
      owed.once('finish', () => answerError(error, socket));
      return;
    }
    const noMethod = error.code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(unreadableRequest(error));
    const problem = noMethod ? methodNotAllowed('This method') : describe(error.code);
    endWith(socket, problem);
    onAnswered(problem.code);
  }
  const answerLate = inTimeSlices(([error, socket]: [ParseError, Duplex]) => answerError(error, socket));
  server.on('clientError', (error: ParseError, socket) => {
    // Thousands of slow requests can time out together.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') answerLate([error, socket]);
    else answerError(error, socket);
  });
}

/** Answers what Node would answer itself, with an empty body or none. */
export function answerInsteadOfNode(
  server: Server,
  gate: Pick<RequestGate, 'responseOn'>,
  onAnswered: (code: ErrorCode) => void,
): void {
  server.on('connect', (_request, socket: Duplex) => {
    // Node has removed its listeners: an error that nothing listens to, such as a reset, would end the process.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => cutOff(socket as Socket)); // a server of node:http has no other connections
    const refuse = () => {
      endWith(socket, methodNotAllowed('CONNECT'));
      onAnswered('method_not_allowed');
    };
    const owed = gate.responseOn(socket);
    if (owed === null) {
      refuse();
      return;
    }
    // Node has given the connection up, with the answer to the request before.
    socket.on('drain', () => owed.emit('drain'));
    owed.once('finish', refuse);
  });
  // An unknown expectation may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

export function methodNotAllowed(method: string, allowed = METHODS): ApiError {
  const why =
    allowed === METHODS ? ': the service is read-only.' : ' here: every message is a POST, without a session.';
  return new ApiError('method_not_allowed', `${method} is not supported${why}`, {
    hint: `Use one of ${allowed}.`,
    headers: { allow: allowed },
  });
}

function endWith(socket: Duplex, problem: ApiError): void {
  const { status } = ERRORS[problem.code];
  const body = problemText(problem, newRequestId(), Date.now());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${body.length}\r\n${errorHeaders(problem)}connection: close\r\n\r\n${body}`,
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
