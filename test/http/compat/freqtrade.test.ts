// The pair list of freqtrade has the assets of the listing, in its order.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TIERS } from '../../../src/domain/tiers.ts';
import { startDemo } from '../../support/demo-server.ts';
import { type CompatDemo, startCompat } from './compat.ts';

let demo: CompatDemo;
let free: CompatDemo;
before(async () => {
  demo = await startCompat('/v1/crypto/freqtrade/');
  const grant = { tier: TIERS.free, key: null, headers: '' };
  free = await startCompat('/v1/crypto/freqtrade/', await startDemo({ authenticate: () => grant }));
});
after(async () => {
  await demo.close();
  await free.close();
});

/** What freqtrade's documentation has: `pairs`, and the least number of seconds between two requests. */
const DOCUMENTED = {
  type: 'object',
  required: ['pairs', 'refresh_period'],
  properties: {
    pairs: { type: 'array', items: { type: 'string', pattern: '^[^/]+/[^/]+$' } },
    refresh_period: { type: 'integer', minimum: 1 },
  },
};

interface PairList {
  readonly pairs: readonly string[];
  readonly refresh_period: number;
}

const read = (query: string) => demo.read<PairList>(`pairlist${query}`, DOCUMENTED);

describe('freqtrade/pairlist', () => {
  const query = 'where=price > sma200 and turnover30 > 1e6&sort=turnover30&limit=20'.replaceAll(' ', '%20');

  it('has the rows of the same query of the listing, in the same order', async () => {
    const { pairs, refresh_period } = await read(`?${query}&stake=USDT`);
    const rows = await demo.rows(`ta-cur?${query}`);
    assert.ok(rows.length > 5);
    assert.deepEqual(
      pairs,
      rows.map(row => `${row['symbol']}/USDT`),
    );
    assert.equal(refresh_period, 60);
  });

  for (const compared of [
    'where=price > lag(price, 1)&sort=change1&limit=20',
    'where=crosses_above(price, sma5)&limit=20',
    'calc=x:price / lag(price, 7)&sort=x&limit=5',
    'where=price > lag(price, 1)&as_of=2026-01-31&sort=change30&limit=10',
  ].map(text => text.replaceAll(' ', '%20'))) {
    it(`has the rows of ${decodeURIComponent(compared)}`, async () => {
      const { pairs } = await read(`?${compared}`);
      const rows = await demo.rows(`ta-cur?${compared}`);
      assert.ok(rows.length > 0);
      assert.deepEqual(
        pairs,
        rows.map(row => `${row['symbol']}/USDT`),
      );
    });
  }

  it('has the second page, and one of a past day', async () => {
    const [first, second] = [
      await read(`?${query}&limit=5`.replace('&limit=20', '')),
      await read(`?${query}&page=2`.replace('=20', '=5')),
    ];
    assert.deepEqual([...first.pairs, ...second.pairs], (await read(`?${query}`)).pairs.slice(0, 10));
    const past = await read('?as_of=2026-01-31&sort=change30&limit=10');
    const rows = await demo.rows('ta-cur?as_of=2026-01-31&sort=change30&limit=10');
    assert.deepEqual(
      past.pairs,
      rows.map(row => `${row['symbol']}/USDT`),
    );
  });

  it('takes the stake in any case, and that of futures', async () => {
    assert.deepEqual((await read('?symbol=ALDM&stake=eur')).pairs, ['ALDM/EUR']);
    assert.deepEqual((await read('?symbol=ALDM&stake=USDT:USDT')).pairs, ['ALDM/USDT:USDT']);
    assert.deepEqual((await read('?symbol=ALDM')).pairs, ['ALDM/USDT']);
  });

  it('leaves the stake currency itself out', async () => {
    const { pairs } = await read('?sort=price&limit=3&stake=ALDM');
    const rows = await demo.rows('ta-cur?sort=price&limit=3');
    const others = rows.map(row => row['symbol']).filter(symbol => symbol !== 'ALDM');
    assert.deepEqual([rows.length, others.length], [3, 2]);
    assert.deepEqual(
      pairs,
      others.map(symbol => `${symbol}/ALDM`),
    );
    assert.deepEqual((await read('?symbol=ALDM&stake=ALDM:ALDM')).pairs, []);
  });

  it('answers the request that freqtrade sends, as recorded', async () => {
    const { request } = JSON.parse(readFileSync(join(import.meta.dirname, '../../support/freqtrade.json'), 'utf8'));
    const { Connection: _, ...headers } = request.headers;
    const {
      status,
      text,
      headers: answered,
    } = await demo.ask(request.path.replace(/.*\//, ''), {
      ...headers,
      'Accept-Encoding': 'identity',
    });
    assert.equal(status, 200, text);
    assert.match(String(answered['content-type']), /application\/json/);
    assert.ok(JSON.parse(text).pairs.length > 0);
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await demo.ask('pairlist?limit=3');
    assert.equal((await demo.ask('pairlist?limit=3', { 'if-none-match': String(headers['etag']) })).status, 304);
    const other = await demo.ask('pairlist?limit=3&stake=EUR', { 'if-none-match': String(headers['etag']) });
    assert.equal(other.status, 200);
  });

  it('has as many pairs as the tier has rows per page', async () => {
    const { headers, text } = await free.ask('pairlist?limit=50');
    assert.equal(headers['x-limit-applied'], '5');
    assert.equal(JSON.parse(text).pairs.length, 5);
  });

  for (const [wrong, code, hint] of [
    ['stake=', 'invalid_value', /stake takes a currency such as USDT/],
    ['stake=US/DT', 'invalid_value', /stake takes/],
    ['stake=EUR&stake=USD', 'duplicate_parameter', /once/],
    ['format=csv', 'unknown_parameter', /Leave out format/],
    ['incl_cols=rsi14', 'unknown_parameter', /Leave out incl_cols/],
    ['where=prise>1', 'unknown_column', /price/],
    ['stak=EUR', 'unknown_parameter', /./],
  ] as const) {
    it(`refuses ${wrong} with a problem, at which freqtrade keeps its list`, async () => {
      const { status, text, headers } = await demo.ask(`pairlist?${wrong}`);
      assert.equal(status, 400);
      // freqtrade takes whatever is application/json for a pair list.
      assert.doesNotMatch(String(headers['content-type']), /application\/json/);
      const problem = JSON.parse(text);
      assert.equal(problem.code, code);
      assert.match(problem.hint, hint);
    });
  }
});
