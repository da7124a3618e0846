// What handlers take and give: a request that was let in, and an answer that is not sent yet.

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import type { Tier } from '../../domain/tiers.ts';
import type { HeaderLines } from './head.ts';

export interface ApiRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  /** What stands behind the first question mark, as the client sent it. */
  readonly query: string;
  /** What stands behind the path of a route that ends with `*`, decoded; otherwise empty. */
  readonly rest: string;
  /** What the caller may ask for; the narrowest on paths that need no key. */
  readonly tier: Tier;
}

/** A text is a byte string: one character for each byte. */
export type Piece = Buffer | string;

/** Too long to be made at once: rendered piece by piece, as fast as the client reads. */
export interface Stream {
  readonly chunks: () => Iterable<Buffer>;
  /** Told of every piece that was handed over: its memory may be used again. */
  readonly handedOver?: (chunk: Buffer) => void;
  /** Compresses on the way. */
  readonly encoder: () => Transform | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: HeaderLines;
  /** Null: an answer that has none, such as 304. */
  readonly body: readonly Piece[] | Stream | null;
}

export type Handler = (ask: ApiRequest) => Answer | Promise<Answer>;

export function isStream(body: readonly Piece[] | Stream): body is Stream {
  return 'chunks' in body;
}
