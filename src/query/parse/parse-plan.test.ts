// Every sentence of section 3 of the contract that the parser answers for, by its number.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ASSETS, type Dataset, TA_CUR } from '../../domain/datasets.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { OPERATORS } from '../operators.ts';
import { parsePlan } from './parse-plan.ts';
import type { Plan } from './plan.ts';
import { MAX_QUERY_LENGTH } from './split-query.ts';

/** The filters with names in place of indexes: `price 10..100`, `sma50 > sma200`, `change365 not null`. */
function filtersOf(query: string, dataset: Dataset = TA_CUR): string[] {
  const name = (index: number) => dataset.columns[index]!.name;
  const end = (value: number) => (Number.isFinite(value) ? String(value) : '');
  return parsePlan(dataset, query).filters.map(filter => {
    if (filter.kind === 'range') return `${name(filter.column)} ${end(filter.low)}..${end(filter.high)}`;
    if (filter.kind === 'not_null') return `${name(filter.column)} not null`;
    return `${name(filter.left)} ${filter.operator} ${name(filter.right)}`;
  });
}

function errorOf(query: string, dataset: Dataset = TA_CUR): ApiError {
  try {
    parsePlan(dataset, query);
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `no error for ?${query}` });
}

type ErrorCase = readonly [query: string, code: ErrorCode, param: string | undefined, hint: RegExp];

function refuses(cases: readonly ErrorCase[], dataset: Dataset = TA_CUR): void {
  for (const [query, code, param, hint] of cases) {
    it(`refuses ?${query.slice(0, 60)} as ${code}`, () => {
      const error = errorOf(query, dataset);
      assert.deepEqual([error.code, error.param], [code, param]);
      assert.match(error.hint ?? '', hint);
      assert.match(error.detail, /\.$/);
    });
  }
}

