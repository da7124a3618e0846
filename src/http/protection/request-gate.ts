// Hands the requests of each connection to the server one at a time: the next one when the one before is answered.
//
// Node parses everything that it has read at once, and each request that waits costs 50 times its bytes in memory. A client that
// pipelines thousands of requests would therefore decide how much memory the server uses. Here the parser stops as soon as a request
// has to wait, and the bytes behind it wait instead. The server reads no further meanwhile: the rest of one read (64 kB) per
// connection waits, and the client's own TCP window fills up.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parseRest, stopParser } from '../wire/node-internals.ts';

/** What a connection with waiting requests may hold, and is counted with: one read. */
export const BYTES_PER_WAITING_CONNECTION = 64 * 2 ** 10;

/** For all waiting connections of one thread; a connection that would exceed it is closed. */
const MAX_WAITING_BYTES = 32 * 2 ** 20;

export interface GateOptions {
  /** `pipelined`: the connection has sent a request before the one before it was answered. */
  readonly take: (request: IncomingMessage, response: ServerResponse, pipelined: boolean) => void;
  /** A connection was closed because too many bytes were waiting. */
  readonly onOverflow: (socket: Socket) => void;
  readonly maxWaitingBytes?: number;
  readonly stop?: typeof stopParser;
}

export class RequestGate {
  readonly #options: GateOptions;
  readonly #connections = new WeakMap<object, Connection>();
  /** Reserved for what waits, in all connections. */
  waitingBytes = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** To be called before the server listens. */
  guard(server: Server): void {
    const { stop = stopParser } = this.#options;
    server.on('connection', (socket: Socket) => {
      const connection = new Connection(this, socket);
      this.#connections.set(socket, connection);
      stop(socket, connection.mustStop, connection.keep);
    });
  }

  /** The server's listener for requests. */
  readonly dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) this.#options.take(request, response, false);
    else connection.begin(request, response);
  };

  /** The response that the connection owes; null if none. */
  responseOn(socket: object): ServerResponse | null {
    return this.#connections.get(socket)?.response ?? null;
  }

  get take(): GateOptions['take'] {
    return this.#options.take;
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
  response: ServerResponse | null = null;
  readonly #gate: RequestGate;
  readonly #socket: Socket;
  /** Requests that were parsed before it was their turn: one, or those of one read if the parser cannot be stopped. */
  readonly #parsed: [IncomingMessage, ServerResponse][] = [];
  /** The bytes behind them. */
  #rest: Buffer | null = null;
  #isWaiting = false;
  /** Its later requests count as pipelined as well: most of them are, and each read begins with one that is not. */
  #hasPipelined = false;

  constructor(gate: RequestGate, socket: Socket) {
    this.#gate = gate;
    this.#socket = socket;
  }

  /** Node would lose the bytes behind a request for an upgrade. */
  readonly mustStop = ({ headers }: IncomingMessage): boolean =>
    this.#parsed.length > 0 || headers.upgrade !== undefined || this.#socket.destroyed;

  /** The request is taken now, or when the one before is answered. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    if (this.response !== null) {
      this.#parsed.push([request, response]);
      this.#wait();
      return;
    }
    this.response = response;
    response.once('finish', this.#answered);
    this.#gate.take(request, response, this.#hasPipelined);
  }

  readonly keep = (rest: Buffer): void => {
    if (rest.length === 0) return;
    this.#rest = rest;
    this.#wait();
  };

  #wait(): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    this.#isWaiting ||= this.#gate.reserve(socket);
    if (!this.#isWaiting) {
      socket.destroy();
      return;
    }
    socket.pause();
    if (this.#hasPipelined) return;
    this.#hasPipelined = true;
    // Node resumes the socket after each request that it has parsed. The event makes Node stop reading also if the socket was
    // paused again before.
    socket.on('resume', () => {
      if (this.#isWaiting) socket.pause().emit('pause');
    });
    socket.once('close', () => this.#release());
  }

  readonly #answered = (): void => {
    this.response = null;
    if (!this.#isWaiting) return;
    const next = this.#parsed.shift();
    if (next === undefined) this.#parseRest();
    else this.begin(...next);
    if (this.#parsed.length > 0 || this.#rest !== null) return;
    this.#release();
    this.#socket.resume();
  };

  #parseRest(): void {
    const rest = this.#rest;
    this.#rest = null;
    // A socket that cannot be written any more answers nothing: what it had sent is dropped.
    if (rest !== null && this.#socket.writable) parseRest(this.#socket, rest);
  }

  #release(): void {
    if (this.#isWaiting) this.#gate.waitingBytes -= BYTES_PER_WAITING_CONNECTION;
    this.#isWaiting = false;
  }
}
