// Requests that a bare server has taken and not answered, with the client that sent them.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

/** As many as are asked for, sent at once on one line. */
export async function heldRequests(
  t: TestContext,
  count: number,
): Promise<{ client: Socket; responses: readonly ServerResponse[] }> {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => responses.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  const client = connect(port, '127.0.0.1');
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
  while (responses.length < count) await turn();
  return { client, responses };
}
