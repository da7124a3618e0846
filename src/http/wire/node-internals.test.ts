import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { stopParser } from './node-internals.ts';

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
