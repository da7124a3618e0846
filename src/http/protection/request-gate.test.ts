import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { BYTES_PER_WAITING_CONNECTION, type GateOptions, RequestGate } from './request-gate.ts';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const LAST = 'Connection: close\r\n';

interface Taken {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server behind a gate. Its requests are answered by the test, or at once if it says so. */
async function guarded(
  t: TestContext,
  { atOnce = false, maxWaitingBytes = 2 ** 20, ...options }: Partial<GateOptions> & { readonly atOnce?: boolean } = {},
) {
  const taken: Taken[] = [];
  const overflowed: Socket[] = [];
  const gate = new RequestGate({
    take: (request, response) => {
      taken.push({ request, response });
      if (atOnce) response.end(request.url);
    },
    onOverflow: socket => overflowed.push(socket),
    maxWaitingBytes,
    ...options,
  });
  const server = createServer({ optimizeEmptyRequests: true }, gate.dispatch);
  gate.guard(server);
  server.on('connect', (_request, socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const open = async (allowHalfOpen = false) => {
    const { port } = server.address() as AddressInfo; // it listens on a port
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen });
    client.on('error', () => undefined); // being closed is what some tests are about
    await once(client, 'connect');
    return client;
  };
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await wait(2);
  };
  return { gate, taken, overflowed, open, until };
}

/** The paths that were answered, in the order of the answers. */
const bodies = (answers: string) => [...answers.matchAll(/\r\n\r\n(\/\w*?)(?=HTTP\/|$)/g)].map(match => match[1]);

