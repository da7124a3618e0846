import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { type AskOptions, TestService } from '../support/service.ts';
import {
  ASSETS,
  assertProblem,
  assertRpcProblem,
  HISTORY,
  LISTING,
  type Problem,
  startContractService,
} from './contract.ts';
import { NOW } from './market.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

interface ErrorCase {
  readonly path: string;
  readonly options?: AskOptions;
  /** Members besides those that every problem has. */
  readonly extra?: readonly string[];
  readonly param?: string;
}

/** One request for each code that a request alone can cause. */
const CASES: Readonly<Partial<Record<ErrorCode, ErrorCase>>> = {
  unknown_parameter: { path: `${LISTING}?limt=1`, param: 'limt', extra: ['hint'] },
  duplicate_parameter: { path: `${LISTING}?limit=1&limit=1`, param: 'limit', extra: ['hint'] },
  missing_parameter: { path: HISTORY, param: 'symbol', extra: ['hint'] },
  conflicting_parameters: { path: `${HISTORY}?symbol=btc&id=btc`, param: 'symbol', extra: ['hint'] },
  bad_encoding: { path: `${LISTING}?symbol=%FF`, param: 'symbol', extra: ['hint'] },
  query_too_long: { path: `${LISTING}?symbol=${'A'.repeat(20_000)}`, extra: ['hint'] },
  too_many_filters: { path: `${LISTING}?${'price=1:&'.repeat(101)}`, param: 'price', extra: ['hint'] },
  invalid_value: { path: `${LISTING}?limit=0`, param: 'limit', extra: ['hint'] },
  unknown_column: { path: `${LISTING}?sort=prise`, param: 'sort', extra: ['hint'] },
  column_not_numeric: { path: `${LISTING}?range=symbol:1:2`, param: 'range', extra: ['hint'] },
  invalid_range: { path: `${LISTING}?price=2:1`, param: 'price', extra: ['hint'] },
  invalid_comparison: { path: `${LISTING}?comparison=x`, param: 'comparison', extra: ['hint'] },
  invalid_expression: { path: `${LISTING}?where=price`, param: 'where', extra: ['position', 'hint'] },
  expression_too_large: { path: `${LISTING}?where=${'('.repeat(99)}`, param: 'where', extra: ['position', 'hint'] },
  invalid_calc_name: { path: `${LISTING}?calc=price:1`, param: 'calc', extra: ['position', 'hint'] },
  no_past_values: { path: `${LISTING}?as_of=2024-01-31&findings30=0:`, param: 'as_of', extra: ['hint'] },
  bad_path: { path: `${ASSETS}/%zz` },
  not_found: { path: '/v1/crypto/nothing', extra: ['hint'] },
  no_close: { path: '/v1/crypto/explain/BTC/price?as_of=1999-01-01', extra: ['hint'] },
  unknown_asset: { path: `${ASSETS}/nobody-at-all`, extra: ['hint'] },
  unknown_version: { path: '/v2/crypto/ta-cur', extra: ['hint'] },
  method_not_allowed: { path: LISTING, options: { method: 'POST' }, extra: ['hint'] },
  foreign_origin: {
    path: '/mcp',
    options: { method: 'POST', headers: { origin: 'https://page.example' } },
    extra: ['hint'],
  },
  body_too_large: { path: '/mcp', options: { method: 'POST', body: ' '.repeat(70_000) }, extra: ['hint'] },
  unknown_quote: { path: `${LISTING}?quote=EURO`, param: 'quote', extra: ['hint', 'candidates'] },
  unknown_interval: { path: `${LISTING}?interval=1h`, param: 'interval', extra: ['hint', 'candidates'] },
  ambiguous_symbol: { path: `${ASSETS}/tide`, extra: ['hint', 'candidates'] },
  headers_too_large: { path: `${LISTING}?${'x'.repeat(40_000)}`, extra: ['hint'] },
};

/** Caused by something else than a request; each has a test of its own below. */
const BELOW: readonly ErrorCode[] = ['bad_request', 'request_timeout', 'internal', 'no_data'];

/** Caused by load or by a lost store; they are tested in overload.test.ts, scheduler.test.ts and store-away.test.ts. */
const OF_TROUBLE: readonly ErrorCode[] = ['overloaded', 'too_many_at_once', 'store_unavailable', 'columns_pending'];

