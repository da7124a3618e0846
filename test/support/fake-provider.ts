// A provider of data for tests: a real HTTP server on this machine that answers what the test scripts, and keeps a record of
// what it was asked.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer: a body, or a way to misbehave. */
export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json: unknown }
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly text: string }
  /** Sends headers and the beginning of a body, then nothing more. */
  | { readonly stall: string }
  /** Sends headers and the beginning of a body, then drops the connection. */
  | { readonly cut: string }
  /** Drops the connection without a word. */
  | { readonly disconnects: true };

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

export interface FakeProvider {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Answers with this path, in order; the last one is repeated. */
  on(path: string, ...answers: (Answer | ((asked: Asked) => Answer))[]): void;
  /** Forgets scripts and records. */
  reset(): void;
  close(): Promise<void>;
}

export async function fakeProvider(): Promise<FakeProvider> {
  const scripts = new Map<string, (Answer | ((asked: Asked) => Answer))[]>();
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider');
    const one: Asked = { path: url.pathname, query: url.searchParams, headers: request.headers };
    asked.push(one);
    const script = scripts.get(url.pathname) ?? [];
    const next = script.length > 1 ? script.shift() : script[0];
    send(response, typeof next === 'function' ? next(one) : (next ?? { status: 404, json: { error: 'id not found' } }));
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  // A TCP server has an AddressInfo; only one on a Unix socket has a text.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    on: (path, ...answers) => void scripts.set(path, answers),
    reset() {
      scripts.clear();
      asked.length = 0;
    },
    close() {
      server.closeAllConnections();
      return new Promise(closed => server.close(() => closed()));
    },
  };
}

function send(response: ServerResponse, answer: Answer): void {
  if ('disconnects' in answer) {
    response.destroy();
  } else if ('stall' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' }).write(answer.stall);
  } else if ('cut' in answer) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.cut.length + 100 });
    response.write(answer.cut, () => response.destroy());
  } else {
    const body = 'json' in answer ? JSON.stringify(answer.json) : answer.text;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(body);
  }
}

/** Time that passes only in sleeps, and what was slept. */
export function fakeClock(start = Date.UTC(2024, 4, 10, 12)) {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    random: () => 0.5,
    async sleep(millis: number, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      slept.push(millis);
      now += millis;
    },
  };
}
