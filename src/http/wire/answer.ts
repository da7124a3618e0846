// The interface of handlers: a request whose API key was accepted, and the answer to send.

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import type { AtTurn, RunSteps } from '../../common/steps.ts';
import type { Tier } from '../../domain/tiers.ts';
import type { ErrorCode } from '../../errors.ts';
import type { HeaderLines } from './head.ts';

/** Whom something is computed for. */
export interface Requester {
  /** The API key, or the address without one. */
  readonly client: string;
  /** The connection is closed. */
  readonly isGone: () => boolean;
}

export interface ApiRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  /** What stands in the place of `*` in the path of the route, decoded; otherwise empty. */
  readonly rest: string;
  /** The tier of the API key; the narrowest one on paths that need none. */
  readonly tier: Tier;
  readonly isHead: boolean;
  /** Signs a path, for a link that works without the API key; null unless the key came in the URL. */
  readonly sign: ((path: string) => string) | null;
  /** When its handling began, by `performance.now()`. */
  readonly began: number;
  /** Empty unless the route takes a body. */
  readonly body: Buffer;
  /** The public id of the API key; null without one. */
  readonly key: string | null;
  readonly requester: Requester;
  /**
   * Runs a computation in the time slices of this client, as far as possible at once. It fails, and its steps end, if the client closes the
   * connection or the computation would begin too late.
   */
  readonly run: RunSteps;
  /**
   * Does work that holds what it reads from the store: a few of one client at a time. It reads through `atTurn`, in parts if there is much to
   * read. Fails as `run` does.
   */
  readonly slot: <T>(work: (atTurn: AtTurn) => Promise<T>) => Promise<T>;
}

/** A text is a byte string: one character per byte. */
export type Piece = Buffer | string;

/** A long body, rendered piece by piece as the client reads. */
export interface Stream {
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
  /** In bytes, if it is known before the body is made. */
  readonly length?: number;
  /** Called when a piece was sent: its memory may be reused. */
  readonly onSent?: (chunk: Buffer) => void;
  /** Compresses the pieces. */
  readonly encoder?: () => Transform | null;
}

/** The connection of a client of a stream. */
export interface Sink {
  readonly isOpen: boolean;
  /** Returns how many bytes the operating system has not taken at once. If there are any, `onSent` is called when it has. */
  write(bytes: Buffer, onSent: () => void): number;
  /** Writes the last bytes. */
  end(bytes: Buffer): void;
  /** Closes the connection without the bytes that wait. */
  cut(): void;
}

export interface OpenStream {
  /** To be called once the head of the response is sent. */
  readonly begin: () => void;
  /** To be called when the connection has closed. */
  readonly closed: () => void;
}

/** A body without an end. */
export interface EventStream {
  /** Throws an ApiError if the client has too many streams. */
  readonly open: (sink: Sink) => OpenStream;
}

export type Body = readonly Piece[] | Stream | EventStream;

export interface Answer {
  readonly status: number;
  readonly headers: HeaderLines;
  /** Null if there is none, such as for 304. */
  readonly body: Body | null;
  /**
   * The body may be compressed. Answers of the same name share the body that was compressed first: the name must include everything that
   * must not be served stale.
   */
  readonly compressAs?: string;
  /** Of an error: how it is counted. */
  readonly code?: ErrorCode;
}

export type Handler = (request: ApiRequest) => Answer | Promise<Answer>;

export function isStream(body: Body): body is Stream {
  return 'chunks' in body;
}

export function isEventStream(body: Body): body is EventStream {
  return 'open' in body;
}