describe('3 the scalar parameters', () => {
  it('have their defaults', () => {
    const { limit, page, sort, order, columns, format, meta, filters, symbols, minHistory, search, apiKey, rest } =
      parsePlan(TA_CUR, '');
    assert.deepEqual(
      { limit, page, sort, order, format, meta, filters, symbols, minHistory, search, apiKey, rest },
      {
        limit: null,
        page: 1,
        sort: 0,
        order: 'desc',
        format: null,
        meta: false,
        filters: [],
        symbols: null,
        minHistory: null,
        search: null,
        apiKey: null,
        rest: '',
      },
    );
    assert.equal(columns.length, 34);
  });

  it('have the defaults of their dataset', () => {
    const { sort, order } = parsePlan(ASSETS, '');
    assert.deepEqual([ASSETS.columns[sort]!.name, order], ['rank', 'asc']);
  });

  const values: readonly (readonly [query: string, expected: Partial<Plan>])[] = [
    ['limit=5', { limit: 5 }],
    ['limit=9007199254740991', { limit: Number.MAX_SAFE_INTEGER }],
    ['page=3', { page: 3 }],
    ['sort=price', { sort: 2 }],
    ['order=asc', { order: 'asc' }],
    ['order=desc', { order: 'desc' }],
    ['format=csv', { format: 'csv' }],
    ['format=json', { format: 'json' }],
    ['meta=true', { meta: true }],
    ['meta=false', { meta: false }],
    ['min_history=366', { minHistory: 366 }],
    ['symbol=eth,BTC, btc,,', { symbols: ['BTC', 'ETH'] }],
    ['symbol=%E5%B8%81,%c3%a9', { symbols: ['É', '币'] }],
    ['symbol=\xc3\xa9', { symbols: ['É'] }],
    ['api_key=tm_x%2By', { apiKey: 'tm_x+y', rest: '' }],
    ['li%6Dit=7', { limit: 7 }],
    ['&&limit=7&&page=2&', { limit: 7, page: 2 }],
  ];
  for (const [query, expected] of values) {
    it(`?${query} gives ${JSON.stringify(expected)}`, () => {
      const plan = parsePlan(TA_CUR, query);
      assert.deepEqual({ ...plan, ...expected }, plan);
    });
  }

  it('the same columns, however they are chosen, make the same plan', () => {
    const canonical = (query: string) => parsePlan(TA_CUR, query).canonical;
    for (const query of ['excl_cols=', 'excl_cols=rank', 'incl_cols=rank&excl_cols=rank']) {
      assert.equal(canonical(query), canonical(''));
    }
    assert.equal(canonical('incl_cols=market&excl_cols=symbol'), canonical('excl_cols=symbol&incl_cols=market,rank'));
    assert.notEqual(canonical('incl_cols=rank'), canonical(''));
    assert.notEqual(canonical('excl_cols=symbol'), canonical(''));
  });

  it('excl_cols leaves columns out and ignores what is not a column', () => {
    const names = parsePlan(TA_CUR, 'excl_cols=symbol,close').columns.map(index => TA_CUR.columns[index]!.name);
    assert.deepEqual(names.slice(0, 3), ['datetimeUTC', 'price', 'change1']);
    assert.equal(names.length, 33);
    assert.equal(parsePlan(TA_CUR, 'excl_cols=').columns.length, 34);
  });

  it('q is folded, and an empty one is none', () => {
    assert.equal(parsePlan(ASSETS, 'q=+Bitcoin+CASH').search, 'bitcoin cash');
    assert.equal(parsePlan(ASSETS, 'q=%EF%BC%A2').search, 'b');
    assert.equal(parsePlan(ASSETS, 'q=+').search, null);
  });

  refuses([
    ['limit=0', 'invalid_value', 'limit', /integer from 1 to 9007199254740991/],
    ['limit=-1', 'invalid_value', 'limit', /integer/],
    ['limit=1.5', 'invalid_value', 'limit', /integer/],
    ['limit=1e2', 'invalid_value', 'limit', /integer/],
    ['limit=9007199254740992', 'invalid_value', 'limit', /integer/],
    ['limit=', 'invalid_value', 'limit', /integer/],
    ['limit', 'invalid_value', 'limit', /integer/],
    ['page=0', 'invalid_value', 'page', /integer/],
    ['page=x', 'invalid_value', 'page', /integer/],
    ['min_history=0', 'invalid_value', 'min_history', /integer/],
    ['order=up', 'invalid_value', 'order', /"asc" or "desc"/],
    ['format=xml', 'invalid_value', 'format', /"json", "csv", "ndjson", "arrow" or "sse"/],
    ['meta=2', 'invalid_value', 'meta', /"true" or "false"/],
    ['symbol=', 'invalid_value', 'symbol', /tickers/],
    ['symbol=,', 'invalid_value', 'symbol', /tickers/],
    ['sort=prise', 'unknown_column', 'sort', /Did you mean price\?/],
    ['sort=Price', 'unknown_column', 'sort', /Did you mean price\?/],
    ['sort=[price]', 'unknown_column', 'sort', /Did you mean price\?/],
    ['sort=', 'unknown_column', 'sort', /Columns: datetimeUTC/],
  ]);
});

describe('3 any other parameter is an error', () => {
  refuses([
    ['lmit=5', 'unknown_parameter', 'lmit', /Did you mean limit\?/],
    ['Limit=5', 'unknown_parameter', 'Limit', /Did you mean limit\?/],
    ['sam50=1:2', 'unknown_parameter', 'sam50', /Did you mean sma50\?/],
    ['[limit]=5', 'unknown_parameter', '[limit]', /Did you mean limit\?/],
    ['limit[]=5', 'unknown_parameter', 'limit[]', /Did you mean limit\?/],
    ['__proto__=1', 'unknown_parameter', '__proto__', /Parameters: limit, page/],
    ['constructor', 'unknown_parameter', 'constructor', /Parameters/],
    ['=5', 'unknown_parameter', '', /Parameters/],
    ['%3D5', 'unknown_parameter', '', /Parameters/],
    ['q=bit', 'unknown_parameter', 'q', /./],
    [`${'x'.repeat(5000)}=1`, 'unknown_parameter', `${'x'.repeat(60)}…`, /Parameters/],
  ]);
  refuses([['min_history=5', 'unknown_parameter', 'min_history', /Parameters/]], ASSETS);
});

