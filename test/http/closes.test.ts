// `closes` over HTTP: the closes are the prices of the history.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DemoServer, startDemo } from '../support/demo-server.ts';
import { assertValidAnswer } from '../support/openapi.ts';
import type { Envelope, Problem } from './contract.ts';

interface Closes {
  readonly days: number;
  readonly result: readonly {
    readonly symbol: string;
    readonly last_day: string;
    readonly closes: readonly number[];
  }[];
}

let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

async function closes(query: string): Promise<Closes> {
  const answer = await demo.ask(`/v1/crypto/closes?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Closes>();
}

it('a query string that is too long is an error that the document has', async () => {
  const path = `/v1/crypto/closes?symbol=${'A'.repeat(20_000)}`;
  const { status, headers, body } = await demo.ask(path);
  assert.equal(status, 414);
  assertValidAnswer(path, 'GET', status, headers, body);
});

async function listed(query: string): Promise<string[]> {
  const answer = await demo.ask(`/v1/crypto/ta-cur?${query}`);
  return answer.json<Envelope>().result.map(row => String(row['symbol']));
}

/** Newest first. */
async function prices(symbol: string, query: string): Promise<number[]> {
  const answer = await demo.ask(`/v1/crypto/ta-hist?symbol=${symbol}&excl_cols=sma5&${query}`);
  return answer.json<Envelope>().result.map(row => Number(row['price']));
}

describe('the closes of several assets', () => {
  it('are answered with 304 while nothing has changed', async () => {
    const path = '/v1/crypto/closes?symbol=ALDM';
    const first = await demo.ask(path);
    const second = await demo.ask(path, { headers: { 'if-none-match': String(first.headers['etag']) } });
    assert.equal(second.status, 304);
    for (const { status, headers, body } of [first, second]) assertValidAnswer(path, 'GET', status, headers, body);
  });

  it('are the prices of the history, digit for digit, oldest first, in the order of the request', async () => {
    const symbols = await listed('sort=vol30&limit=8');
    const { days, result } = await closes(`symbol=${symbols.join(',')}`);
    assert.equal(days, 90);
    assert.deepEqual(
      result.map(({ symbol }) => symbol),
      symbols,
    );
    for (const { symbol, closes: found } of result) {
      assert.deepEqual(found, (await prices(symbol, 'limit=90')).reverse(), symbol);
    }
  });

  it('end on a past day', async () => {
    const [symbol] = await listed('sort=symbol&order=asc&limit=1&min_history=700');
    const { result } = await closes(`symbol=${symbol}&days=5&as_of=2026-01-31`);
    assert.equal(result[0]?.last_day, '2026-01-31');
    assert.deepEqual(result[0]?.closes, (await prices(symbol!, 'to=2026-01-31&limit=5')).reverse());
  });

  it('are fewer for a young asset, and none for a ticker that no asset has', async () => {
    const answer = await demo.ask('/v1/crypto/assets?sort=first_data_at&order=desc&limit=1&not_null=first_data_at');
    const young = String(answer.json<Envelope>().result[0]?.['symbol']);
    const { result } = await closes(`symbol=NOBODY,${young}&days=366`);
    assert.equal(result.length, 1);
    assert.deepEqual(result[0]?.closes, (await prices(young, 'limit=366')).reverse());
    assert.ok(result[0]!.closes.length < 366);
  });

  it('answers 304 while nothing has changed', async () => {
    const first = await demo.ask('/v1/crypto/closes?symbol=ALDM');
    const headers = { 'if-none-match': String(first.headers['etag']) };
    assert.equal((await demo.ask('/v1/crypto/closes?symbol=ALDM', { headers })).status, 304);
  });

  const many = Array.from({ length: 101 }, (_, i) => `T${i}`).join(',');
  for (const [query, code, param] of [
    ['', 'missing_parameter', 'symbol'],
    ['symbol=,', 'missing_parameter', 'symbol'],
    [`symbol=${many}`, 'invalid_value', 'symbol'],
    ['symbol=ALDM&days=0', 'invalid_value', 'days'],
    ['symbol=ALDM&days=367', 'invalid_value', 'days'],
    ['symbol=ALDM&days=1&days=2', 'duplicate_parameter', 'days'],
    ['symbol=ALDM&as_of=soon', 'invalid_value', 'as_of'],
    ['symbol=ALDM&as_of=2030-01-01', 'invalid_value', 'as_of'],
    ['symbol=ALDM&limit=1', 'unknown_parameter', 'limit'],
  ] as const) {
    it(`refuses ${query.slice(0, 40) || 'no parameter'}: ${code}`, async () => {
      const answer = await demo.ask(`/v1/crypto/closes?${query}`);
      const problem = answer.json<Problem>();
      assert.deepEqual([answer.status, problem.code, problem.param], [400, code, param]);
    });
  }
});
