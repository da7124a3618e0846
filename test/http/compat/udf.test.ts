// TradingView's Universal Data Feed: the requests of its adapter, the documented shapes, and the numbers of our own endpoints.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TIERS } from '../../../src/domain/tiers.ts';
import { startDailyDemo } from '../../support/demo-server.ts';
import { type CompatDemo, type Row, startCompat } from './compat.ts';

let udf: CompatDemo;
let free: CompatDemo;
before(async () => {
  udf = await startCompat('/v1/crypto/udf/');
  const grant = { tier: TIERS.free, key: null, headers: '' };
  free = await startCompat('/v1/crypto/udf/', await startDailyDemo({ authenticate: () => grant }));
});
after(async () => {
  await udf.close();
  await free.close();
});

const ANY = {};
const NUMBERS = { type: 'array', items: { type: 'number' } };
const members = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
/** The members that the documentation of UDF requires. */
const DOCUMENTED = {
  config: members({
    ...{ supports_search: { const: true }, supports_group_request: { const: false } },
    ...{
      supported_resolutions: { type: 'array' },
      supports_marks: { const: false },
      supports_timescale_marks: { const: false },
    },
  }),
  symbols: members({
    ...{ name: ANY, ticker: ANY, description: ANY, type: ANY, exchange: ANY, listed_exchange: ANY, pricescale: ANY },
    ...{ session: { const: '24x7' }, timezone: { const: 'Etc/UTC' }, minmov: { const: 1 } },
  }),
  search: {
    type: 'array',
    items: members({ symbol: ANY, full_name: ANY, description: ANY, exchange: ANY, ticker: ANY, type: ANY }),
  },
  history: members({
    ...{ s: { const: 'ok' }, t: NUMBERS, o: NUMBERS, h: NUMBERS, l: NUMBERS, c: NUMBERS, v: { type: 'array' } },
  }),
};

interface History {
  readonly t: number[];
  readonly o: number[];
  readonly h: number[];
  readonly l: number[];
  readonly c: number[];
  readonly v: (number | null)[];
}

const seconds = (day: unknown) => Date.parse(String(day)) / 1000;
const read = (query: string) => udf.read<History>(`history?${query}`, DOCUMENTED.history);

/** Our bars as UDF writes them. */
function asHistory(rows: readonly Row[]) {
  const list = (name: string) => rows.map(row => row[name]);
  const times = rows.map(row => seconds(row['datetimeUTC']));
  return { s: 'ok', t: times, o: list('open'), h: list('high'), l: list('low'), c: list('close'), v: list('volume') };
}

describe('config, time, symbols, search', () => {
  it('states the resolutions that the store has', async () => {
    const { supported_resolutions } = Object(await udf.read('config', DOCUMENTED.config));
    assert.deepEqual(supported_resolutions, ['1D', '1W', '1M']);
  });

  it('has the time in seconds', async () => {
    assert.equal(await udf.read('time', { type: 'integer' }), seconds('2026-06-30T12:00:00Z'));
  });

  it('resolves ids and tickers, with and without the exchange', async () => {
    for (const name of ['ALDM', 'aldm', 'aldm-aldermoor', 'TIDEMARK:ALDM', 'tidemark:aldm-aldermoor']) {
      const found = await udf.read<Row>(`symbols?symbol=${name}`, DOCUMENTED.symbols);
      assert.deepEqual([found['name'], found['ticker'], found['description']], ['ALDM', 'aldm-aldermoor', 'Aldermoor']);
    }
  });

  it('has six significant digits of a price', async () => {
    for (const order of ['asc', 'desc']) {
      const [row] = await udf.rows(`ta-cur?sort=price&order=${order}&limit=1`);
      const { pricescale } = Object(await udf.read(`symbols?symbol=${row?.['symbol']}`, DOCUMENTED.symbols));
      assert.match(String(pricescale), /^10+$/);
      const shown = Math.round(Number(row?.['price']) * pricescale);
      assert.ok(shown >= 100_000 || pricescale === 10 ** 15, `${row?.['price']} ${pricescale}`);
    }
  });

  it('finds assets by name, the best-ranked first', async () => {
    const found = await udf.read<Row[]>('search?query=DOLLAR&type=&exchange=&limit=30', DOCUMENTED.search);
    const rows = await udf.rows('assets?q=dollar&sort=rank&order=asc&limit=30');
    assert.ok(rows.length > 0);
    assert.deepEqual(
      found.map(each => each['ticker']),
      rows.map(row => row['id']),
    );
  });

  it('finds all assets by an empty text, and none of another type or exchange', async () => {
    assert.equal((await udf.read<Row[]>('search?query=&limit=7', DOCUMENTED.search)).length, 7);
    assert.equal((await udf.read<Row[]>('search?query=&type=crypto&exchange=TIDEMARK', DOCUMENTED.search)).length, 30);
    assert.deepEqual(await udf.read('search?query=a&type=stock', DOCUMENTED.search), []);
    assert.deepEqual(await udf.read('search?query=a&exchange=NYSE', DOCUMENTED.search), []);
  });
});

