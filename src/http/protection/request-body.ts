// Reads the bodies of requests, within a limit per body and one for all that arrive at the same time: a client that sends slowly must
// not decide how much memory the server uses. Node's request timeout bounds the time.

import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../errors.ts';
import { CLIENT_GONE } from './scheduler-client.ts';

export const NO_BODY: Buffer = Buffer.alloc(0);

/** Of all bodies that are incomplete, per thread. */
const MAX_ARRIVING_BYTES = 16 * 2 ** 20;

export class BodyReader {
  readonly #maxArriving: number;
  #arriving = 0;

  constructor(maxArriving = MAX_ARRIVING_BYTES) {
    this.#maxArriving = maxArriving;
  }

  /** Bytes of the bodies that are incomplete. */
  get arriving(): number {
    return this.#arriving;
  }

  /**
   * Fails with an ApiError, or with `CLIENT_GONE` if the connection closes. What is not read is dropped as it arrives, so that the connection
   * can go on.
   */
  read(request: IncomingMessage, maxBytes: number): Buffer | Promise<Buffer> {
    const { 'content-length': stated, 'transfer-encoding': coding } = request.headers;
    // Such a request has no events (`optimizeEmptyRequests`).
    if (stated === undefined && coding === undefined) return NO_BODY;
    if (Number(stated ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    let [length, settled] = [0, false];
    const settle = () => {
      const isFirst = !settled;
      if (isFirst) this.#arriving -= length;
      settled = true;
      return isFirst;
    };
    const refuse = (error: Error) => {
      if (settle()) reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      if (settled) return;
      length += chunk.length;
      this.#arriving += chunk.length;
      chunks.push(chunk);
      if (length > maxBytes) refuse(tooLarge(maxBytes));
      else if (this.#arriving > this.#maxArriving) refuse(TOO_MANY);
    });
    request.on('end', () => {
      if (settle()) resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    });
    request.on('close', () => refuse(CLIENT_GONE));
    return promise;
  }
}

const TOO_MANY = new ApiError('overloaded', 'Too many requests are arriving at the same time.', {
  hint: 'Retry after Retry-After seconds.',
});

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('body_too_large', `The body is longer than ${maxBytes} bytes.`, {
    hint: 'Send one message per request.',
  });
}