describe('3 a scalar parameter given twice is an error', () => {
  const values = 'limit=5 page=1 sort=price order=asc format=csv meta=true min_history=1 api_key=k';
  for (const pair of values.split(' ')) {
    const name = pair.split('=')[0]!;
    it(name, () => {
      const { code, param, hint } = errorOf(`${pair}&${pair}`);
      assert.deepEqual([code, param], ['duplicate_parameter', name]);
      assert.match(hint ?? '', /once/);
    });
  }
});

describe('3 what cannot be decoded or is too much is an error', () => {
  refuses([
    ['price=%', 'bad_encoding', 'price', /UTF-8/],
    ['price=%4', 'bad_encoding', 'price', /UTF-8/],
    ['symbol=%zz', 'bad_encoding', 'symbol', /UTF-8/],
    ['symbol=%ff', 'bad_encoding', 'symbol', /UTF-8/],
    ['symbol=\xff', 'bad_encoding', 'symbol', /UTF-8/],
    ['symbol=%ED%A0%80', 'bad_encoding', 'symbol', /UTF-8/],
    ['symbol=%C0%80', 'bad_encoding', 'symbol', /UTF-8/],
    ['symbol=a%00', 'bad_encoding', 'symbol', /NUL/],
    ['%zz=1', 'bad_encoding', '%zz', /UTF-8/],
    ['symbol=\ud800', 'bad_encoding', 'symbol', /UTF-8/],
    ['x'.repeat(MAX_QUERY_LENGTH + 1), 'query_too_long', undefined, /6000/],
    [`symbol=${'"'.repeat(MAX_QUERY_LENGTH / 3)}`, 'query_too_long', undefined, /6000/],
    [Array(101).fill('price=1:2').join('&'), 'too_many_filters', 'price', /./],
    [`range=${Array(101).fill('1:2').join(',')}&sort=price`, 'too_many_filters', 'range', /./],
    [`not_null=${Array(101).fill('price').join(',')}`, 'too_many_filters', 'not_null', /./],
  ]);

  it('takes 100 filters', () => assert.deepEqual(filtersOf(Array(100).fill('price=1:2').join('&')), ['price 1..2']));

  it('never repeats a key in a message', () => {
    for (const query of ['api_key=tm_secret%zz', 'api_key=tm_secret&api_key=tm_secret', 'api_key=tm_secret&lmit=1']) {
      const { detail, param, hint } = errorOf(query);
      assert.doesNotMatch(`${detail}${param}${hint}`, /secret/);
    }
  });
});

