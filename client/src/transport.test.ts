// Retries, limits and errors, against a server that responds as a test says.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ScriptedHandler, scriptedServer } from '../../test/support/scripted-server.ts';
import { ApiError, NetworkError, type RetryDelay, retryDelay, Tidemark, type TidemarkError } from './index.ts';

const PROBLEM = { error: true, status: 429, code: 'rate_limited', title: 'Too many requests', detail: 'Slow down.' };

const server = scriptedServer();

const page =
  (result: readonly object[] = [], next: string | null = null): ScriptedHandler =>
  (_, response) =>
    response.end(JSON.stringify({ error: false, result, next, prev: null, results_returned: result.length }));

const problem =
  (status: number, headers: Record<string, string> = {}, body: object = { ...PROBLEM, status }): ScriptedHandler =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));

/** Retries at once, and notes what the client would have waited. */
function hurried() {
  const waits: (number | null)[] = [];
  const noted: RetryDelay = (error, attempt) => {
    const wait = retryDelay(error, attempt);
    waits.push(wait);
    return wait === null ? null : 0;
  };
  return { waits, client: new Tidemark({ url: server.url, apiKey: 'tdm_x', retryDelay: noted }) };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error,
  );
}

describe('a request', () => {
  it('carries the API key in a header that redirects to other origins lose', async () => {
    server.handlers = [page()];
    await hurried().client.listing({ limit: 1 }).page();
    assert.equal(server.requests[0]?.url, '/v1/crypto/ta-cur?limit=1');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer tdm_x');
  });

  it('takes the API key anew each time from a function, and none from null', async () => {
    server.handlers = [page()];
    const keys = ['tdm_1', null];
    const client = new Tidemark({ url: server.url, apiKey: () => keys.shift() });
    await client.listing().page();
    await client.listing().page();
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Bearer tdm_1', undefined],
    );
  });

  it('keeps the path of the base URL, and uses another group', async () => {
    server.handlers = [page()];
    await new Tidemark({ url: `${server.url}/market/`, group: 'fx' }).assets({ q: 'a b' }).page();
    assert.equal(server.requests[0]?.url, '/market/v1/fx/assets?q=a%20b');
  });

  it('follows next by its query only, with the same key and path', async () => {
    server.handlers = [
      page([{ symbol: 'A' }], 'https://elsewhere.example/v1/crypto/ta-cur?limit=1&page=2'),
      page([{ symbol: 'B' }]),
    ];
    const rows = await hurried().client.listing({ limit: 1 }).toArray();
    assert.deepEqual(
      rows.map(row => row.symbol),
      ['A', 'B'],
    );
    assert.equal(server.requests[1]?.url, '/v1/crypto/ta-cur?limit=1&page=2');
    assert.equal(server.requests[1]?.headers.authorization, 'Bearer tdm_x');
  });
});

describe('a retry', () => {
  it('waits as long as Retry-After says', async () => {
    server.handlers = [problem(429, { 'retry-after': '3' }), problem(503, { 'retry-after': '0' }), page()];
    const { waits, client } = hurried();
    await client.listing().page();
    assert.equal(server.requests.length, 3);
    assert.ok(waits[0]! >= 3000 && waits[0]! <= 3200, String(waits));
    assert.ok(waits[1]! >= 0 && waits[1]! <= 200, String(waits));
  });

  it('understands a date in Retry-After', async () => {
    server.handlers = [problem(503, { 'retry-after': new Date(Date.now() + 20_000).toUTCString() }), page()];
    const { waits, client } = hurried();
    await client.listing().page();
    assert.ok(waits[0]! > 10_000 && waits[0]! <= 20_200, String(waits));
  });

  it('does not wait for hours', async () => {
    server.handlers = [problem(429, { 'retry-after': '3600' })];
    const error = await failureOf(hurried().client.listing().page());
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.status, error.code, error.retryAfter, server.requests.length],
      [429, 'rate_limited', 3600, 1],
    );
  });

  it('follows a broken connection, also one that breaks inside the body, with growing waits', async () => {
    const cut: ScriptedHandler = request => request.socket.destroy();
    const half: ScriptedHandler = (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.once('drain', () => {});
      setImmediate(() => request.socket.destroy());
    };
    server.handlers = [cut, half, problem(502, {}, {}), page()];
    const { waits, client } = hurried();
    await client.listing().page();
    assert.equal(server.requests.length, 4);
    for (const [i, wait] of waits.entries()) assert.ok(wait! >= 250 * 2 ** i && wait! <= 500 * 2 ** i, String(waits));
  });

  it('ends after five attempts', async () => {
    server.handlers = [request => request.socket.destroy()];
    const error = await failureOf(hurried().client.profile('btc-bitcoin'));
    assert.ok(error instanceof NetworkError);
    assert.equal(error.code, 'network');
    assert.ok(error.cause instanceof Error);
    assert.equal(server.requests.length, 5);
  });

  it('does not follow an error of the request', async () => {
    server.handlers = [problem(400)];
    await failureOf(hurried().client.listing().page());
    assert.equal(server.requests.length, 1);
  });

  it('really waits', async () => {
    server.handlers = [problem(503, { 'retry-after': '0' }), page()];
    await new Tidemark({ url: server.url }).listing().page();
    assert.equal(server.requests.length, 2);
  });
});