describe('a connection', () => {
  it('has one request at a time, however many were sent together', async t => {
    const { gate, taken, open, until } = await guarded(t);
    const client = await open();
    const paths = Array.from({ length: 500 }, (_, i) => `/${i}`);
    const answers = text(client);
    client.write(paths.map((path, i) => get(path, i === 499 ? LAST : '')).join(''));
    for (let i = 0; i < paths.length; i++) {
      await until(() => taken.length > i);
      assert.equal(taken.length, i + 1, 'the next request waits for this answer');
      assert.equal(gate.waitingBytes > 0, i < paths.length - 1);
      taken[i]!.response.end(taken[i]!.request.url);
    }
    assert.deepEqual(bodies(await answers), paths);
  });

  it('that has pipelined once counts as pipelining from then on; another one does not', async t => {
    const seen: string[] = [];
    const { open, until } = await guarded(t, {
      take: (request, response, pipelined) => {
        seen.push(`${request.url} ${pipelined}`);
        // Later, so that the next request has arrived meanwhile.
        setTimeout(() => response.end(), 20);
      },
    });
    const client = await open();
    client.write(get('/0') + get('/1'));
    await until(() => seen.length === 2);
    client.write(get('/2'));
    await until(() => seen.length === 3);
    const other = await open();
    other.write(get('/3'));
    await once(other, 'data');
    other.write(get('/4'));
    await until(() => seen.length === 5);
    assert.deepEqual(seen, ['/0 false', '/1 true', '/2 true', '/3 false', '/4 false']);
  });

  for (const [name, answer] of [
    ['at once', (respond: () => void) => respond()],
    ['later', (respond: () => void) => setImmediate(respond)],
  ] as const) {
    it(`is answered in order if it sends more than the server reads at once, and is answered ${name}`, async t => {
      const { gate, open } = await guarded(t, {
        take: (request, response) => answer(() => response.end(request.url)),
      });
      const paths = Array.from({ length: 3000 }, (_, i) => `/${i}`);
      const client = await open();
      const answers = text(client);
      client.write(
        paths.map((path, i) => get(path, `X: ${'x'.repeat(i % 300)}\r\n${i === 2999 ? LAST : ''}`)).join(''),
      );
      assert.deepEqual(bodies(await answers), paths);
      assert.equal(gate.waitingBytes, 0);
    });
  }

  it('has one request at a time also if the parser cannot be stopped', async t => {
    const { taken, open, until } = await guarded(t, { stop: () => undefined });
    const client = await open();
    const answers = text(client);
    const paths = Array.from({ length: 5000 }, (_, i) => `/${i}`);
    client.write(paths.map((path, i) => get(path, i === 4999 ? LAST : '')).join(''));
    for (const [i, path] of paths.entries()) {
      if (taken.length <= i) await until(() => taken.length > i);
      assert.equal(taken.length, i + 1);
      taken[i]!.response.end(path);
      // Its turn ends with the event of its own.
      await once(taken[i]!.response, 'close');
    }
    assert.deepEqual(bodies(await answers), paths);
  });

  for (const [name, pieces] of [
    ['between two requests', [get('/a'), get('/b', LAST)]],
    ['in the middle of the end of a head', [get('/a').slice(0, -1), `\n${get('/b', LAST)}`]],
    ['in the middle of a head', [get('/a').slice(0, 9), get('/a').slice(9) + get('/b', LAST)]],
    ['after every byte', [...(get('/a') + get('/b', LAST))]],
  ] as const) {
    it(`takes requests that arrive in pieces, cut ${name}`, async t => {
      const { open } = await guarded(t, { atOnce: true });
      const client = (await open()).setNoDelay();
      const answers = text(client);
      for (const piece of pieces) {
        client.write(piece);
        await wait(5);
      }
      assert.deepEqual(bodies(await answers), ['/a', '/b']);
    });
  }

  it('never has two requests at once, not even if the end of one came together with the next', async t => {
    const { taken, open, until } = await guarded(t);
    const client = (await open()).setNoDelay();
    const answers = text(client);
    client.write(get('/a').slice(0, -1));
    await wait(20);
    client.write(`\n${get('/b', LAST)}`);
    await until(() => taken.length > 0);
    await wait(20);
    assert.equal(taken.length, 1);
    taken[0]!.response.end('/a');
    await until(() => taken.length > 1);
    taken[1]!.response.end('/b');
    assert.deepEqual(bodies(await answers), ['/a', '/b']);
  });

  it('passes the body of a request on before it is answered', async t => {
    const { taken, open, until } = await guarded(t);
    const client = await open();
    const answers = text(client);
    const body = 'one\r\n\r\ntwo';
    client.write(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${get('/b', LAST)}`);
    await until(() => taken.length > 0);
    assert.equal(await text(taken[0]!.request), body);
    assert.equal(taken.length, 1);
    taken[0]!.response.end('/a');
    await until(() => taken.length > 1);
    taken[1]!.response.end('/b');
    assert.deepEqual(bodies(await answers), ['/a', '/b']);
  });

  it('loses nothing behind a request for an upgrade', async t => {
    const { open } = await guarded(t, { atOnce: true });
    const client = await open();
    const answers = text(client);
    client.write(get('/a', 'Connection: Upgrade\r\nUpgrade: h2c\r\n') + get('/b') + get('/c', LAST));
    assert.deepEqual(bodies(await answers), ['/a', '/b', '/c']);
  });

  it('is answered to its end when the client has ended its side', async t => {
    const { open } = await guarded(t, { atOnce: true });
    const client = await open(true);
    const answers = text(client);
    client.end(get('/a') + get('/b') + get('/c'));
    assert.deepEqual(bodies(await answers), ['/a', '/b', '/c']);
  });

  it('takes nothing after a request that closes it, or after CONNECT', async t => {
    const { taken, open } = await guarded(t, { atOnce: true });
    const closing = await open();
    closing.write(get('/a', LAST) + get('/b'));
    assert.deepEqual(bodies(await text(closing)), ['/a']);
    const tunnel = await open();
    tunnel.write(`CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n${get('/c')}`);
    tunnel.write(get('/d'));
    tunnel.end();
    await text(tunnel).catch(() => '');
    assert.deepEqual(
      taken.map(({ request }) => request.url),
      ['/a'],
    );
  });
});

describe('the bytes that wait', () => {
  it('are bounded: the connection that exceeds the bound is closed, and the others are not', async t => {
    const { gate, taken, overflowed, open, until } = await guarded(t, {
      maxWaitingBytes: 1.5 * BYTES_PER_WAITING_CONNECTION,
    });
    const [first, second] = [await open(), await open()];
    first.write(get('/a') + get('/b').repeat(200));
    await until(() => gate.waitingBytes > 0);
    const closed = once(second, 'close');
    second.write(get('/c') + get('/d').repeat(200));
    await closed;
    assert.equal(overflowed.length, 1);
    taken.find(({ request }) => request.url === '/a')!.response.end('/a');
    await until(() => taken.some(({ request }) => request.url === '/b'));
  });

  for (const [name, size] of [
    ['single bytes', 1],
    ['large pieces', 30_000],
  ] as const) {
    it(`of a client that goes on sending ${name} are not read`, async t => {
      const { gate, taken, open, until } = await guarded(t);
      const client = (await open()).setNoDelay();
      client.write(get('/a') + get('/b'));
      await until(() => gate.waitingBytes > 0);
      for (let i = 0; i < 50; i++) {
        client.write('x'.repeat(size));
        await wait(2);
      }
      assert.equal(gate.waitingBytes, BYTES_PER_WAITING_CONNECTION);
      assert.equal(taken[0]!.request.socket.bytesRead, get('/a').length + get('/b').length);
      client.destroy();
    });
  }

  it('are at most 32 MB in all connections of a thread, 64 kB in each', () => {
    let overflows = 0;
    const gate = new RequestGate({ take: () => {}, onOverflow: () => void overflows++ });
    const socket = new Socket();
    for (let i = 0; i < 512; i++) assert.ok(gate.reserve(socket));
    assert.equal(gate.reserve(socket), false);
    assert.equal(overflows, 1);
  });

  it('are given back when a connection closes', async t => {
    const { gate, taken, open, until } = await guarded(t);
    const client = await open();
    client.write(get('/a').repeat(100));
    await until(() => gate.waitingBytes > 0);
    client.resetAndDestroy();
    // Nothing is read from the connection meanwhile, so the server notices when it writes.
    while (gate.waitingBytes > 0) {
      taken.at(-1)!.response.end('/a');
      await wait(2);
    }
  });
});