describe('3.1 a range', () => {
  for (const [query, expected] of [
    ['price=10:100', ['price 10..100']],
    ['price=10:', ['price 10..']],
    ['price=:100', ['price ..100']],
    ['price=42', ['price 42..42']],
    ['[price]=10:100', ['price 10..100']],
    ['%5Bprice%5D=10%3A100', ['price 10..100']],
    ['%5Bprice%5D%3D10%3A100', ['price 10..100']],
    ['[ price ]= 10 : 100 ', ['price 10..100']],
    ['range=price:10:100', ['price 10..100']],
    ['range=[price]:10:', ['price 10..']],
    ['range=price::100', ['price ..100']],
    ['range=price:42', ['price 42..42']],
    ['range=price:10:100,sma5:1:2&range=vol5::7', ['price 10..100', 'sma5 1..2', 'vol5 ..7']],
    ['range=10:100&sort=price', ['price 10..100']],
    ['sort=price&range=10:,sma5:1:', ['price 10..', 'sma5 1..']],
    ['sort=price&range=:5', ['price ..5']],
    ['sort=price&range=42', ['price 42..42']],
    ['price=1e3:2E+4', ['price 1000..20000']],
    ['price=1e3:2E%2B4', ['price 1000..20000']],
    ['price=-1.5e-3:0', ['price -0.0015..0']],
    ['price=-0:0', ['price 0..0']],
    ['price=1:8&price=2:9', ['price 2..8']],
    ['price=1:2&price=3:4', ['price 3..2']],
  ] as const) {
    it(`?${query} is ${expected.join(', ')}`, () => assert.deepEqual(filtersOf(query), expected));
  }
  it('takes whole numbers of the asset list', () => assert.deepEqual(filtersOf('rank=1:10', ASSETS), ['rank 1..10']));

  refuses([
    ['price=100:10', 'invalid_range', 'price', /low:high/],
    ['price=abc', 'invalid_range', 'price', /numbers as in JSON/],
    ['price=1:x', 'invalid_range', 'price', /numbers as in JSON/],
    ['price=', 'invalid_range', 'price', /low:high/],
    ['price', 'invalid_range', 'price', /low:high/],
    ['price=:', 'invalid_range', 'price', /low:high/],
    ['price=1:2:3', 'invalid_range', 'price', /low:high/],
    ['price=.5', 'invalid_range', 'price', /JSON/],
    ['price=01', 'invalid_range', 'price', /JSON/],
    ['price=0x10', 'invalid_range', 'price', /JSON/],
    ['price=NaN', 'invalid_range', 'price', /JSON/],
    ['price=Infinity:', 'invalid_range', 'price', /JSON/],
    ['price=1e999', 'invalid_range', 'price', /JSON/],
    ['[price]=9:1', 'invalid_range', '[price]', /low:high/],
    ['range=price:9:1', 'invalid_range', 'range', /column:low:high/],
    ['range=price', 'invalid_range', 'range', /column:low:high/],
    ['range=', 'invalid_value', 'range', /column:low:high/],
    ['range=prise:1:2', 'unknown_column', 'range', /Did you mean price\?/],
    ['symbol=BTC&[symbol]=1:2', 'column_not_numeric', '[symbol]', /symbol=BTC,ETH/],
    ['datetimeUTC=1:2', 'column_not_numeric', 'datetimeUTC', /price, change1/],
    ['range=symbol:1:2', 'column_not_numeric', 'range', /price/],
    ['range=10:100', 'column_not_numeric', 'range', /price/],
  ]);
  refuses(
    [
      ['is_active=2', 'invalid_value', 'is_active', /"true" or "false"/],
      ['name=Bitcoin', 'column_not_numeric', 'name', /rank.*where=name = '…'/],
    ],
    ASSETS,
  );
});

describe('3.2 a comparison', () => {
  for (const operator of Object.keys(OPERATORS)) {
    const text = `[sma50]${operator}:[sma200]`;
    const encoded = encodeURIComponent(text);
    const name = `[sma50]${operator}`;
    const forms: Readonly<Record<string, string>> = {
      raw: text,
      'fully encoded': encoded,
      'fully encoded, with a = behind it': `${encoded}=`,
      'with encoded brackets': text.replaceAll('[', '%5B').replaceAll(']', '%5D'),
      'with an encoded operator': text.replace(operator, encodeURIComponent(operator)),
      'with an encoded colon': text.replace(':', '%3A'),
      'without brackets': `sma50${operator}:sma200`,
      'with plus signs for spaces': `[sma50]+${operator}+:+[sma200]`,
      'as name and value, the operator in the name': new URLSearchParams([[`${name}:`, '[sma200]']]).toString(),
      'as a name without value (URLSearchParams)': new URLSearchParams([[text, '']]).toString(),
      'as the value of comparison=': `comparison=${text}`,
      'as the encoded value of comparison=': `comparison=${encoded}`,
    };
    for (const [form, query] of Object.entries(forms)) {
      it(`${operator} ${form}: ?${query}`, () => assert.deepEqual(filtersOf(query), [`sma50 ${operator} sma200`]));
    }
  }
  for (const operator of ['=', '!=', '>=', '<='] as const) {
    it(`${operator} whose = was encoded with the name, and added again by the client`, () => {
      const query = new URLSearchParams([[`[sma50]${operator}`, ':[sma200]']]).toString();
      assert.deepEqual(filtersOf(query), [`sma50 ${operator} sma200`]);
    });
  }

  for (const [query, expected] of [
    ['[sma200]=:[sma50]', ['sma50 = sma200']],
    ['[sma200]<:[sma50]', ['sma50 > sma200']],
    ['[sma50]>:[sma200]&[sma200]<:[sma50]', ['sma50 > sma200']],
    ['price=:[sma20]', ['price = sma20']],
    ['price=:sma20', ['price = sma20']],
    [
      'comparison=[sma50]>:[sma200],[price]>:[sma20]&comparison=vol5<:vol7',
      ['price > sma20', 'sma50 > sma200', 'vol5 < vol7'],
    ],
  ] as const) {
    it(`?${query} is ${expected.join(', ')}`, () => assert.deepEqual(filtersOf(query), expected));
  }

  refuses([
    ['[sma50]>:[sma2000]', 'unknown_column', '[sma50]>:[sma2000]', /Did you mean sma200\?/],
    ['[sma50]>=:[sma2000]', 'unknown_column', '[sma50]>=:[sma2000]', /Did you mean sma200\?/],
    ['[smaa50]>:[sma200]', 'unknown_column', '[smaa50]>:[sma200]', /Did you mean sma50\?/],
    ['[sma50]=:[sma2000]', 'unknown_column', '[sma50]=:[sma2000]', /sma200/],
    ['[symbol]>:[price]', 'column_not_numeric', '[symbol]>:[price]', /price/],
    ['[price]>:[datetimeUTC]', 'column_not_numeric', '[price]>:[datetimeUTC]', /price/],
    ['price>100', 'invalid_comparison', 'price>100', /use a range: price=10:100/],
    ['price>=100', 'invalid_comparison', 'price>=100', /use a range/],
    ['price>:100', 'invalid_comparison', 'price>:100', /use a range/],
    ['[sma50]>[sma200]', 'invalid_comparison', '[sma50]>[sma200]', /\[sma50\]>:\[sma200\]/],
    ['[sma50]<>:[sma200]', 'invalid_comparison', '[sma50]<>:[sma200]', /= != > >= < <=/],
    ['[sma50]!:[sma200]', 'invalid_comparison', '[sma50]!:[sma200]', /!=/],
    ['>:[sma200]', 'invalid_comparison', '>:[sma200]', /./],
    ['comparison=sma50', 'invalid_comparison', 'comparison', /\[sma50\]>:\[sma200\]/],
    ['comparison=', 'invalid_value', 'comparison', /\[sma50\]>:\[sma200\]/],
    ['comparison=[sma50]>:[foo]', 'unknown_column', 'comparison', /./],
  ]);
});

