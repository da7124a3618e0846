import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { fakeClock, fakeProvider } from '../../test/support/fake-provider.ts';
import { httpClient, retryAfterMillis } from './http-client.ts';

const provider = await fakeProvider();
const signal = new AbortController().signal;
beforeEach(() => provider.reset());
after(() => provider.close());

const good = { json: { price: 1 } };
const get = (options = {}) => {
  const clock = fakeClock();
  const client = httpClient({ clock, timeoutMillis: 2000, ...options });
  return { clock, client, outcome: () => client.getJson(`${provider.url}/x`, signal) };
};

describe('a failing request is repeated until it succeeds', () => {
  for (const [name, answer, pause] of [
    ['429 with Retry-After in seconds', { status: 429, headers: { 'retry-after': '7' }, json: {} }, 7125],
    ['418 with Retry-After in seconds', { status: 418, headers: { 'retry-after': '120' }, json: {} }, 120_125],
    [
      '503 with Retry-After as a date',
      { status: 503, headers: { 'retry-after': 'Fri, 10 May 2024 12:00:30 GMT' }, json: {} },
      30_125,
    ],
    ['429 without Retry-After', { status: 429, json: {} }, 500],
    ['429 with a malformed Retry-After', { status: 429, headers: { 'retry-after': 'soon' }, json: {} }, 500],
    ['500', { status: 500, text: 'oops' }, 500],
    ['a cut body', { cut: '{"price":' }, 500],
    ['a dropped connection', { disconnects: true }, 500],
    ['malformed JSON', { text: '<html>' }, 500],
    ['an empty body', { text: '' }, 500],
  ] as const) {
    it(name, async () => {
      provider.on('/x', answer, good);
      const { clock, outcome } = get();
      assert.deepEqual(await outcome(), { ok: true, body: { price: 1 } });
      assert.deepEqual(clock.slept, [pause]);
      assert.equal(provider.asked.length, 2);
    });
  }

  it('a body that does not end in time', async () => {
    provider.on('/x', { stall: '{"price":' }, good);
    const { outcome } = get({ timeoutMillis: 100 });
    assert.deepEqual(await outcome(), { ok: true, body: { price: 1 } });
  });

  it('with pauses that double', async () => {
    provider.on('/x', { status: 500, json: {} });
    const { clock, outcome } = get({ attempts: 5 });
    assert.equal((await outcome()).ok, false);
    assert.deepEqual(clock.slept, [500, 1000, 2000, 4000]);
    assert.equal(provider.asked.length, 5);
  });
});

describe('a failure that stays is told', () => {
  for (const [name, answer, fault, requests] of [
    [
      '404 at once',
      { status: 404, json: { error: 'id not found' } },
      { kind: 'status', status: 404, detail: 'id not found', retryAfter: null },
      1,
    ],
    [
      '402 at once',
      { status: 402, json: { error: 'pay' } },
      { kind: 'status', status: 402, detail: 'pay', retryAfter: null },
      1,
    ],
    [
      '403 with a text that is not JSON',
      { status: 403, text: 'no\n way' },
      { kind: 'status', status: 403, detail: 'no way', retryAfter: null },
      1,
    ],
    [
      '500 after all attempts',
      { status: 500, json: { message: 'x' } },
      { kind: 'status', status: 500, detail: 'x', retryAfter: null },
      2,
    ],
    [
      'malformed JSON after all attempts',
      { text: '{"a":' },
      { kind: 'malformed', detail: 'the body is not JSON: {"a":' },
      2,
    ],
    [
      'a pause beyond the limit, at once',
      { status: 418, headers: { 'retry-after': '86400' }, json: { error: 'banned' } },
      { kind: 'status', status: 418, detail: 'banned', retryAfter: 86_400_000 },
      1,
    ],
  ] as const) {
    it(name, async () => {
      provider.on('/x', answer);
      assert.deepEqual(await get({ attempts: 2 }).outcome(), { ok: false, fault });
      assert.equal(provider.asked.length, requests);
    });
  }

  it('a time-out after all attempts', async () => {
    provider.on('/x', { stall: '[' });
    assert.deepEqual(await get({ attempts: 2, timeoutMillis: 50 }).outcome(), {
      ok: false,
      fault: { kind: 'timeout', detail: 'no complete answer within 0.05 s' },
    });
  });

  it('a body beyond the limit, at once', async () => {
    provider.on('/x', { text: `"${'x'.repeat(3 * 1024 * 1024)}"` });
    const outcome = await get({ maxBodyBytes: 2 * 1024 * 1024 }).outcome();
    assert.deepEqual(outcome, { ok: false, fault: { kind: 'too_big', detail: 'the body is larger than 2 MB' } });
    assert.equal(provider.asked.length, 1);
  });

  it('no listener', async () => {
    const closed = await fakeProvider();
    await closed.close();
    const outcome = await httpClient({ clock: fakeClock(), attempts: 2 }).getJson(closed.url, signal);
    assert.ok(!outcome.ok);
    assert.equal(outcome.fault.kind, 'network');
    assert.match(outcome.fault.detail, /ECONNREFUSED/);
  });
});

