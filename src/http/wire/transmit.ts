// Puts an answer on the line: ready bytes in one go, long ones with back-pressure and turns for others in between.

import type { ServerResponse } from 'node:http';
import type { LongAnswers } from '../protection/long-answers.ts';
import { type Answer, isStream, type Piece, type Stream } from './answer.ts';
import { type Head, type HeaderLines, setHead } from './head.ts';

export interface Transmission {
  readonly answer: Answer;
  /** Stand before the answer's own. */
  readonly always: HeaderLines;
  readonly withBody: boolean;
  readonly idleSeconds: number;
  readonly longAnswers: LongAnswers<ServerResponse>;
}

/**
 * Returns how many bytes of body were handed over; for a long answer, when they all are or the client has gone. Null for one whose
 * client went away while it waited for its turn; rejects, before anything was sent, when it has waited too long.
 */
export function transmit(response: ServerResponse, transmission: Transmission): number | Promise<number | null> {
  const { answer, always, withBody, idleSeconds, longAnswers } = transmission;
  const { status, body } = answer;
  const length: Head['length'] = body === null ? null : isStream(body) ? 'unknown' : lengthOf(body);
  const head: Head = { status, lines: always + answer.headers, length };
  if (body === null || length === null || !withBody) {
    setHead(response, head, idleSeconds);
    response.end();
    return 0;
  }
  if (isStream(body) || length === 'unknown' || length > LONG_BYTES) {
    return longAnswers.send(response, () => {
      setHead(response, head, idleSeconds);
      return stream(response, isStream(body) ? body : inParts(body), longAnswers);
    });
  }
  const [first] = body;
  const start = typeof first === 'string' ? first : '';
  setHead(response, { ...head, start }, idleSeconds);
  endWith(response, start === '' ? body : body.slice(1));
  return length;
}

/** More than most clients have room for, so that those who do not read would have the system keep it. */
const LONG_BYTES = 128 * 2 ** 10;
const PART_BYTES = 64 * 2 ** 10;

function lengthOf(pieces: readonly Piece[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

function inParts(pieces: readonly Piece[]): Stream {
  function* chunks(): Generator<Buffer, void, undefined> {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
      for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
    }
  }
  return { chunks, encoder: () => null };
}

/** Several pieces leave in one system call, because Node corks the socket until the turn ends. */
function endWith(response: ServerResponse, pieces: readonly Piece[]): void {
  const last = pieces.length - 1;
  for (let i = 0; i < last; i++) response.write(pieces[i]!, 'latin1');
  response.end(pieces[last], 'latin1');
}

/** Returns the bytes that were handed over, all of them unless the response is destroyed. Ends quietly when the client goes away:
 * nobody is left to tell. */
async function stream(
  response: ServerResponse,
  body: Stream,
  longAnswers: LongAnswers<ServerResponse>,
): Promise<number> {
  const encoder = body.encoder();
  const target = encoder ?? response;
  let bytes = 0;
  encoder?.on('error', () => response.destroy());
  encoder?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  encoder?.pipe(response);
  try {
    await longAnswers.next();
    for (const chunk of body.chunks()) {
      if (response.destroyed) return bytes;
      if (encoder === null) bytes += chunk.length;
      if (!target.write(chunk, error => error ?? body.handedOver?.(chunk))) await drained(target, response);
      await longAnswers.next();
    }
    target.end();
    await firstOf(response, response, 'finish');
  } catch {
    // The status is long sent: only a line that breaks off tells the client that rows are missing.
    response.destroy();
  } finally {
    // Its memory is outside of the heap: left to the garbage collector, it would stay for long.
    encoder?.destroy();
  }
  return bytes;
}

function drained(target: NodeJS.WritableStream, response: ServerResponse): Promise<void> {
  return firstOf(response, target, 'drain');
}

/** Waits for the event, or for the client to go away. */
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