/** Caused by a key; they are tested in keys.test.ts, streams.test.ts and file-limits.test.ts. */
const OF_KEYS: readonly ErrorCode[] = [
  'too_many_streams',
  'limit_above_tier',
  ...(['missing_key', 'bad_authorization', 'mistyped_key', 'unknown_key', 'revoked_key', 'expired_key'] as const),
  ...(['conflicting_keys', 'rate_limited', 'quota_exceeded', 'too_many_bad_keys'] as const),
];

/** Of export files; they are tested in export.test.ts. */
const OF_EXPORTS: readonly ErrorCode[] = [
  ...(['bad_signature', 'not_in_tier', 'export_gone'] as const),
  ...(['export_failed', 'export_pending'] as const),
  ...(['precondition_failed', 'range_needs_version', 'range_not_satisfiable'] as const),
];

const ALWAYS = ['error', 'type', 'title', 'status', 'code', 'detail'];
const LAST = ['request_id', 'datetimeUTC'];

describe('SPEC 8: errors', () => {
  it('all have a case here', () => {
    assert.deepEqual(
      [...Object.keys(CASES), ...BELOW, ...OF_TROUBLE, ...OF_KEYS, ...OF_EXPORTS].sort(),
      Object.keys(ERRORS).sort(),
    );
  });

  for (const [code, { path, options, param, extra = [] }] of Object.entries(CASES)) {
    const isRpc = path === '/mcp';
    it(`${code} is ${isRpc ? 'an error of JSON-RPC' : 'application/problem+json'} with all its members in order`, async () => {
      const answer = await service.ask(path, options);
      const { status, title } = ERRORS[code as ErrorCode]; // a key of CASES
      const problem = isRpc ? assertRpcProblem(answer, status, code) : assertProblem(answer, status, code, param);
      assert.equal(problem.title, title);
      const members = [...ALWAYS, ...(param === undefined ? [] : ['param']), ...extra, ...LAST];
      assert.deepEqual(Object.keys(problem), members);
    });
  }

  it('carry the id of their request', async () => {
    const answer = await service.ask(`${LISTING}?limit=0`, { headers: { 'x-request-id': 'find-me' } });
    assert.equal(answer.json<Problem>().request_id, 'find-me');
    assert.equal(answer.json<Problem>().datetimeUTC, '2026-03-10 12:34:56');
  });

  it('do not send back what is long, and nothing that is not well-formed', async () => {
    for (const query of [
      'x'.repeat(5000),
      `sort=${'y'.repeat(5000)}`,
      `price=${'9'.repeat(5000)}`,
      `${'%F0%9F%98%80'.repeat(400)}=1`,
    ]) {
      const answer = await service.ask(`${LISTING}?${query}`);
      assert.equal(answer.status, 400);
      assert.ok(answer.body.length < 1500, `${answer.body.length} bytes`);
      assert.ok(answer.text.isWellFormed() && !answer.text.includes('\ufffd'));
    }
  });
});

describe('SPEC 8: an internal error', () => {
  it('says nothing of the inside, and is logged with the same request_id', async () => {
    const logged: { error: unknown; requestId: string }[] = [];
    const broken = await startContractService({
      onInternalError: (error, requestId) => logged.push({ error, requestId }),
    });
    const failure = new Error('the secret inside');
    broken.store.profile = () => Promise.reject(failure);
    try {
      const answer = await broken.ask(`${ASSETS}/btc`);
      const { request_id } = assertProblem(answer, 500, 'internal');
      assert.ok(!answer.text.includes('secret'));
      assert.doesNotMatch(answer.text, /\.ts|node_modules|Error:/);
      assert.deepEqual(logged, [{ error: failure, requestId: request_id }]);
      assert.equal((await broken.ask(LISTING)).status, 200);
    } finally {
      await broken.close();
    }
  });

  it('is no version of what was asked for: it has no ETag and is not kept', async () => {
    let failures = 0;
    const broken = await startContractService({
      now: () => (failures-- > 0 ? assert.fail('the clock stands still') : NOW),
      onInternalError: () => undefined,
    });
    try {
      failures = 1;
      const answer = await broken.ask(LISTING);
      assertProblem(answer, 500, 'internal');
      assert.equal(answer.headers.etag, undefined);
      assert.equal(answer.headers['cache-control'], 'no-store');
    } finally {
      await broken.close();
    }
  });
});

