// Hands the requests of each connection to the server one at a time: the next one is parsed when the one before is answered.
//
// Node parses everything that it has read at once, and each request that waits costs 50 times its bytes in memory. A client that
// pipelines thousands of requests would therefore decide how much memory the server uses. Here the bytes wait instead of the
// requests. The server reads no further meanwhile: the rest of one read (64 kB) per connection waits, and the client's own TCP
// window fills up.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stopReadingAhead, takeOverReading } from '../wire/node-internals.ts';

/** What a connection with waiting requests may hold, and is counted with: one read. */
export const BYTES_PER_WAITING_CONNECTION = 64 * 2 ** 10;

/** For all waiting connections of one thread; a connection that would exceed it is closed. */
const MAX_WAITING_BYTES = 32 * 2 ** 20;

/** Ends the head of a request. A body may contain it too: a cut there is harmless, because the parser takes any pieces. */
const HEAD_END = Buffer.from('\r\n\r\n');

export interface GateOptions {
  readonly take: (request: IncomingMessage, response: ServerResponse) => void;
  /** A connection was closed because too many bytes were waiting. */
  readonly onOverflow: (socket: Socket) => void;
  readonly maxWaitingBytes?: number;
  readonly takeOver?: typeof takeOverReading;
}

export class RequestGate {
  readonly #options: GateOptions;
  readonly #connections = new WeakMap<Socket, Connection>();
  /** Reserved for the bytes that wait, in all connections. */
  waitingBytes = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** To be called before the server listens. */
  guard(server: Server): void {
    const { takeOver = takeOverReading } = this.#options;
    server.on('connection', (socket: Socket) => this.#connections.set(socket, new Connection(this, socket, takeOver)));
    server.on('connect', ({ socket }: IncomingMessage) => this.#connections.get(socket)?.close());
  }

  /** The server's listener for requests. */
  readonly dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined || connection.begin(request, response)) this.#options.take(request, response);
  };

  /** The response that the connection owes; null if none. */
  responseOn(socket: object): ServerResponse | null {
    return this.#connections.get(socket as Socket)?.response ?? null; // a WeakMap takes any object as a key
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    this.#options.take(request, response);
  }

  /** False if there is no room for one more waiting connection. */
  reserve(socket: Socket): boolean {
    if (this.waitingBytes + BYTES_PER_WAITING_CONNECTION > (this.#options.maxWaitingBytes ?? MAX_WAITING_BYTES)) {
      this.#options.onOverflow(socket);
      return false;
    }
    this.waitingBytes += BYTES_PER_WAITING_CONNECTION;
    return true;
  }
}

class Connection {
  /** The request that is being answered, and its response. */
  #request: IncomingMessage | null = null;
  response: ServerResponse | null = null;
  readonly #gate: RequestGate;
  readonly #socket: Socket;
  /** Null if Node reads by itself: then all requests of one read are parsed together. */
  readonly #parse: ((chunk: Buffer) => void) | null;
  /** Requests that were parsed together with one before them, for example because its end was in another read than its beginning. */
  readonly #parsed: [IncomingMessage, ServerResponse][] = [];
  /** Whether bytes were put back into the socket's read buffer. */
  #isWaiting = false;
  #closed = false;

  constructor(gate: RequestGate, socket: Socket, takeOver: typeof takeOverReading) {
    this.#gate = gate;
    this.#socket = socket;
    this.#parse = takeOver(socket, this.#receive);
    stopReadingAhead(socket);
    socket.once('close', () => this.close());
  }

  /** Whether the request may be answered now; otherwise it is taken when its turn comes. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.response !== null) {
      this.#parsed.push([request, response]);
      this.#socket.pause();
      return false;
    }
    this.#request = request;
    this.response = response;
    response.once('finish', this.#answered);
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#release();
  }

  readonly #receive = (chunk: Buffer): void => {
    this.#release();
    let at = 0;
    // A socket that cannot be written any more answers nothing: what still arrives on it is dropped.
    while (at < chunk.length && !this.#closed && this.#socket.writable) {
      // The body of a request belongs to it, and is passed on at once.
      if (this.#request?.complete === true) {
        this.#wait(chunk.subarray(at));
        return;
      }
      const end = chunk.indexOf(HEAD_END, at);
      const cut = end < 0 ? chunk.length : end + HEAD_END.length;
      this.#parse?.(at === 0 && cut === chunk.length ? chunk : chunk.subarray(at, cut));
      at = cut;
    }
  };

  readonly #answered = (): void => {
    this.#request = null;
    this.response = null;
    const next = this.#parsed.shift();
    if (next === undefined) {
      if (this.#socket.isPaused()) this.#socket.resume();
    } else if (this.begin(...next)) this.#gate.take(...next);
  };

  #wait(rest: Buffer): void {
    if (!this.#gate.reserve(this.#socket)) {
      this.#socket.destroy();
      return;
    }
    this.#isWaiting = true;
    this.#socket.pause();
    this.#socket.unshift(rest);
  }

  #release(): void {
    if (this.#isWaiting) this.#gate.waitingBytes -= BYTES_PER_WAITING_CONNECTION;
    this.#isWaiting = false;
  }
}
