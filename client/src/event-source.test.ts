// Streams, against a server that sends the bytes that a test says.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type ScriptedHandler, scriptedServer } from '../../test/support/scripted-server.ts';
import { ApiError, type PublicationEvent, Tidemark, type TidemarkOptions } from './index.ts';

const server = scriptedServer();

const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const eventText = (version: number) => `event: publication\nid: ${version}\ndata: {"version":${version}}\n\n`;
/** Sends, and then ends the stream without a goodbye. */
const sends =
  (...texts: (string | Buffer)[]): ScriptedHandler =>
  async (_, response) => {
    open(response);
    for (const text of texts) {
      response.write(text);
      await delay(2); // so that each is a chunk of its own
    }
    response.end();
  };

async function take(count: number, options: Partial<TidemarkOptions> = {}, lastEventId?: number) {
  const seen: PublicationEvent[] = [];
  const from = lastEventId === undefined ? {} : { lastEventId };
  for await (const event of new Tidemark({ url: server.url, ...options }).publications(from)) {
    seen.push(event);
    if (seen.length === count) break;
  }
  return seen.map(({ version }) => version);
}

describe('a stream', () => {
  it('reads events however the bytes are cut, with every kind of line end', async () => {
    const text = `: hello\n\n${eventText(1)}${eventText(2).replaceAll('\n', '\r\n')}${eventText(3).replaceAll('\n', '\r')}`;
    server.handlers = [sends(...Array.from(text, character => Buffer.from(character)), ':\n\n')];
    assert.deepEqual(await take(3), [1, 2, 3]);
    assert.equal(server.requests[0]?.headers.accept, 'text/event-stream');
  });

  it('has an event as soon as its last line ends, also by a CR alone', async () => {
    server.handlers = [(_, response) => void open(response).write(eventText(1).replaceAll('\n', '\r'))];
    assert.deepEqual(await take(1), [1]);
  });

  it('ignores an id with a NUL, and asks caches for nothing', async () => {
    server.handlers = [sends(eventText(5), 'id: 6\0\ndata: {"version":7}\n\n'), sends(eventText(8))];
    assert.deepEqual(await take(3), [5, 7, 8]);
    assert.equal(server.requests[0]?.headers['cache-control'], 'no-cache');
    assert.equal(server.requests[1]?.headers['last-event-id'], '5');
  });

  it('joins data lines, and reads characters that a chunk divides', async () => {
    const bytes = Buffer.from('event: publication\ndata: {"version":\ndata: "€"}\n\n');
    const inside = bytes.indexOf('€') + 1;
    server.handlers = [sends(bytes.subarray(0, inside), bytes.subarray(inside))];
    assert.deepEqual(await take(1), ['€']);
  });

  it('connects again after a loss and continues after the last event', async () => {
    server.handlers = [sends(eventText(5)), sends(eventText(6))];
    assert.deepEqual(await take(2), [5, 6]);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['last-event-id']),
      [undefined, '5'],
    );
  });

  it('continues after what the program has seen before', async () => {
    server.handlers = [sends(eventText(8))];
    assert.deepEqual(await take(1, {}, 7), [8]);
    assert.equal(server.requests[0]?.headers['last-event-id'], '7');
  });

  it('connects again after a goodbye, when the server says', async () => {
    server.handlers = [
      sends(eventText(1), 'event: goodbye\nretry: 1\ndata: {"reason":"stopping"}\n\n'),
      sends(eventText(2)),
    ];
    assert.deepEqual(await take(2), [1, 2]);
  });

  it('outlives a service that restarts', async () => {
    const unready: ScriptedHandler = (_, response) => void response.writeHead(503).end();
    server.handlers = [sends(eventText(1)), request => void request.socket.destroy(), unready, sends(eventText(2))];
    assert.deepEqual(await take(2, { retryDelay: () => null }), [1, 2]);
  });

  it('connects again when the server is silent for too long', async () => {
    server.handlers = [(_, response) => void open(response).write(eventText(1)), sends(eventText(2))];
    assert.deepEqual(await take(2, { timeout: 1000 }), [1, 2]);
  });

  it('ends with the error when the API key is no longer accepted', async () => {
    const refused: ScriptedHandler = (_, response) =>
      void response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{"code":"revoked_key"}');
    server.handlers = [sends(eventText(1)), refused];
    await assert.rejects(take(2), (error: unknown) => error instanceof ApiError && error.code === 'revoked_key');
  });

  it('closes the connection when the loop ends', async () => {
    let closed: Promise<unknown> | undefined;
    server.handlers = [
      (request, response) => {
        closed = once(request.socket, 'close');
        open(response).write(eventText(1));
      },
    ];
    await take(1);
    await closed;
  });

  it('ends by its signal, also while it waits', async () => {
    const control = new AbortController();
    server.handlers = [(_, response) => void open(response).write(eventText(1))];
    const stream = new Tidemark({ url: server.url }).publications({ signal: control.signal });
    assert.equal((await stream.next()).done, false);
    setTimeout(() => control.abort(), 10);
    await assert.rejects(stream.next(), { name: 'AbortError' });
    assert.equal(server.requests.length, 1);
  });
});