describe('SPEC 8: what is no HTTP request', () => {
  const open = (): Socket => connect(Number(new URL(service.url).port), '127.0.0.1');
  const requests = [
    'hello\r\n\r\n',
    'GET /v1/crypto/ta-cur?a b HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /v1/crypto/ta-cur\0 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /v1/crypto/ta-cur HTTP/1.1\r\nHo st: x\r\n\r\n',
    'GET /v1/crypto/ta-cur?symbol=\xe6\xaf\x94 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /v1/crypto/ta-cur HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /v1/crypto/ta-cur HTTP/9.9\r\nHost: x\r\n\r\n',
    'GET /v1/crypto/ta-cur HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
  ];
  for (const request of requests) {
    it(`${JSON.stringify(request.slice(0, 40))} gets a problem body, then the line is closed`, async () => {
      const socket = open();
      socket.write(request, 'latin1');
      assertRawProblem(await text(socket), 400, 'bad_request');
    });
  }

  it('an unknown method is 405 with Allow like every other', async () => {
    const socket = open();
    socket.write('FOO /v1/crypto/ta-cur HTTP/1.1\r\nHost: x\r\n\r\n');
    const answer = await text(socket);
    assertRawProblem(answer, 405, 'method_not_allowed');
    assert.match(answer, /\r\nallow: GET, HEAD, OPTIONS\r\n/);
  });

  it('CONNECT, which Node gives to no handler, is 405 with Allow like every other method', async () => {
    const socket = open();
    socket.write('CONNECT other.example:443 HTTP/1.1\r\nHost: other.example\r\n\r\n');
    const answer = await text(socket);
    assertRawProblem(answer, 405, 'method_not_allowed');
    assert.match(answer, /\r\nallow: GET, HEAD, OPTIONS\r\n/);
  });

  for (const [when, before] of [
    ['at once', ''],
    ['behind a request', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  ]) {
    it(`a connection that is reset after CONNECT ${when} disturbs no other`, async () => {
      for (let i = 0; i < 5; i++) {
        for (const isAnswered of [false, true]) {
          const socket = open();
          socket.write(`${before}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
          await once(socket, isAnswered ? 'data' : 'connect');
          socket.resetAndDestroy();
        }
      }
      const socket = open();
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      assert.match(await text(socket), /^HTTP\/1\.1 200 /);
    });
  }

  it('garbage after a good request is 400, after the answer to the request', async () => {
    const socket = open();
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n\x16\x03\x01 garbage\r\n\r\n', 'latin1');
    const [good, bad] = (await text(socket)).split(/(?<=\})(?=HTTP)/);
    assert.match(good ?? '', /^HTTP\/1\.1 200 /);
    assertRawProblem(bad ?? '', 400, 'bad_request');
  });

  for (const method of ['FOO', 'CONNECT']) {
    it(`${method} after a good request is 405, after the answer to the request`, async () => {
      const socket = open();
      socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${method} x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [good, bad] = (await text(socket)).split(/(?<=\})(?=HTTP)/);
      assert.match(good ?? '', /^HTTP\/1\.1 200 /);
      assertRawProblem(bad ?? '', 405, 'method_not_allowed');
    });
  }

  it('too many headers are 431, with both bounds in the hint', async () => {
    const socket = open();
    socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(1000)}\r\n`);
    const answer = await text(socket);
    assertRawProblem(answer, 431, 'headers_too_large');
    assert.match(answer, /32 kB, and below 1,000 headers/);
  });

  it('a request to upgrade is answered, and so is what follows it in the same piece', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
    const last = 'GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const statuses = async (bytes: string) => {
      const socket = open();
      socket.write(bytes);
      return [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1]);
    };
    const plain = await statuses(`GET /healthz HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n${last}`);
    assert.deepEqual(plain, ['200', '200']);
    // Node loses what follows a body: the connection is closed, so that the client knows.
    const withBody = await statuses(
      `GET /healthz HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 4\r\n\r\nbody${last}`,
    );
    assert.deepEqual(withBody, ['200']);
  });

  it('an unknown expectation is ignored', async () => {
    assert.equal((await service.ask(LISTING, { headers: { expect: 'a-miracle' } })).status, 200);
  });

  it('a request that does not arrive in time is told so', async () => {
    const socket = open();
    const accepted = new Promise<Socket>(resolve => service.server.once('connection', resolve));
    socket.write('GET /v1/crypto/ta-cur HTTP/1.1\r\n');
    // Node looks for slow requests twice a minute; this is what it does when it has found one.
    const slow = Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    service.server.emit('clientError', slow, await accepted);
    assertRawProblem(await text(socket), 408, 'request_timeout');
  });
});

describe('SPEC 8: while there is no data yet', () => {
  it('everything that needs data is 503 with Retry-After, and /readyz says why', async () => {
    const empty = await TestService.start({ now: () => NOW, whyNotReady: () => 'Load some prices first.' });
    try {
      for (const path of [LISTING, `${LISTING}?format=csv`, ASSETS, `${ASSETS}/btc`, '/v1/coins/btc']) {
        const answer = await empty.ask(path);
        assert.equal(assertProblem(answer, 503, 'no_data').detail, 'Load some prices first.');
        assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
        assert.equal(answer.headers['cache-control'], 'no-store');
      }
      const ready = await empty.ask('/readyz');
      assert.equal(ready.status, 503);
      assert.match(String(ready.headers['retry-after']), /^[1-9]\d*$/);
      assert.deepEqual(ready.json(), { status: 'loading', reason: 'Load some prices first.' });
      assert.equal((await empty.ask('/healthz')).status, 200);
      assert.equal((await empty.ask('/v1/catalog')).status, 200);
      assert.equal((await empty.ask(`${LISTING}?limit=0`)).status, 400);
    } finally {
      await empty.close();
    }
  });

  it('with data /readyz says what is served', async () => {
    const ready = await service.ask('/readyz');
    assert.equal(ready.status, 200);
    assert.deepEqual(ready.json(), {
      ...{ status: 'ready', version: await service.store.version(), rows: 80, assets: 85 },
      ...{ inactive: 3, newest_day: '2026-03-10', newest_tick: null, age: 0, store: 'current' },
    });
  });
});

describe('SPEC 9: versions', () => {
  for (const path of [
    '/v2',
    '/v2/',
    '/v2/crypto/ta-cur',
    '/v0/catalog',
    '/v10/crypto/ta-cur?limit=5',
    '/v01/catalog',
  ]) {
    it(`${path} is 404 with a problem that names the current version`, async () => {
      const { hint } = assertProblem(await service.ask(path), 404, 'unknown_version');
      assert.equal(hint, 'The current version is /v1.');
    });
  }

  for (const [path, meant] of [
    ['/v1/crypto/ta-curr', '/v1/crypto/ta-cur'],
    ['/v1/crypto/tahist', '/v1/crypto/ta-hist'],
    ['/v1/catalogue', '/v1/catalog'],
    ['/health', '/healthz'],
  ] as const) {
    it(`${path} gets the nearest path as its hint`, async () => {
      const { hint } = assertProblem(await service.ask(path, { headers: { accept: '*/*' } }), 404, 'not_found');
      assert.equal(hint, `Did you mean ${meant}?`);
    });
  }

  for (const path of ['/v1', '/v1/', '/v1/nothing', '/version', '/vx/nothing', '/crypto/ta-cur']) {
    it(`${path} is another path that there is not`, async () => {
      const { hint } = assertProblem(await service.ask(path, { headers: { accept: '*/*' } }), 404, 'not_found');
      assert.match(hint ?? '', /\/v1\/catalog/);
    });
  }
});

function assertRawProblem(answer: string, status: number, code: string): void {
  const [head, body] = answer.split('\r\n\r\n');
  assert.match(head ?? '', new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(head ?? '', /\r\nconnection: close(\r\n|$)/i);
  assert.match(head ?? '', /\r\ncontent-type: application\/problem\+json/i);
  const problem: Problem = JSON.parse(body ?? '');
  assert.deepEqual({ error: problem.error, status: problem.status, code: problem.code }, { error: true, status, code });
  assert.match(problem.hint ?? '', /\S/);
}