describe('an error', () => {
  it('has the members of the problem, and the hint in its message', async () => {
    const body = {
      ...PROBLEM,
      code: 'ambiguous_symbol',
      hint: 'Use an id.',
      param: 'id',
      position: 3,
      candidates: ['a-a', 'a-b'],
      request_id: 'r1',
    };
    server.handlers = [problem(409, {}, body)];
    const error = await failureOf(hurried().client.profile('a'));
    assert.ok(error instanceof ApiError);
    const { message, detail, status, code, title, hint, param, position, candidates, requestId, retryAfter } = error;
    assert.deepEqual(
      { message, detail, status, code, title, hint, param, position, candidates, requestId, retryAfter },
      {
        message: 'Slow down. Use an id.',
        detail: 'Slow down.',
        status: 409,
        code: 'ambiguous_symbol',
        title: 'Too many requests',
        hint: 'Use an id.',
        param: 'id',
        position: 3,
        candidates: ['a-a', 'a-b'],
        requestId: 'r1',
        retryAfter: null,
      },
    );
  });

  for (const [name, type, body] of [
    ['a page of a proxy', 'text/html', '<h1>Forbidden</h1>'],
    ['JSON of a proxy', 'application/json', '{"code":"x"}'],
    ['a body that is cut off', 'application/problem+json', '{"code":'],
  ] as const) {
    it(`has the status as its code for ${name}`, async () => {
      server.handlers = [(_, response) => response.writeHead(403, { 'content-type': type }).end(body)];
      const error = await failureOf(hurried().client.listing().page());
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.title, error.hint], ['http_403', 'Status 403', undefined]);
    });
  }

  it('says that the time is up', async () => {
    server.handlers = [() => {}];
    const client = new Tidemark({ url: server.url, timeout: 20, retryDelay: () => null });
    const error = await failureOf(client.listing().page());
    assert.match((error as TidemarkError).message, /within 20 ms/);
  });
});

describe('a signal', () => {
  it('ends a request with its reason, and is not retried', async () => {
    const control = new AbortController();
    server.handlers = [() => control.abort(new Error('enough'))];
    const error = await failureOf(new Tidemark({ url: server.url }).listing({}, { signal: control.signal }).page());
    assert.equal((error as Error).message, 'enough');
    assert.equal(server.requests.length, 1);
  });

  it('ends a wait', async () => {
    const control = new AbortController();
    server.handlers = [problem(503, { 'retry-after': '50' })];
    const reading = failureOf(new Tidemark({ url: server.url }).listing({}, { signal: control.signal }).page());
    while (server.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    setTimeout(() => control.abort(), 20);
    assert.equal(((await reading) as Error).name, 'AbortError');
  });

  it('that is aborted already sends nothing', async () => {
    const error = await failureOf(
      new Tidemark({ url: server.url }).listing({}, { signal: AbortSignal.abort() }).page(),
    );
    assert.equal((error as Error).name, 'AbortError');
    assert.equal(server.requests.length, 0);
  });
});
