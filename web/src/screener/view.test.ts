import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { absentColumns } from '../market-columns.ts';
import { listingParams } from './listing-request.ts';
import { PRESETS, presetView } from './presets.ts';
import { DEFAULT_VIEW, dayChanges, defaultView, parseView, type View, viewAddress } from './view.ts';

const ALL = ['datetimeUTC', 'symbol', 'price', 'change1', 'change7', 'change365', 'sma50', 'sma200', 'vol30'];
const KNOWN = new Set(ALL);
const COLUMNS = [...ALL.map(name => ({ name })), { name: 'rsi14', group: 'momentum' }, { name: 'ath', group: 'range' }];

const view: View = {
  columns: ['price', 'score', 'vol30'],
  computed: [{ name: 'score', expression: 'change7 / vol30' }],
  sort: 'vol30',
  order: 'asc',
  where: 'price >= 1e-9 and sma50 > 1.02 * sma200',
  tags: ['defi', 'layer-1'],
  types: ['token'],
  symbols: ['AAA', 'BBB', 'CCC'],
  minHistory: 200,
  query: 'two & three',
  inactive: true,
  asOf: '2025-12-31T14:00Z',
  interval: '1h',
  page: 3,
};

describe('the address of a view', () => {
  it('is plain for the usual view', () => assert.equal(viewAddress(DEFAULT_VIEW), '/'));

  it('says everything that is not usual, readably', () => {
    assert.equal(
      viewAddress(view),
      '/?q=two%20%26%20three&inactive=1&as_of=2025-12-31T14:00Z&interval=1h&calc=score:change7%20%2F%20vol30&sort=vol30&order=asc' +
        '&where=price%20%3E%3D%201e-9%20and%20sma50%20%3E%201.02%20*%20sma200&tag=defi,layer-1&type=token&symbols=AAA,BBB,CCC' +
        '&min_history=200&cols=price,score,vol30&page=3',
    );
  });

  it('gives the same view back', () => {
    const presets = PRESETS.map(presetView);
    const names = new Set([...ALL, ...presets.flatMap(each => [...each.columns, each.sort])]);
    for (const each of [view, DEFAULT_VIEW, ...presets]) {
      assert.deepEqual(parseView(viewAddress(each).slice(1), names), each);
    }
  });

  for (const wrong of [
    'sort=prize',
    'order=up',
    'calc=price:1',
    'calc=Score:1',
    'calc=score',
    'tag=',
    'min_history=-1',
    'cols=prize,symbol',
    'page=0',
    'as_of=yesterday',
    'utm_source=mail',
  ]) {
    it(`is not led astray by ${wrong}`, () => assert.deepEqual(parseView(`?${wrong}`, KNOWN), DEFAULT_VIEW));
  }
});

describe('the order on a past day', () => {
  const past = '2025-12-31';
  const usual = { ...DEFAULT_VIEW, asOf: past, sort: 'turnover', order: 'desc' } as const;

  it('is by turnover if the address names none, because ranks may not be recorded', () => {
    assert.deepEqual(parseView(`?as_of=${past}`, KNOWN), usual);
    assert.equal(viewAddress(usual), `/?as_of=${past}`);
  });

  it('is the usual one again today', () => {
    assert.deepEqual({ ...usual, ...dayChanges(usual, null) }, DEFAULT_VIEW);
  });

  for (const [sort, wanted] of [
    ['rank', 'turnover'],
    ['market_cap', 'turnover'],
    ['supply', 'turnover'],
    ['vol30', 'vol30'],
  ] as const) {
    it(`is by ${wanted} after one by ${sort}`, () => {
      assert.deepEqual(dayChanges({ ...DEFAULT_VIEW, sort, order: 'desc' }, past), {
        asOf: past,
        sort: wanted,
        order: 'desc',
      });
    });
  }
});

describe('a store without some columns', () => {
  afterEach(() => {
    absentColumns.value = new Set();
  });

  for (const [absent, sort] of [
    [['rank'], 'turnover'],
    [['rank', 'market_cap'], 'turnover'],
    [['rank', 'market_cap', 'turnover'], 'vol30'],
  ] as const) {
    it(`is shown by ${sort} without ${absent.join(', ')}, which are not shown`, () => {
      absentColumns.value = new Set(absent);
      const usual = defaultView();
      assert.deepEqual([usual.sort, usual.order], [sort, 'desc']);
      assert.equal(viewAddress(usual), '/');
      assert.deepEqual(parseView('', KNOWN), usual);
      for (const each of [usual, ...PRESETS.map(presetView)]) {
        assert.deepEqual(
          absent.filter(name => each.columns.includes(name)),
          [],
        );
      }
    });
  }

  it('has presets in their own order', () => {
    absentColumns.value = new Set(['rank']);
    const orders = PRESETS.map(presetView).flatMap(({ sort, order }) =>
      sort === 'turnover' ? [] : [`${sort} ${order}`],
    );
    assert.deepEqual(orders, ['rsi14 asc', 'vol30 desc', 'history asc', 'mdd365 asc']);
  });
});

describe('the request behind a view', () => {
  it('has every filter in a form of the API, and leaves out the columns that are not shown', () => {
    assert.deepEqual(listingParams(view, COLUMNS, ['AAA', 'BBB']), {
      sort: 'vol30',
      order: 'asc',
      calc: ['score:change7 / vol30'],
      where: 'price >= 1e-9 and sma50 > 1.02 * sma200',
      tag: 'defi,layer-1',
      type: 'token',
      min_history: 200,
      inactive: 'true',
      as_of: '2025-12-31T14:00Z',
      interval: '1h',
      symbol: 'AAA,BBB',
      incl_cols: undefined,
      excl_cols: 'datetimeUTC,change1,change7,change365,sma50,sma200',
    });
  });

  it('has the tickers of a watchlist, and of these only those that a search found', () => {
    assert.equal(listingParams({ ...DEFAULT_VIEW, symbols: ['AAA', 'BBB'] }, COLUMNS, null)['symbol'], 'AAA,BBB');
    assert.equal(listingParams({ ...DEFAULT_VIEW, symbols: ['AAA', 'BBB'] }, COLUMNS, ['BBB', 'CCC'])['symbol'], 'BBB');
  });

  it('asks for the optional columns that it shows', () => {
    const { incl_cols, excl_cols } = listingParams({ ...DEFAULT_VIEW, columns: ['price', 'rsi14'] }, COLUMNS, null);
    assert.equal(incl_cols, 'rsi14');
    assert.equal(excl_cols, 'datetimeUTC,change1,change7,change365,sma50,sma200,vol30');
  });
});
