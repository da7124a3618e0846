// What API keys and tiers mean on the paths of other services.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LOGGED_NAMES } from '../../../src/api/logged-names.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import { ApiError } from '../../../src/errors.ts';
import { loggableUrl } from '../../../src/http/observe/loggable-url.ts';
import { startDemo } from '../../support/demo-server.ts';
import { type CompatDemo, startCompat } from './compat.ts';

const REFUSED = {
  'x-refuse-unknown': new ApiError('unknown_key', 'This service does not have this API key.'),
  'x-refuse-missing': new ApiError('missing_key', 'This path requires an API key.'),
  'x-refuse-rate': new ApiError('rate_limited', 'More than 2 requests per second.', { hint: 'Wait 1 s.' }),
};

let gecko: CompatDemo;
let paprika: CompatDemo;
before(async () => {
  // An API key of the smallest tier, or a refusal that a header asks for.
  const demo = await startDemo({
    authenticate: ({ headers }) => {
      const refusal = Object.entries(REFUSED).find(([name]) => headers[name] !== undefined)?.[1];
      if (refusal !== undefined) return { refusal, key: null, headers: '', holdMs: 0 };
      return { tier: TIERS.free, key: null, headers: '' };
    },
  });
  gecko = await startCompat('/coingecko/api/v3/', demo);
  paprika = await startCompat('/coinpaprika/v1/', demo);
});
after(() => gecko.close());

describe('an API key of the tier free', () => {
  it('gets the whole lists of ids', async () => {
    assert.ok(JSON.parse((await gecko.ask('coins/list')).text).length > 100);
    assert.ok(JSON.parse((await paprika.ask('coins')).text).length > 100);
  });

  it('gets as many prices as it has rows per page', async () => {
    const markets = await gecko.ask('coins/markets?vs_currency=usd&per_page=250');
    const tickers = await paprika.ask('tickers');
    for (const { text, headers } of [markets, tickers]) {
      assert.equal(JSON.parse(text).length, 5);
      assert.equal(headers['x-limit-applied'], '5');
    }
    const many = 'simple/price?vs_currencies=usd&ids=a,b,c,d,e,f';
    assert.match(JSON.stringify(await gecko.fail(many, 400)), /at most 5 names/);
  });

  it('gets a year of history, and no more', async () => {
    const chart = 'coins/aldermoor/market_chart?vs_currency=usd&days=';
    assert.equal(JSON.parse((await gecko.ask(`${chart}365`)).text).prices.length, 366);
    for (const days of ['366', 'max']) {
      const { error } = Object(await gecko.fail(chart + days, 401));
      assert.deepEqual([error.status.error_code, typeof error.status.error_message], [10_012, 'string']);
    }
    await gecko.fail('coins/aldermoor/market_chart/range?vs_currency=usd&from=1600000000&to=1600100000', 401);
    await paprika.fail('tickers/aldm-aldermoor/historical?start=2024-01-01', 402);
    assert.equal((await paprika.ask('tickers/aldm-aldermoor/historical?start=2025-07-01')).status, 200);
  });
});

describe('a refusal', () => {
  it("has CoinGecko's form", async () => {
    for (const [header, status, code] of [
      ['x-refuse-unknown', 401, 10_002],
      ['x-refuse-missing', 401, 10_002],
      ['x-refuse-rate', 429, 429],
    ] as const) {
      const answer = await gecko.ask('ping', { [header]: '1' });
      assert.equal(answer.status, status);
      assert.equal(JSON.parse(answer.text).status.error_code, code);
    }
  });

  it("has CoinPaprika's form", async () => {
    const bad = await paprika.ask('global', { 'x-refuse-unknown': '1' });
    assert.deepEqual([bad.status, JSON.parse(bad.text)], [403, { error: 'This service does not have this API key.' }]);
    assert.equal((await paprika.ask('global', { 'x-refuse-rate': '1' })).status, 429);
  });
});

describe('an API key in a parameter', () => {
  it('is accepted, and never in the log', async () => {
    for (const name of ['x_cg_demo_api_key', 'x_cg_pro_api_key', 'api_key']) {
      assert.equal((await gecko.ask(`ping?${name}=tdm_secret`)).status, 200);
      const { path, query } = loggableUrl(`/coingecko/api/v3/ping?${name}=tdm_secret`, LOGGED_NAMES);
      assert.deepEqual([path, query.includes('secret')], ['/coingecko/api/v3/ping', false]);
    }
  });
});
