// Puts an answer on the line: ready bytes in one go, long ones with back-pressure and turns for others in between.

import type { ServerResponse } from 'node:http';
import { type Answer, isStream, type Piece, type Stream } from './answer.ts';
import { type HeaderLines, setHead } from './head.ts';
import { Turns } from './in-turns.ts';

export interface Transmission {
  readonly answer: Answer;
  /** Stand before the answer's own. */
  readonly always: HeaderLines;
  readonly withBody: boolean;
  readonly idleSeconds: number;
}

/** Returns how many bytes of body were handed over; for a long answer, when they all are or the client has gone. */
export function transmit(response: ServerResponse, transmission: Transmission): number | Promise<number> {
  const { answer, always, withBody, idleSeconds } = transmission;
  const { status, body } = answer;
  const lines = always + answer.headers;
  if (body === null) setHead(response, { status, lines, length: null }, idleSeconds);
  else if (isStream(body)) {
    setHead(response, { status, lines, length: 'unknown' }, idleSeconds);
    if (withBody) return stream(response, body);
  } else {
    const length = lengthOf(body);
    const [first] = body;
    const start = withBody && typeof first === 'string' ? first : '';
    setHead(response, { status, lines, length, start }, idleSeconds);
    if (withBody) {
      endWith(response, start === '' ? body : body.slice(1));
      return length;
    }
  }
  response.end();
  return 0;
}

function lengthOf(pieces: readonly Piece[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** Several pieces leave in one system call, because Node corks the socket until the turn ends. */
function endWith(response: ServerResponse, pieces: readonly Piece[]): void {
  const last = pieces.length - 1;
  for (let i = 0; i < last; i++) response.write(pieces[i]!, 'latin1');
  response.end(pieces[last], 'latin1');
}

/** However many are on their way, a turn of the event loop makes one piece of one of them. */
const longAnswers = new Turns();

/** Ends quietly when the client goes away: nobody is left to tell. */
async function stream(response: ServerResponse, body: Stream): Promise<number> {
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
      if (!target.write(chunk)) await drained(target, response);
      await longAnswers.next();
    }
    target.end();
    if (encoder !== null) await ended(encoder, response);
  } catch {
    // The status is long sent: only a line that breaks off tells the client that rows are missing.
    response.destroy();
  }
  return bytes;
}

/** What an encoder still holds leaves it after its end. */
function ended(encoder: NodeJS.ReadWriteStream, response: ServerResponse): Promise<void> {
  return firstOf(response, encoder, 'end');
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