describe('3.3 not null', () => {
  for (const [query, expected] of [
    ['not_null=change365,change180', ['change180 not null', 'change365 not null']],
    ['not_null=change365&not_null=change180', ['change180 not null', 'change365 not null']],
    ['change365=not_null', ['change365 not null']],
    ['[change365]=not_null', ['change365 not null']],
    ['not_null=symbol', ['symbol not null']],
    ['symbol=not_null', ['symbol not null']],
    ['not_null&sort=change7', ['change7 not null']],
    ['not_null=&sort=change7', ['change7 not null']],
    ['not_null=true&sort=change7', ['change7 not null']],
    ['not_null=false&sort=change7', []],
    ['not_null', ['datetimeUTC not null']],
    // A range or a comparison leaves the nulls of its columns out by itself.
    ['not_null&change7=1:&sort=change30', ['change7 1..']],
    ['not_null&[change7]>:[change30]', ['change7 > change30']],
    ['not_null=change7,change5&change7=1:', ['change7 1..', 'change5 not null']],
  ] as const) {
    it(`?${query} is ${expected.join(', ') || 'no filter'}`, () => assert.deepEqual(filtersOf(query), expected));
  }

  refuses([
    ['not_null=chang365', 'unknown_column', 'not_null', /Did you mean change365\?/],
    ['not_null=,', 'invalid_value', 'not_null', /column names/],
  ]);
});

describe('columns that a store publishes on demand', () => {
  for (const query of ['', 'sort=rank', 'incl_cols=rank,supply,market_cap,history&where=rank%3C10', 'sort=sma50']) {
    it(`are not needed by ?${query}`, () => assert.equal(parsePlan(TA_CUR, query).usesOptional, false));
  }
  for (const query of [
    'sort=rsi14',
    'incl_cols=market',
    'rsi14=:30',
    'not_null=open',
    'where=ath%3E1',
    'calc=x:2*ema10',
  ]) {
    it(`are needed by ?${query}`, () => assert.equal(parsePlan(TA_CUR, query).usesOptional, true));
  }
});
