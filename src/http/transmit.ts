// Puts an answer on the line: ready bytes in one go, long ones with back-pressure and turns for others in between.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Answer, type HeaderList, isStream, type Piece, type Stream } from './answer.ts';

/** `always` are headers that stand before the answer's own. */
export function transmit(response: ServerResponse, always: HeaderList, answer: Answer, withBody: boolean): void {
  const { status, body } = answer;
  const headers = always.concat(answer.headers);
  if (body === null) {
    response.writeHead(status, headers);
    response.end();
  } else if (isStream(body)) {
    response.writeHead(status, headers);
    if (withBody) void stream(response, body);
    else response.end();
  } else {
    headers.push('content-length', String(lengthOf(body)));
    response.writeHead(status, headers);
    if (withBody) endWith(response, body);
    else response.end();
  }
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

/** Ends quietly when the client goes away: nobody is left to tell. */
async function stream(response: ServerResponse, body: Stream): Promise<void> {
  const encoder = body.encoder();
  const target = encoder ?? response;
  encoder?.on('error', () => response.destroy());
  encoder?.pipe(response);
  try {
    for (const chunk of body.chunks()) {
      if (response.destroyed) return;
      if (target.write(chunk)) await othersFirst();
      else await drained(target, response);
    }
    target.end();
  } catch {
    // The status is long sent: only a line that breaks off tells the client that rows are missing.
    response.destroy();
  }
}

async function drained(target: NodeJS.WritableStream, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const given = new AbortController();
  const [signal, give] = [given.signal, () => given.abort()];
  await Promise.race([once(target, 'drain', { signal }), once(response, 'close', { signal })]).finally(give);
}
