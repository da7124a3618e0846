import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TIERS } from '../../src/domain/tiers.ts';
import type { TestService } from '../support/service.ts';
import {
  ASSETS,
  allRows,
  assertProblem,
  type Envelope,
  LISTING,
  ROW_FIELDS,
  type Row,
  startContractService,
  symbols,
} from './contract.ts';
import { MARKET } from './market.ts';

let service: TestService;
let everything: readonly Row[];
before(async () => {
  service = await startContractService();
  everything = await allRows(service);
});
after(() => service.close());

const page = (query: string) => service.get<Envelope>(`${LISTING}?${query}`);
const refused = async (query: string, code: string, param: string) =>
  assertProblem(await service.ask(`${LISTING}?${query}`), 400, code, param);

describe('SPEC 3: limit and page', () => {
  it('a page has limit rows, and X-Limit-Applied says how many that is', async () => {
    for (const limit of [1, 7, 80]) {
      const answer = await service.ask(`${LISTING}?limit=${limit}`);
      assert.equal(answer.json<Envelope>().results_returned, limit);
      assert.equal(answer.headers['x-limit-applied'], String(limit));
    }
  });

  it('without limit the tier’s default applies, without page the first one', async () => {
    const answer = await service.ask(LISTING);
    assert.equal(answer.headers['x-limit-applied'], '100');
    assert.equal(answer.json<Envelope>().prev, null);
    assert.deepEqual((await page('limit=3&page=1')).result, (await page('limit=3')).result);
  });

  it('above the tier’s maximum the limit is lowered to it, and the links carry what applied', async () => {
    const free = await startContractService({ authenticate: () => ({ tier: TIERS.free, key: null, headers: '' }) });
    try {
      for (const query of ['limit=50', 'limit=6', 'limit=9007199254740991', '', 'limit=5']) {
        const answer = await free.ask(`${LISTING}?page=2&${query}`);
        const { results_returned, next, prev } = answer.json<Envelope>();
        assert.equal(results_returned, 5, query);
        assert.equal(answer.headers['x-limit-applied'], '5', query);
        assert.match(next ?? '', /\?limit=5&sort=datetimeUTC&order=desc&page=3$/);
        assert.match(prev ?? '', /\?limit=5&sort=datetimeUTC&order=desc&page=1$/);
      }
      assert.equal((await free.ask(`${LISTING}?limit=2`)).headers['x-limit-applied'], '2');
    } finally {
      await free.close();
    }
  });

  for (const name of ['limit', 'page', 'min_history']) {
    for (const value of ['0', '-1', '1.5', '1e2', '', 'x', '01', '%2B5', ' 5', '9007199254740993', 'Infinity']) {
      it(`${name}=${value} is refused`, async () => {
        await refused(`${name}=${value.replace(' ', '%20')}`, 'invalid_value', name);
      });
    }
  }
});

describe('SPEC 3: choices', () => {
  it('the default is JSON without metadata, the newest day first', async () => {
    const [plain, spelled] = [await page(''), await page('sort=datetimeUTC&order=desc&format=json&meta=false')];
    assert.deepEqual(plain.result, spelled.result);
    assert.equal(plain.metadata, null);
    assert.equal(plain.result.at(-1)?.['symbol'], 'EDGE');
  });

  const wrong = [
    ['order=ascending', 'order'],
    ['order=up', 'order'],
    ['order=', 'order'],
    ['format=xml', 'format'],
    ['format', 'format'],
    ['meta=yes', 'meta'],
    ['meta=2', 'meta'],
    ['symbol=', 'symbol'],
    ['symbol=,', 'symbol'],
  ] as const;
  for (const [query, param] of wrong) {
    it(`${query} is refused with what would be right`, async () => {
      const { hint } = await refused(query, 'invalid_value', param);
      assert.match(hint ?? '', new RegExp(`^${param} takes `));
    });
  }

  for (const [query, hint] of [
    ['sort=ema9', 'Did you mean ema10? The windows of ema are 10, 12, 20, 26, 50, 100, 200 days.'],
    ['sort=prise', 'Did you mean price?'],
    ['sort=Price', 'Did you mean price?'],
    ['sort=[price]', 'Did you mean price?'],
    ['sort=close', ''],
    ['sort=price,symbol', ''],
    ['sort=', ''],
    ['sort=__proto__', ''],
  ] as const) {
    it(`${query} names no column`, async () => {
      assert.ok((await refused(query, 'unknown_column', 'sort')).hint?.includes(hint));
    });
  }
});

