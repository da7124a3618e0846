import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listingParams } from './listing-request.ts';
import { PRESETS } from './presets.ts';
import { DEFAULT_VIEW, parseView, type View, viewAddress } from './view.ts';

const ALL = ['datetimeUTC', 'symbol', 'price', 'change1', 'change7', 'change365', 'sma50', 'sma200', 'vol30'];
const KNOWN = new Set(ALL);
const COLUMNS = [...ALL.map(name => ({ name })), { name: 'rsi14', group: 'momentum' }, { name: 'ath', group: 'range' }];

const view: View = {
  columns: ['price', 'vol30'],
  sort: 'vol30',
  order: 'asc',
  filters: [
    { kind: 'range', column: 'price', low: 1e-9, high: null },
    { kind: 'comparison', left: 'sma50', operator: 'ge', right: 'sma200' },
    { kind: 'not_null', column: 'change365' },
  ],
  minHistory: 200,
  query: 'two & three',
  newest: true,
  inactive: true,
  asOf: '2025-12-31',
  page: 3,
};

describe('the address of a view', () => {
  it('is plain for the usual view', () => assert.equal(viewAddress(DEFAULT_VIEW), '/'));

  it('says everything that is not usual, readably', () => {
    assert.equal(
      viewAddress(view),
      '/?q=two%20%26%20three&newest=1&inactive=1&as_of=2025-12-31&sort=vol30&order=asc&price=1e-9:&cmp=sma50.ge.sma200&not_null=change365' +
        '&min_history=200&cols=price,vol30&page=3',
    );
  });

  it('gives the same view back', () => {
    const names = new Set([...ALL, ...PRESETS.flatMap(preset => preset.view.columns), 'sma5', 'sma20', 'change50']);
    for (const each of [view, DEFAULT_VIEW, ...PRESETS.map(preset => preset.view)]) {
      assert.deepEqual(parseView(viewAddress(each).slice(1), names), each);
    }
  });

  for (const wrong of [
    'sort=prize',
    'order=up',
    'price=cheap',
    'price=:',
    'cmp=sma50.over.sma200',
    'cmp=sma50.gt.sma201',
    'not_null=prize',
    'min_history=-1',
    'cols=prize,symbol',
    'page=0',
    'as_of=yesterday',
    'utm_source=mail',
  ]) {
    it(`is not led astray by ${wrong}`, () => assert.deepEqual(parseView(`?${wrong}`, KNOWN), DEFAULT_VIEW));
  }
});

describe('the request behind a view', () => {
  it('has every filter in a form of the API, and leaves out the columns that nobody sees', () => {
    assert.deepEqual(listingParams(view, COLUMNS, ['AAA', 'BBB']), {
      sort: 'vol30',
      order: 'asc',
      price: ['1e-9:'],
      comparison: ['[sma50]>=:[sma200]'],
      not_null: 'change365',
      min_history: 200,
      as_of: '2025-12-31',
      symbol: 'AAA,BBB',
      incl_cols: undefined,
      excl_cols: 'datetimeUTC,change1,change7,change365,sma50,sma200',
    });
  });

  it('asks for the changes that a trend is drawn from', () => {
    const { excl_cols } = listingParams({ ...DEFAULT_VIEW, columns: ['trend'] }, COLUMNS, null);
    assert.equal(excl_cols, 'datetimeUTC,change365,sma50,sma200,vol30');
  });

  it('asks for the optional columns that it shows', () => {
    const { incl_cols, excl_cols } = listingParams({ ...DEFAULT_VIEW, columns: ['price', 'rsi14'] }, COLUMNS, null);
    assert.equal(incl_cols, 'rsi14');
    assert.equal(excl_cols, 'datetimeUTC,change7,change365,sma50,sma200,vol30');
  });
});