describe('history', () => {
  it('has the bars from `from` on and before `to`', async () => {
    const span = `from=${seconds('2026-06-01')}&to=${seconds('2026-06-11')}`;
    const found = await read(`symbol=aldm-aldermoor&resolution=1D&${span}`);
    const rows = await udf.rows('bars?symbol=ALDM&from=2026-06-01&to=2026-06-10&order=asc');
    assert.equal(found.t.length, 10);
    assert.deepEqual(found, asHistory(rows));
  });

  for (const [resolution, interval] of [
    ['W', '1w'],
    ['1W', '1w'],
    ['1M', '1mo'],
    ['D', '1d'],
  ] as const) {
    it(`has the last bars before \`to\` with countback, of ${resolution}`, async () => {
      const to = seconds('2026-06-30');
      // The adapter sends the currency that `symbols` states.
      const query = `symbol=aldm-aldermoor&resolution=${resolution}&from=${to - 86_400}&to=${to}&countback=12&currencyCode=USD`;
      const rows = await udf.rows(`bars?symbol=ALDM&interval=${interval}&to=2026-06-29&order=desc&limit=12`);
      assert.deepEqual(await read(query), asHistory(rows.toReversed()));
    });
  }

  it('has all bars of an asset', async () => {
    const rows = await udf.rows('bars?symbol=ALDM&order=asc&limit=1000');
    const found = await read(`symbol=ALDM&resolution=1D&from=-1000&to=${seconds('2100-01-01')}`);
    assert.ok(found.t.length >= rows.length);
    assert.deepEqual(found.c.slice(0, rows.length), asHistory(rows).c);
    assert.deepEqual(
      found.t,
      found.t.toSorted((a, b) => a - b),
    );
  });

  it('says that there is no data, and when the nearest earlier bar is', async () => {
    const later = `symbol=ALDM&resolution=1D&from=${seconds('2026-07-10')}&to=${seconds('2026-07-20')}`;
    assert.deepEqual(await udf.read(`history?${later}`, ANY), { s: 'no_data', nextTime: seconds('2026-06-30') });
    const earlier = `symbol=ALDM&resolution=1D&from=0&to=86400`;
    assert.deepEqual(await udf.read(`history?${earlier}`, ANY), { s: 'no_data' });
    assert.deepEqual(await udf.read(`history?${earlier}&countback=300`, ANY), { s: 'no_data' });
    const backwards = `symbol=ALDM&resolution=1D&from=${seconds('2026-06-10')}&to=${seconds('2026-06-01')}`;
    assert.deepEqual(await udf.read(`history?${backwards}`, ANY), { s: 'no_data', nextTime: seconds('2026-05-31') });
  });

  it('has a year for tiers without exports, and no data before it', async () => {
    const to = seconds('2026-07-01');
    const { t } = JSON.parse((await free.ask(`history?symbol=ALDM&resolution=1D&to=${to}&countback=5000`)).text);
    assert.deepEqual([t.length, t[0]], [366, seconds('2025-06-30')]);
    const before = `history?symbol=ALDM&resolution=1D&from=${seconds('2024-01-01')}&to=${seconds('2024-02-01')}`;
    assert.deepEqual(JSON.parse((await free.ask(before)).text), { s: 'no_data' });
  });
});

describe('errors', () => {
  it('of a path that does not exist have the form of UDF', async () => {
    const { status, text } = await udf.missing('symbol_info?group=x', {});
    assert.equal(status, 404);
    assert.deepEqual([JSON.parse(text).s, Object.keys(JSON.parse(text))], ['error', ['s', 'errmsg']]);
  });

  const to = `from=0&to=${seconds('2026-07-01')}`;
  for (const [path, status, errmsg] of [
    ['symbols?symbol=nobody', 404, /^unknown_symbol$/],
    [`history?symbol=nobody&resolution=1D&${to}`, 404, /^unknown_symbol$/],
    ['symbols', 400, /^symbol is missing/],
    [`history?symbol=ALDM&resolution=60&${to}`, 400, /resolution takes one of 1D, 1W, 1M/],
    [`history?symbol=ALDM&${to}`, 400, /^resolution is missing/],
    ['history?symbol=ALDM&resolution=1D&from=0', 400, /^to is missing/],
    ['history?symbol=ALDM&resolution=1D&to=86400', 400, /^from is missing. Give from, or countback/],
    ['history?symbol=ALDM&resolution=1D&from=yesterday&to=1', 400, /from takes a time in seconds/],
    [`history?symbol=ALDM&resolution=1D&${to}&countback=0`, 400, /countback takes an integer from 1/],
    [`history?symbol=ALDM&resolution=1D&${to}&currencyCode=EUR`, 400, /currencyCode takes one of usd/],
  ] as const) {
    it(`${path} has an error of UDF`, async () => {
      const body = Object(await udf.fail(path, status));
      assert.equal(body.s, 'error');
      assert.match(body.errmsg, errmsg);
      assert.deepEqual(Object.keys(body), ['s', 'errmsg']);
    });
  }
});