describe('SPEC 3: excl_cols', () => {
  const cases: readonly [value: string, left: readonly string[]][] = [
    ['symbol,close', ROW_FIELDS.filter(name => name !== 'symbol')],
    ['price', ROW_FIELDS.filter(name => name !== 'price')],
    ['vol50,datetimeUTC,datetimeUTC', ROW_FIELDS.filter(name => name !== 'vol50' && name !== 'datetimeUTC')],
    ['%20sma5%20,,', ROW_FIELDS.filter(name => name !== 'sma5')],
    ['Price,close,__proto__', ROW_FIELDS],
    ['', ROW_FIELDS],
    [ROW_FIELDS.slice(1).join(), ['datetimeUTC']],
    [ROW_FIELDS.join(), []],
  ];
  for (const [value, left] of cases) {
    it(`${value.slice(0, 40) || 'nothing'} leaves ${left.length} columns`, async () => {
      const { result, results_returned } = await page(`limit=3&excl_cols=${value}`);
      assert.equal(results_returned, 3);
      for (const row of result) assert.deepEqual(Object.keys(row), left);
    });
  }

  it('leaves a column out of the rows, not out of sorting and filtering', async () => {
    const { result } = await page('limit=100&excl_cols=price,symbol&sort=price&order=asc&price=10:20');
    const expected = everything.filter(row => Number(row['price']) >= 10 && Number(row['price']) <= 20);
    assert.equal(result.length, expected.length);
    assert.ok(result.every(row => !('price' in row)));
  });
});

describe('SPEC 3: symbol and min_history', () => {
  const cases = [
    ['symbol=btc', ['BTC']],
    ['symbol=ETH,btc,nobody,eth', ['BTC', 'ETH']],
    ['symbol=TIDE', ['Tide']],
    ['symbol=%E6%AF%94%E7%89%B9%E5%B8%81,%CE%B4elta', ['ΔELTA', '比特币']],
    ['symbol=quo%22te,%3Dsum(a1)', ['=SUM(A1)', 'QUO"TE']],
    ['symbol=1E5,TRUE,null', ['1e5', 'TRUE', 'null']],
    ['symbol=dead', []],
    ['symbol=stale,ghost', []],
  ] as const;
  for (const [query, expected] of cases) {
    it(`${query} gives ${expected.join() || 'nothing'}`, async () => {
      assert.deepEqual(await symbols(service, query), expected);
    });
  }

  for (const days of [1, 2, 5, 6, 100, 366, 420, 421]) {
    it(`min_history=${days} gives the assets with at least as many closes`, async () => {
      const short = new Set(MARKET.filter(({ closes }) => closes.length < days).map(({ symbol }) => symbol));
      const expected = everything.map(row => row['symbol']!).filter(symbol => !short.has(String(symbol)));
      assert.deepEqual(await symbols(service, `min_history=${days}`), expected);
    });
  }
});

describe('SPEC 3: what is not known is an error', () => {
  for (const [query, param, hint] of [
    ['limt=5', 'limt', 'limit'],
    ['Limit=5', 'Limit', 'limit'],
    ['SORT=price', 'SORT', null],
    ['symbols=BTC', 'symbols', 'symbol'],
    ['prce=1:2', 'prce', 'price'],
    ['exclcols=price', 'exclcols', 'excl_cols'],
    ['q=bit', 'q', null],
    ['__proto__=1', '__proto__', null],
    ['constructor', 'constructor', null],
    ['=5', '', null],
    ['%6cimt=5', 'limt', 'limit'],
  ] as const) {
    it(`${query}${hint === null ? '' : `: ${hint} was probably meant`}`, async () => {
      const problem = await refused(query, 'unknown_parameter', param);
      assert.ok(hint === null || problem.hint === `Did you mean ${hint}?`, problem.hint);
    });
  }

  for (const [query, reason] of [
    ['timeframe=1h', /^Use interval instead of timeframe: it takes one of 1m, 5m/],
    ['currency=EUR', /^Use quote instead of currency: it takes USD, the ticker/],
    ['vs_currency=eur', /^Use quote instead/],
    ['date=2026-01-31', /^Use as_of instead/],
    ['per_page=5', /^Use limit instead/],
    ['sort_by=price', /^Use sort instead/],
    ['start=2026-01-31', /^Parameters: /],
    ['ema9=1:', /ema10\? The windows of ema are 10, 12, 20, 26, 50, 100, 200 days/],
  ] as const) {
    it(`${query} is told the reason`, async () => {
      const [param = ''] = query.split('=');
      assert.match((await refused(query, 'unknown_parameter', param)).hint ?? '', reason);
    });
  }

  for (const name of ['limit', 'page', 'sort', 'order', 'format', 'meta', 'min_history', 'api_key']) {
    it(`${name} given twice is an error, also when both say the same`, async () => {
      await refused(`${name}=1&${name}=1`, 'duplicate_parameter', name);
    });
  }

  it('empty pairs and a lone question mark are nothing', async () => {
    assert.deepEqual((await page('&&limit=2&&')).result, (await page('limit=2')).result);
    assert.equal((await service.ask(`${LISTING}?`)).status, 200);
  });
});

