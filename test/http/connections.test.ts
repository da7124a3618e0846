// Clients that are slow, silent, too many or talk nonsense in the middle: each is disconnected, and other clients are not affected.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConnectionLimits } from '../../src/http/protection/connection-limits.ts';
import { TestService } from '../support/service.ts';
import { LISTING } from './contract.ts';
import { manyAssets } from './many-assets.ts';

const ROWS = 20_000;
const LIMITS: Partial<ConnectionLimits> = {
  headersMs: 300,
  requestMs: 400,
  stalledMs: 600,
  checkMs: 50,
  connections: 20,
};
const DOWNLOAD = `GET ${LISTING}?limit=100000 HTTP/1.1\r\nHost: x\r\n\r\n`;

let service: TestService;
before(async () => {
  service = await TestService.start({ sources: [manyAssets(ROWS)], connectionLimits: LIMITS });
});
after(() => service.close());

function open(): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined); // being cut off is what is tested
  return socket;
}

/** The server's end of the next connection. */
async function accepted(): Promise<Socket> {
  const [socket] = await once(service.server, 'connection');
  return socket;
}

const healthy = async () => assert.equal((await service.ask('/healthz')).status, 200);

describe('a client that', () => {
  for (const [name, bytes, status] of [
    ['sends garbage', '\x16\x03\x01 garbage\r\n\r\n', 400],
    ['sends CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ] as const) {
    it(`${name} behind the request for a long answer gets the whole answer before the error`, async () => {
      const socket = open();
      socket.write(DOWNLOAD + bytes, 'latin1');
      const [answer = '', error] = (await text(socket)).split('\r\n0\r\n\r\n');
      assert.match(answer, /^HTTP\/1\.1 200 /);
      const body = answer
        .slice(answer.indexOf('\r\n\r\n') + 2)
        .split(/\r\n[\da-f]+\r\n/)
        .join('');
      assert.equal(JSON.parse(body).result.length, ROWS);
      assert.ok(error?.startsWith(`HTTP/1.1 ${status} `), error);
    });
  }

  it('connects and says nothing is told so and cut off', async () => {
    assert.match(await text(open()), /^HTTP\/1\.1 408 /);
  });

  it('sends its headers one at a time is told so and cut off', async () => {
    const socket = open();
    const sending = setInterval(() => socket.write('X-More: 1\r\n'), 50);
    socket.write(`GET ${LISTING} HTTP/1.1\r\nHost: x\r\n`);
    try {
      assert.match(await text(socket), /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    } finally {
      clearInterval(sending);
    }
  });

  it('promises a message to the tools and does not send it is told so and cut off', async () => {
    const socket = open();
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    assert.match(await text(socket), /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  });

  it('sends a body without end is answered before it, and cut off', async () => {
    const socket = open();
    const sending = setInterval(() => socket.write('x'.repeat(1000)), 20);
    socket.write(`POST ${LISTING} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n`);
    try {
      assert.match(await text(socket), /^HTTP\/1\.1 405 /);
    } finally {
      clearInterval(sending);
    }
  });

  it('stops reading in the middle of a long answer is cut off, and little of the answer was made for it', async () => {
    const [socket, server] = [open(), accepted()];
    socket.write(DOWNLOAD);
    await once(socket, 'readable');
    const line = await server;
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, line.writableLength);
    }, 5);
    await once(line, 'close');
    clearInterval(watching);
    assert.ok(most > 0 && most < 2 ** 20, `${most} bytes were waiting`);
    socket.destroy();
    await healthy();
  });

  it('reads slowly, but reads, gets all of it', async () => {
    const socket = open();
    socket.write(DOWNLOAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    let bytes = 0;
    const began = performance.now();
    for await (const chunk of socket) {
      bytes += chunk.length;
      // Longer than a reader may stall.
      if (performance.now() - began < 1000) await wait(20);
    }
    const whole = (await service.ask(`${LISTING}?limit=100000`)).body.length;
    assert.ok(bytes > whole, `${bytes} of ${whole} bytes`);
  });

  it('sends nonsense while its answer is on its way is cut off, without a word in the middle of it', async () => {
    const [socket, server] = [open(), accepted()];
    socket.write(DOWNLOAD);
    await once(socket, 'readable');
    const line = await server;
    const closed = once(line, 'close');
    socket.write('\0nonsense\r\n\r\n');
    await closed;
    const got = await text(socket).catch(() => '');
    assert.doesNotMatch(got, /problem\+json|"code":"bad_request"/);
    await healthy();
  });
});

describe('connections', () => {
  it('beyond the allowed number are closed unheard, until others are gone', async () => {
    const many = Array.from({ length: 40 }, open);
    const ends = many.map(socket => once(socket, 'close'));
    await Promise.all(many.map(socket => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    await Promise.race(ends);
    const count = await new Promise<number>((resolve, reject) =>
      service.server.getConnections((error, n) => (error ? reject(error) : resolve(n))),
    );
    assert.ok(count <= 20, `${count} connections`);
    for (const socket of many) socket.destroy();
    await Promise.all(ends);
    await healthy();
  });
});
