// The HTTP observer: the interface through which the server reports its work to metrics and the log.

import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../errors.ts';

/** The route label of requests whose path does not exist, or that cannot be parsed. */
export const NO_ROUTE = 'none';

/** What is recorded of one request. */
export class RequestTrace {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly #began = performance.now();
  /** The pattern of the path. */
  route = NO_ROUTE;
  /** The public id of the API key. */
  key: string | null = null;
  code: ErrorCode | null = null;
  status = 0;
  bytes = 0;
  /** To the end of the response. */
  seconds = 0;
  /** To the beginning of a stream; null for any other response. */
  secondsToStream: number | null = null;
  /** Whether the connection closed before all of the response was sent. */
  aborted = false;

  constructor(request: IncomingMessage, id: string) {
    this.request = request;
    this.id = id;
  }

  /** The head of a stream was sent. */
  beginStream(): void {
    this.secondsToStream = this.#elapsed();
  }

  /** The response was sent, or as much of it as possible. */
  end(status: number, bytes: number, aborted: boolean): this {
    this.status = status;
    this.bytes = bytes;
    this.aborted = aborted;
    this.seconds = this.#elapsed();
    return this;
  }

  #elapsed(): number {
    return (performance.now() - this.#began) / 1000;
  }
}

/** Why a connection was closed before anything was read. */
export type ConnectionRefusal = 'full' | 'address';

export interface HttpObserver {
  /** Once, before the first request: every route that a trace can name. */
  routes(labels: readonly string[]): void;
  connected(change: 1 | -1): void;
  /** A connection was closed before anything was read; `connected` does not count it. */
  refused(reason: ConnectionRefusal): void;
  /** A request arrived; `answered` or `dropped` follows. */
  taken(): void;
  answered(trace: RequestTrace): void;
  dropped(): void;
  /** A stream was opened (its request stops counting as in progress) or closed. */
  streaming(change: 1 | -1): void;
  /** One more or one fewer request waits in the queue. */
  queued(change: 1 | -1): void;
  /** One more or one fewer long response waits for a slot. */
  waiting(change: 1 | -1): void;
  /** One more or one fewer refusal is in the tarpit. */
  held(change: 1 | -1): void;
  /** Bytes that cannot be parsed as a request were answered with this error. */
  unreadable(code: ErrorCode): void;
}