describe('SPEC 3: lists are repeated and bracketed as clients send them', () => {
  for (const [query, same] of [
    ['excl_cols=symbol&excl_cols=price', 'excl_cols=symbol,price'],
    ['excl_cols[]=symbol&excl_cols[]=price', 'excl_cols=symbol,price'],
    ['excl_cols%5B%5D=symbol&excl_cols=price', 'excl_cols=symbol,price'],
    ['excl_cols=[symbol]', 'excl_cols=symbol'],
    ['symbol=BTC&symbol=eth', 'symbol=BTC,ETH'],
    ['symbol[]=BTC&symbol[]=ETH', 'symbol=BTC,ETH'],
    ['not_null[]=change365&not_null[]=change30', 'not_null=change365,change30'],
    ['range[]=price:1:100&range[]=sma50:1:', 'range=price:1:100,sma50:1:'],
    ['comparison[]=[sma50]>:[sma200]', 'comparison=[sma50]>:[sma200]'],
    ['order=ASC&sort=price', 'order=asc&sort=price'],
    ['not_null=True&sort=change365', 'not_null=true&sort=change365'],
    ['not_null=1&sort=change365', 'not_null=true&sort=change365'],
    ['not_null=FALSE&sort=change365', 'sort=change365'],
  ] as const) {
    it(`${query} is ${same}`, async () => {
      assert.deepEqual((await page(query)).result, (await page(same)).result);
    });
  }

  it('flags and formats are taken in any case', async () => {
    for (const value of ['true', 'True', 'TRUE', '1']) assert.ok((await page(`meta=${value}`)).metadata);
    for (const value of ['False', '0']) assert.equal((await page(`meta=${value}`)).metadata, null);
    const csv = await service.ask(`${LISTING}?format=CSV`);
    assert.match(String(csv.headers['content-type']), /^text\/csv/);
  });

  for (const query of ['excl_cols=symbol;close', 'excl_cols=[symbol,close]', 'excl_cols=symbol|close']) {
    it(`${query} is refused instead of excluding nothing`, async () => {
      await refused(query, 'invalid_value', 'excl_cols');
    });
  }

  for (const query of ['limit[]=5', 'sort[]=price']) {
    it(`${query} is not a list`, async () => {
      await refused(query, 'unknown_parameter', query.split('=')[0]!);
    });
  }
});

describe('SPEC 3: assets by state', () => {
  const rows = async (query: string) => (await service.get<Envelope>(`${ASSETS}?limit=1000&${query}`)).result;

  it('is_active and is_new filter, and together give every asset once', async () => {
    for (const flag of ['is_active', 'is_new']) {
      const all = await rows('sort=id');
      const [on, off] = [await rows(`sort=id&${flag}=true`), await rows(`sort=id&${flag}=0`)];
      assert.deepEqual(
        on,
        all.filter(row => row[flag] === true),
      );
      assert.deepEqual(
        off,
        all.filter(row => row[flag] === false),
      );
      if (flag === 'is_active') assert.ok(on.length > 0 && off.length > 0);
    }
  });

  it('refuses what is neither', async () => {
    const problem = assertProblem(await service.ask(`${ASSETS}?is_active=maybe`), 400, 'invalid_value', 'is_active');
    assert.match(problem.hint ?? '', /true/);
  });
});

describe('a slash at the end', () => {
  for (const path of [LISTING, ASSETS, `${ASSETS}/btc-bitcoin`, '/v1/coins/btc-bitcoin']) {
    it(`${path}/ is ${path}`, async () => {
      const [with_, without] = [await service.ask(`${path}/`), await service.ask(path)];
      assert.equal(with_.status, 200);
      assert.equal(with_.headers['etag'], without.headers['etag']);
    });
  }

  it('hides no other path from a proxy that refuses it', async () => {
    for (const path of ['/metrics/', '/healthz/', '/docs//', '//'])
      assertProblem(await service.ask(path), 404, 'not_found');
  });
});

describe('SPEC 3: api_key', () => {
  it('is taken, and is in no link', async () => {
    const answer = await service.ask(`${LISTING}?api_key=tm_secret&limit=2&page=2`);
    assert.equal(answer.status, 200);
    assert.ok(!answer.text.includes('tm_secret'));
    assert.ok(!JSON.stringify(answer.headers).includes('tm_secret'));
  });
});
