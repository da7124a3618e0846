// A server that responds as a test says: one handler per request, the last one stays.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before } from 'node:test';

export type ScriptedHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ScriptedServer {
  /** Known once the tests run. */
  readonly url: string;
  /** To be set by each test. */
  handlers: readonly ScriptedHandler[];
  /** Those of the running test. */
  readonly requests: readonly IncomingMessage[];
}

/** Runs while the tests of the calling file do. */
export function scriptedServer(): ScriptedServer {
  const requests: IncomingMessage[] = [];
  const scripted = { url: '', handlers: [] as readonly ScriptedHandler[], requests };
  const server = createServer((request, response) => {
    requests.push(request);
    const [handler, ...rest] = scripted.handlers;
    if (rest.length > 0) scripted.handlers = rest;
    void handler?.(request, response);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    scripted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => {
    scripted.handlers = [];
    requests.length = 0;
  });
  return scripted;
}
