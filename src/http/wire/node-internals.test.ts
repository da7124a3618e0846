import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { on, once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { stopParser, writeDirectly, writesDirectly } from './node-internals.ts';

const PIECE = Buffer.alloc(300_000, 'piece ');

/** Reads several connections as fast as it can, and tells of each what has arrived. */
const READER = `
  const { parentPort, workerData: { port, connections } } = require('node:worker_threads');
  for (let i = 0; i < connections; i++) {
    const hash = require('node:crypto').createHash('sha256');
    const socket = require('node:net').connect(port, '127.0.0.1');
    socket.on('data', bytes => hash.update(bytes)).on('end', () => parentPort.postMessage(hash.digest('hex')));
  }`;

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

/** Both ends of a connection, of which the client does not read yet. */
async function connection(): Promise<{ readonly served: Socket; readonly client: Socket }> {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => {});
  const [served] = (await once(server, 'connection')) as [Socket]; // what a server emits
  return { served, client };
}

async function textOf(client: Socket): Promise<string> {
  let text = '';
  for await (const bytes of client) text += bytes;
  return text;
}

describe('a direct write', () => {
  it('is possible with this Node', async () => {
    const { served, client } = await connection();
    assert.equal(writeDirectly(served, Buffer.from('a')), 0);
    assert.ok(writesDirectly());
    served.end();
    assert.equal(await textOf(client), 'a');
  });

  it('keeps its place among other writes', async () => {
    const { served, client } = await connection();
    for (const part of ['a', 'c', 'e']) {
      writeDirectly(served, Buffer.from(part));
      served.write(Buffer.from(part.toUpperCase()));
    }
    served.cork();
    served.write('f');
    assert.equal(writeDirectly(served, Buffer.from('F')), 2);
    served.uncork();
    assert.equal(writeDirectly(served, Buffer.from('g')), 0);
    assert.equal(served.bytesWritten, 9);
    served.end('G');
    assert.equal(await textOf(client), 'aAcCeEfFgG');
  });

  it('that the operating system does not take at once counts as waiting, and later writes come after it', async () => {
    const { served, client } = await connection();
    const parts: string[] = [];
    let waiting = 0;
    for (let i = 0; waiting === 0; i++) {
      const bytes = Buffer.concat([Buffer.from(`<${i}>`), PIECE]);
      parts.push(bytes.toString());
      waiting = writeDirectly(served, bytes);
      if (waiting > 0) assert.equal(waiting, bytes.length);
    }
    assert.equal(served.writableLength, waiting);
    assert.equal(writeDirectly(served, Buffer.from('next')), waiting + 4);
    let sent = false;
    served.write('last', () => {
      sent = true;
    });
    assert.ok(!sent);
    const read = textOf(client);
    await once(served, 'drain');
    assert.ok(sent);
    assert.equal(served.writableLength, 0);
    assert.equal(writeDirectly(served, Buffer.from('again')), 0);
    served.end();
    assert.equal(await read, [...parts, 'next', 'last', 'again'].join(''));
  });

  it('may be taken late, yet before the next one: nothing is lost, doubled or out of order', async () => {
    const [connections, writes] = [4, 1500];
    const pieces = Array.from({ length: 16 }, (_, i) => Buffer.alloc(1000 + 9000 * i, String.fromCharCode(97 + i)));
    const expected = createHash('sha256');
    for (let i = 0; i < writes; i++) expected.update(pieces[i % pieces.length]!);
    const writeAll = (served: Socket, from = 0) => {
      for (let i = from; i < writes; i++) {
        if (writeDirectly(served, pieces[i % pieces.length]!) === 0) continue;
        served.write(Buffer.alloc(0), () => writeAll(served, i + 1));
        return;
      }
      served.end();
    };
    server.on('connection', writeAll);
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const reader = new Worker(READER, { eval: true, workerData: { port, connections } });
    const arrived: unknown[] = [];
    for await (const [hash] of on(reader, 'message')) if (arrived.push(hash) === connections) break;
    server.off('connection', writeAll);
    await reader.terminate();
    assert.deepEqual(arrived, Array(connections).fill(expected.digest('hex')));
  });

  it('begins the time anew after which a silent connection is closed', async () => {
    const [{ served: written }, { served: silent }] = [await connection(), await connection()];
    const silences: Socket[] = [];
    for (const served of [written, silent]) served.setTimeout(20, () => silences.push(served));
    assert.equal(writeDirectly(written, Buffer.from('a')), 0);
    await Promise.all([once(written, 'timeout'), once(silent, 'timeout')]);
    // The one that was written to would be the first otherwise.
    assert.ok(silences[0] === silent && silences[1] === written);
    for (const served of [written, silent]) served.destroy();
  });

  it('to a client that has reset the connection is an error of the socket', async () => {
    const { served, client } = await connection();
    served.pause();
    client.resetAndDestroy();
    await once(client, 'close');
    const failed = once(served, 'error') as Promise<[NodeJS.ErrnoException]>; // what a socket emits
    writeDirectly(served, PIECE);
    const [{ code }] = await failed;
    assert.match(String(code), /^(ECONNRESET|EPIPE)$/);
    assert.ok(served.destroyed);
  });

  it('under way when the connection ends is dropped with it', async () => {
    const { served } = await connection();
    while (writeDirectly(served, PIECE) === 0);
    const closed = once(served, 'close');
    served.destroy();
    await closed;
    assert.ok(served.destroyed);
  });

  it('is not tried with a Node whose connections have no timer to restart', async () => {
    const { served } = await connection();
    const written: unknown[] = [];
    const write = (bytes: unknown) => {
      written.push(bytes);
      return true;
    };
    // Node's own write needs the timer too.
    Object.assign(served, { _unrefTimer: undefined, write });
    const bytes = Buffer.from('a');
    writeDirectly(served, bytes);
    assert.deepEqual([written, served.bytesWritten], [[bytes], 0]);
    served.destroy();
  });

  it('to any other kind of stream goes through it', () => {
    let text = '';
    const socket = new Duplex({
      read: () => undefined,
      write: (bytes, _encoding, done) => {
        text += bytes;
        done();
      },
    }) as Socket; // as far as a write uses it
    assert.equal(writeDirectly(socket, Buffer.from('a')), 0);
    assert.equal(text, 'a');
  });
});

describe('the parser of a connection', () => {
  /** The bytes that are left over after each request at which it stops, of two that come at once. */
  async function leftOver(possible: boolean): Promise<string[]> {
    const left: string[] = [];
    const http = createHttpServer((_, response) => response.end()).listen(0, '127.0.0.1');
    http.on('connection', (socket: Socket) =>
      stopParser(
        socket,
        () => true,
        rest => left.push(String(rest)),
        possible,
      ),
    );
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo; // it listens on TCP
    const client = connect(port, '127.0.0.1').on('error', () => {});
    client.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
    client.destroy();
    http.close();
    return left;
  }

  it('stops behind a request, and hands over the rest', async () => {
    assert.deepEqual(await leftOver(true), ['GET /2 HTTP/1.1\r\nHost: x\r\n\r\n']);
  });

  it('is left alone where it cannot be stopped', async () => {
    assert.deepEqual(await leftOver(false), []);
  });
});
