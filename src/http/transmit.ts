// Sends an answer: short ones in one write, long ones piece by piece with back-pressure and turns for other requests in between.

import type { ServerResponse } from 'node:http';
import { sendEvents } from './event-stream.ts';
import type { LongAnswers } from './protection/long-answers.ts';
import { type Answer, type Body, isEventStream, isStream, type Piece, type Stream } from './wire/answer.ts';
import { type Head, type HeaderLines, setHead } from './wire/head.ts';

export interface Transmission {
  readonly answer: Answer;
  /** Header lines before those of the answer. */
  readonly always: HeaderLines;
  readonly withBody: boolean;
  readonly idleSeconds: number;
  readonly longAnswers: LongAnswers<ServerResponse>;
  /** Does one part of the work at the client's turn. */
  readonly piece: DoPiece;
}

export type DoPiece = <T>(work: () => T | Promise<T>) => Promise<T>;

/**
 * Returns the bytes of body that were written; for a long answer or a stream of events, when all are written or the client has
 * disconnected. Null if the client disconnected while the answer waited for a slot; rejects, before anything is sent, if it waits
 * too long.
 */
export function transmit(response: ServerResponse, transmission: Transmission): number | Promise<number | null> {
  const { answer, always, withBody, idleSeconds, longAnswers, piece } = transmission;
  const { status, body } = answer;
  const length: Head['length'] = body === null ? null : lengthOf(body);
  const head: Head = { status, lines: always + answer.headers, length };
  if (body === null || length === null || !withBody) {
    setHead(response, head, idleSeconds);
    response.end();
    return 0;
  }
  if (isEventStream(body)) return sendEvents(response, head, idleSeconds, body);
  if (isStream(body) || length === 'unknown' || length > LONG_BYTES) {
    return longAnswers.send(response, () => {
      setHead(response, head, idleSeconds);
      return stream(response, isStream(body) ? body : inParts(body), piece);
    });
  }
  const [first] = body;
  const start = typeof first === 'string' ? first : '';
  setHead(response, { ...head, start }, idleSeconds);
  endWith(response, start === '' ? body : body.slice(1));
  return length;
}

/** Longer bodies do not fit into most socket buffers: clients that do not read would keep them in memory. */
const LONG_BYTES = 128 * 2 ** 10;
const PART_BYTES = 64 * 2 ** 10;

function lengthOf(body: Body): number | 'unknown' {
  if (isEventStream(body)) return 'unknown';
  if (isStream(body)) return body.length ?? 'unknown';
  let length = 0;
  for (const piece of body) length += piece.length;
  return length;
}

function inParts(pieces: readonly Piece[]): Stream {
  function* chunks(): Generator<Buffer, void, undefined> {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
      for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
    }
  }
  return { chunks };
}

/** Several pieces are sent in one system call, because Node corks the socket until the turn ends. */
function endWith(response: ServerResponse, pieces: readonly Piece[]): void {
  const last = pieces.length - 1;
  for (let i = 0; i < last; i++) response.write(pieces[i]!, 'latin1');
  response.end(pieces[last], 'latin1');
}

/** Returns the bytes that were written: all of them, unless the client disconnects, which is not an error. */
async function stream(response: ServerResponse, body: Stream, piece: DoPiece): Promise<number> {
  const encoder = body.encoder?.() ?? null;
  const target = encoder ?? response;
  let bytes = 0;
  encoder?.on('error', () => response.destroy());
  encoder?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  encoder?.pipe(response);
  const chunks = iteratorOf(body.chunks());
  try {
    for (;;) {
      const { done, value: chunk } = await piece(() => chunks.next());
      if (done) break;
      if (response.destroyed) return bytes;
      if (encoder === null) bytes += chunk.length;
      if (!target.write(chunk, error => error ?? body.onSent?.(chunk))) await drained(target, response);
    }
    target.end();
    await firstOf(response, response, 'finish');
  } catch {
    // The status was sent long ago: only a connection that breaks tells the client that rows are missing.
    response.destroy();
  } finally {
    void chunks.return?.();
    // Its memory is outside of the heap: the garbage collector would free it late.
    encoder?.destroy();
  }
  return bytes;
}

function iteratorOf(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Iterator<Buffer> | AsyncIterator<Buffer> {
  return Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
}

function drained(target: NodeJS.WritableStream, response: ServerResponse): Promise<void> {
  return firstOf(response, target, 'drain');
}

/** Waits for the event, or for the client to disconnect. */
function firstOf(response: ServerResponse, emitter: NodeJS.EventEmitter, event: string): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise(resolve => {
    const done = () => {
      emitter.off(event, done);
      response.off('close', done);
      resolve();
    };
    emitter.on(event, done);
    response.on('close', done);
  });
}
