// Everything that the service uses of Node beyond its documented interface. Each part is checked when the program starts, and has a
// fallback on the public interface, which is slower but right.

import type { IncomingMessage, ServerResponse as NodeResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * An `import` of `node:http` reads all of its exports, and so loads the fetch client and WebSockets too: two thirds of the time
 * that a thread takes to load this folder. This way only what is named is loaded.
 */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');

/** Where `writeHead` leaves the head until the body or the end takes it along; and whether the connection is closed afterwards. */
interface ResponseInternals {
  _header: string | null;
  _last: boolean;
}

/** A whole head as one text, and whether it is the last on its connection. */
export interface RawHead {
  readonly status: number;
  /** Of the headers, each with its end. */
  readonly lines: string;
  readonly statusLine: string;
  /** The beginning of the body, as a byte string. */
  readonly start: string;
  readonly isLast: boolean;
}

function setInternalHead(response: NodeResponse, { statusLine, lines, start, isLast }: RawHead): void {
  const raw = response as NodeResponse & ResponseInternals; // see there
  raw._header = `${statusLine}${lines}\r\n${start}`;
  raw._last = isLast;
}

/** Checks and writes every line anew, which is a sixth of the time of a small answer. */
function setPublicHead(response: NodeResponse, { status, lines, start }: RawHead): void {
  const pairs = lines.split('\r\n').slice(0, -1);
  response.writeHead(
    status,
    pairs.flatMap(line => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  if (start !== '') response.write(start, 'latin1');
}

/** Whether a response sends the head that was set into it, and nothing else. */
function canSetHead(): boolean {
  try {
    let sent = '';
    const socket = new Duplex({
      read: () => undefined,
      write: (chunk, _encoding, done) => {
        sent += String(chunk);
        done();
      },
    });
    // A response reads these three of its request.
    const request = { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as unknown as IncomingMessage;
    const response = new ServerResponse(request);
    response.assignSocket(socket as Socket); // of a socket, it uses what every stream has
    const head = { status: 200, statusLine: 'HTTP/1.1 200 OK\r\n', lines: 'content-length: 4\r\n', start: 'bo' };
    setInternalHead(response, { ...head, isLast: false });
    response.end('dy');
    return sent === 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody';
  } catch {
    return false;
  }
}

export const INTERNAL_HEAD: boolean = canSetHead();

export function setRawHead(response: NodeResponse, head: RawHead, internal: boolean = INTERNAL_HEAD): void {
  if (internal) setInternalHead(response, head);
  else setPublicHead(response, head);
}

/** What the parser of a connection has, undocumented. */
interface Parser {
  /** Called with every request. What it returns decides how the parser goes on. */
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number;
  /** Parses bytes; returns how many, or an error that says so. */
  execute: (bytes: Buffer) => Executed;
  /** The bytes that are being parsed. */
  getCurrentBuffer: () => Buffer;
  resume: () => void;
  readonly constructor: { readonly kOnExecute: number };
  /** Under `kOnExecute`: called when all that was read is parsed, with what `execute` returns. */
  [event: number]: (executed: Executed) => void;
}

type Executed = number | (Error & { readonly bytesParsed: number });

/** What `onIncoming` returns to go on, and to stop behind the head of the request. */
const GO_ON = 0;
const STOP = 21; // HPE_PAUSED of llhttp

function parserOf(socket: Socket): Parser | null {
  return (socket as Socket & { readonly parser?: Parser | null }).parser ?? null; // undocumented
}

/**
 * Makes the parser of a connection stop behind the head of each request for which `isLast` returns true, after the request was taken.
 * Node otherwise parses all that it has read (64 kB) at once. `onStop` takes the bytes that are left. Without effect if Node cannot
 * do it.
 */
export function stopParser(
  socket: Socket,
  isLast: (request: IncomingMessage) => boolean,
  onStop: (rest: Buffer) => void,
  possible: boolean = STOPPABLE_PARSER,
): void {
  const parser = parserOf(socket);
  if (parser === null || !possible) return;
  const { onIncoming } = parser;
  const { kOnExecute } = parser.constructor;
  const onExecute = parser[kOnExecute]!;
  let stopped = false;
  parser.onIncoming = (request, keepAlive) => {
    const result = onIncoming(request, keepAlive);
    stopped = result === GO_ON && isLast(request);
    return stopped ? STOP : result;
  };
  parser[kOnExecute] = executed => {
    if (!stopped) {
      onExecute(executed);
      return;
    }
    stopped = false;
    const bytes = parsing ?? parser.getCurrentBuffer();
    const rest = bytes.subarray(typeof executed === 'number' ? executed : executed.bytesParsed);
    parser.resume();
    // The parser notices the end of a request without a body with the next bytes only, even if there are none.
    onExecute(parser.execute(NO_BYTES));
    onStop(rest);
  };
}

const NO_BYTES = Buffer.alloc(0);
/** What `parseRest` is parsing: the parser itself knows only bytes that it has read from the socket. */
let parsing: Buffer | null = null;

/** Hands bytes to the parser of a connection for which `stopParser` was called, as if they had just been read. */
export function parseRest(socket: Socket, rest: Buffer): void {
  const parser = parserOf(socket);
  if (parser === null) return;
  // A parser that stops returns an error, whose stack would take longer to record than the request to parse.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const executed = parser.execute(rest);
    parsing = rest;
    parser[parser.constructor.kOnExecute]!(executed);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    parsing = null;
  }
}

/** Whether a parser stops behind the request at which it should, and goes on from there. */
function canStopParser(): boolean {
  const socket = new Duplex({ read: () => undefined }) as Socket & { _unrefTimer?: () => void }; // as far as the server uses it
  socket._unrefTimer = () => undefined;
  try {
    const taken: (string | undefined)[] = [];
    const left: string[] = [];
    const server = createServer({ optimizeEmptyRequests: true }, ({ url }) => taken.push(url));
    const isLast = () => taken.length === 2;
    server.on('connection', () => stopParser(socket, isLast, rest => left.push(String(rest)), true));
    server.emit('connection', socket);
    const requests = ['/a', '/b', '/c'].map(path => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    parseRest(socket, Buffer.from(requests.join('')));
    if (taken.join() !== '/a,/b' || left.join() !== requests[2]) return false;
    parseRest(socket, Buffer.from(left.join()));
    return taken.join() === '/a,/b,/c';
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export const STOPPABLE_PARSER: boolean = canStopParser();
