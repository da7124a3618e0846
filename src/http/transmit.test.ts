import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { heldRequests } from '../../test/support/held-requests.ts';
import { LongAnswers } from './protection/long-answers.ts';
import { transmit } from './transmit.ts';
import type { Stream } from './wire/answer.ts';

const PIECE = Buffer.alloc(2 ** 16, 'x');
const GZIPPED = gzipSync(Buffer.alloc(20 * 2 ** 16, 'x'));

async function asked(t: TestContext): Promise<{ client: Socket; response: ServerResponse }> {
  const { client, responses } = await heldRequests(t, 1);
  return { client, response: responses[0]! };
}

function send(response: ServerResponse, body: Stream) {
  const longAnswers = new LongAnswers<ServerResponse>(
    () => '192.0.2.1',
    () => {},
  );
  const answer = { status: 200, headers: '', body };
  const piece = async <T>(work: () => T | Promise<T>) => work();
  return transmit(response, { answer, always: '', withBody: true, idleSeconds: 1, longAnswers, piece });
}

function* pieces(count: number): Generator<Buffer, void, undefined> {
  for (let i = 0; i < count; i++) yield PIECE;
}

describe('a long answer', () => {
  it('is handed over whole to a client that reads it, compressed or not', async t => {
    for (const encoder of [null, createGzip()]) {
      const { client, response } = await asked(t);
      client.resume();
      const bytes = await send(response, { chunks: () => pieces(20), encoder: () => encoder });
      assert.equal(bytes, encoder === null ? 20 * PIECE.length : GZIPPED.length);
      assert.ok(response.writableFinished);
    }
  });

  it('leaves no encoder behind when the client goes away, or making it fails', async t => {
    function* goingAway(client: Socket) {
      yield PIECE;
      client.destroy();
      yield* pieces(Number.POSITIVE_INFINITY);
    }
    function* failing() {
      yield PIECE;
      throw new Error('no more');
    }
    for (const chunksTo of [goingAway, failing]) {
      const { client, response } = await asked(t);
      client.on('error', () => {}).resume();
      const encoder = createGzip();
      await send(response, { chunks: () => chunksTo(client), encoder: () => encoder });
      assert.ok(encoder.destroyed);
      assert.ok(!response.writableFinished);
    }
  });
});
