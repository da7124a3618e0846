// Everything that the service uses of Node beyond its documented interface. Each part is checked when the program starts, or when a
// connection opens, and has a fallback on the public interface, which is slower but right.

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

/**
 * Puts `receive` between the socket and Node's HTTP parser, and returns the parser's own listener. Node connects the two directly,
 * without events, until a listener for the bytes is added. Null if the parser is not where it is expected: it then reads by
 * itself.
 */
export function takeOverReading(socket: Socket, receive: (chunk: Buffer) => void): ((chunk: Buffer) => void) | null {
  const listeners = socket.listeners('data') as ((chunk: Buffer) => void)[]; // the event has this one argument
  const [parse] = listeners;
  if (parse === undefined || listeners.length > 1) return null;
  socket.off('data', parse);
  socket.on('data', receive);
  return parse;
}

/**
 * Makes a paused socket read no further as soon as one byte waits in it. Node otherwise goes on until 64 kB wait, and keeps an
 * object per read: a client that sends single bytes would use a hundred times their size. The option `highWaterMark` of a server
 * would bound its writes too.
 */
export function stopReadingAhead(socket: Socket): void {
  const { _readableState: state } = socket as Socket & { _readableState?: { highWaterMark?: unknown } }; // undocumented
  if (typeof state?.highWaterMark === 'number') state.highWaterMark = 1;
}
