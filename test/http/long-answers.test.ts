// Long answers, many at once over real sockets: each is whole and of its own bytes, however fast or slowly it is read, and whatever
// becomes of the others. Their memory is used again, so a piece that was let go too early would show up in another answer.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { MAX_AT_ONCE } from '../../src/http/protection/long-answers.ts';
import { TestService } from '../support/service.ts';
import { UNOBSERVED } from '../support/unobserved.ts';
import { LISTING } from './contract.ts';
import { manyAssets } from './many-assets.ts';

const ROWS = 6000;
const ORDERS = ['symbol&order=asc', 'symbol&order=desc', 'price&order=asc', 'price&order=desc'];
/** Different rows in each order. */
const PATHS = ORDERS.flatMap(order =>
  [1, 2].map(page => `${LISTING}?format=csv&limit=3000&page=${page}&sort=${order}`),
);

const DECODERS = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

/** Long, and made later than what is asked for behind it. */
const METRICS = Array.from({ length: 40_000 }, (_, i) => `number ${i}\n`).join('');

/** As the server tells. */
let waiting = 0;

let service: TestService;
let expected: Map<string, string>;
before(async () => {
  service = await TestService.start({
    sources: [manyAssets(ROWS)],
    metrics: async () => {
      await wait(50);
      return METRICS;
    },
    observer: {
      ...UNOBSERVED,
      waiting: change => {
        waiting += change;
      },
    },
  });
  expected = new Map();
  for (const path of PATHS) expected.set(path, (await service.ask(path)).body.toString('latin1'));
  assert.equal(new Set(expected.values()).size, PATHS.length);
});
after(() => service.close());

function send(...paths: readonly string[]): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined); // those that go away in the middle may get one
  socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return socket;
}

/** The bodies of so many answers, read with a pause after each piece that arrives. */
async function bodiesOf(socket: Socket, count: number, pauseMs: number): Promise<string[]> {
  const bodies: string[] = [];
  let text = '';
  for await (const piece of socket) {
    text += piece.toString('latin1');
    for (let whole = firstAnswer(text); whole !== null; whole = firstAnswer(text)) {
      bodies.push(whole.body);
      text = whole.rest;
    }
    if (bodies.length === count) break;
    if (pauseMs > 0) await wait(pauseMs);
  }
  return bodies;
}

/** Null until all of it is there. */
function firstAnswer(text: string): { body: string; rest: string } | null {
  let at = text.indexOf('\r\n\r\n') + 4;
  if (at < 4) return null;
  const head = text.slice(0, at);
  assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
  const length = /\r\ncontent-length: (\d+)\r\n/.exec(head)?.[1];
  if (length !== undefined) {
    const end = at + Number(length);
    return text.length < end ? null : { body: text.slice(at, end), rest: text.slice(end) };
  }
  assert.match(head, /\r\ntransfer-encoding: chunked\r\n/);
  let body = '';
  for (;;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(text.slice(at, end), 16);
    at = end + 2 + size + 2;
    if (text.length < at) return null;
    if (size === 0) return { body, rest: text.slice(at) };
    body += text.slice(end + 2, end + 2 + size);
  }
}

describe('long answers', () => {
  it('asked for one upon the other on one line are each of their own bytes', async () => {
    const paths = [...PATHS, ...PATHS.toReversed()];
    const bodies = await bodiesOf(send(...paths), paths.length, 1);
    assert.deepEqual(
      bodies.map((body, i) => body === expected.get(paths[i]!)),
      paths.map(() => true),
    );
  });

  it('behind one that takes its time, more than one address has places for, are all sent', async () => {
    const listings = Array.from({ length: 70 }, (_, number) => PATHS[number % PATHS.length]!);
    const [metrics, ...bodies] = await bodiesOf(send('/metrics', ...listings), 1 + listings.length, 0);
    assert.equal(metrics, METRICS);
    assert.deepEqual(
      bodies.map((body, i) => body === expected.get(listings[i]!)),
      listings.map(() => true),
    );
  });

  it('at once, read fast and slowly and given up in the middle, are each of their own bytes', async () => {
    const askFor = async (number: number) => {
      const path = PATHS[number % PATHS.length]!;
      const socket = send(path);
      if (number % 3 === 0) {
        await once(socket, 'data');
        socket.destroy();
        return true;
      }
      const [body] = await bodiesOf(socket, 1, number % 3 === 1 ? 0 : 5);
      socket.destroy();
      return body === expected.get(path);
    };
    const whole = await Promise.all(Array.from({ length: 60 }, (_, number) => askFor(number)));
    assert.ok(
      whole.every(Boolean),
      `${whole.filter(one => !one).length} of ${whole.length} are not what they should be`,
    );
  });

  it('wait where one address has too many of them, for as long as it does, and are counted', async () => {
    // More than the system takes for a client that does not read.
    const much = new Array<string>(4).fill(`${LISTING}?limit=${ROWS}`);
    const unread = Array.from({ length: MAX_AT_ONCE }, () => send(...much));
    await Promise.all(unread.map(socket => once(socket, 'readable')));
    const late = Array.from({ length: 6 }, (_, i) => send(PATHS[i]!));
    while (waiting < late.length) await wait(10);
    for (const socket of unread) socket.destroy();
    const bodies = await Promise.all(late.map(socket => bodiesOf(socket, 1, 0)));
    assert.deepEqual(
      bodies.map(([body], i) => body === expected.get(PATHS[i]!)),
      late.map(() => true),
    );
    assert.equal(waiting, 0);
  });

  it('that are compressed on their way are too', async () => {
    for (const [encoding, decoded] of Object.entries(DECODERS)) {
      const answers = PATHS.map(async path => {
        const { headers, body } = await service.ask(path, { headers: { 'accept-encoding': encoding } });
        assert.equal(headers['content-encoding'], encoding);
        return decoded(body).toString('latin1') === expected.get(path);
      });
      assert.deepEqual(
        await Promise.all(answers),
        PATHS.map(() => true),
        encoding,
      );
    }
  });
});
