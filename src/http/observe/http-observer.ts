// What the server tells of its work. Metrics and the log listen; the server knows neither.

import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../errors.ts';
import type { Refusal } from '../protection/connection-limits.ts';

/** Where a request is counted whose path is none of ours, or that cannot be read. */
export const NO_ROUTE = 'none';

/** One request, from its arrival to its answer. */
export class RequestTrace {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly #began = performance.now();
  /** The pattern of the path. */
  route = NO_ROUTE;
  /** The public id of the key. */
  key: string | null = null;
  code: ErrorCode | null = null;
  status = 0;
  bytes = 0;
  seconds = 0;
  /** Whether the line was closed before all of the answer was handed over. */
  aborted = false;

  constructor(request: IncomingMessage, id: string) {
    this.request = request;
    this.id = id;
  }

  /** The answer was handed over, or as much of it as could be. */
  end(status: number, bytes: number, aborted: boolean): this {
    this.status = status;
    this.bytes = bytes;
    this.aborted = aborted;
    this.seconds = (performance.now() - this.#began) / 1000;
    return this;
  }
}

export type CacheName = 'plan' | 'page';

export interface HttpObserver {
  /** Once, before the first request: every route that a trace can name. */
  routes(labels: readonly string[]): void;
  connected(change: 1 | -1): void;
  /** A connection was closed unheard, and is no part of those that are connected. */
  refused(reason: Refusal): void;
  /** A request was taken; `answered` or `dropped` follows. */
  taken(): void;
  answered(trace: RequestTrace): void;
  dropped(): void;
  /** The requests that wait for their turn became more or fewer. */
  queued(change: 1 | -1): void;
  /** The long answers that wait for a place became more or fewer. */
  waiting(change: 1 | -1): void;
  /** The refusals that are held back became more or fewer. */
  held(change: 1 | -1): void;
  /** What cannot be read as a request was answered all the same. */
  unreadable(code: ErrorCode): void;
  lookedUp(cache: CacheName, found: boolean): void;
}

export const UNOBSERVED: HttpObserver = {
  routes: () => {},
  connected: () => {},
  refused: () => {},
  taken: () => {},
  answered: () => {},
  dropped: () => {},
  queued: () => {},
  waiting: () => {},
  held: () => {},
  unreadable: () => {},
  lookedUp: () => {},
};