describe('an error with status 200', () => {
  const inspect = (body: unknown) =>
    typeof body === 'object' && body !== null && 'error' in body ? { status: 429, detail: 'slow down' } : null;

  it('is retried like the status that it stands for', async () => {
    provider.on('/x', { json: { error: 'x' } }, good);
    const { clock, outcome } = get({ inspect });
    assert.deepEqual(await outcome(), { ok: true, body: { price: 1 } });
    assert.deepEqual(clock.slept, [500]);
  });

  it('is told when it stays', async () => {
    provider.on('/x', { json: { error: 'x' } });
    assert.deepEqual(await get({ inspect, attempts: 2 }).outcome(), {
      ok: false,
      fault: { kind: 'status', status: 429, detail: 'slow down', retryAfter: null },
    });
  });
});

describe('the client', () => {
  it('keeps the pace', async () => {
    provider.on('/x', good);
    const { clock, client } = get({ requestsPerSecond: 10 });
    for (let request = 0; request < 4; request++) await client.getJson(`${provider.url}/x`, signal);
    assert.deepEqual(clock.slept, [100, 100, 100]);
  });

  it('sends its headers', async () => {
    provider.on('/x', good);
    await get({ headers: { authorization: 'secret-key' } }).outcome();
    assert.equal(provider.asked[0]?.headers.authorization, 'secret-key');
  });

  for (const [name, answer, key] of [
    ['the provider repeats it', { status: 403, json: { error: 'wrong key secret-key' } }, 'secret-key'],
    ['it cannot be sent at all', good, 'secret-key\n\u0001'],
  ] as const) {
    it(`never shows a secret, not even when ${name}`, async () => {
      provider.on('/x', answer);
      const outcome = await get({ headers: { authorization: key }, secrets: [key, key.trim()], attempts: 1 }).outcome();
      assert.ok(!outcome.ok);
      assert.doesNotMatch(JSON.stringify(outcome), /secret-key/);
    });
  }

  it('stops in the middle of a body when asked to', async () => {
    const controller = new AbortController();
    provider.on('/x', () => {
      setImmediate(() => controller.abort(new Error('enough')));
      return { stall: '[' };
    });
    await assert.rejects(
      get({ timeoutMillis: 60_000 }).client.getJson(`${provider.url}/x`, controller.signal),
      /enough/,
    );
  });

  it('stops in a pause when asked to', async () => {
    const controller = new AbortController();
    provider.on('/x', () => {
      setTimeout(() => controller.abort(new Error('enough')), 20);
      return { status: 429, headers: { 'retry-after': '60' }, json: {} };
    });
    await assert.rejects(httpClient().getJson(`${provider.url}/x`, controller.signal), /enough/);
    assert.equal(provider.asked.length, 1);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2024, 0, 1);
  for (const [header, millis] of [
    ['0', 0],
    [' 3 ', 3000],
    ['1.5', 1500],
    ['Mon, 01 Jan 2024 00:00:05 GMT', 5000],
    ['Sun, 31 Dec 2023 00:00:00 GMT', 0],
    ['', null],
    ['never', null],
    [null, null],
  ] as const) {
    it(`${JSON.stringify(header)} is ${millis} ms`, () => assert.equal(retryAfterMillis(header, now), millis));
  }
});
