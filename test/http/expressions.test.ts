// SPEC 14 over HTTP: conditions, computed columns, and the filters by tag and type.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import { allRows, assertProblem, LISTING, type Row, startContractService, symbols } from './contract.ts';

let service: TestService;
let everything: readonly Row[];
before(async () => {
  service = await startContractService();
  everything = await allRows(service);
});
after(() => service.close());

type Numbers = Readonly<Record<string, number | null>>;
type Holds = (row: Numbers) => boolean;

function passes(where: string, holds: Holds, some = true): void {
  it(`where=${where} passes what it says`, async () => {
    // The columns that the conditions look at are numbers or null.
    const expected = everything.filter(row => holds(row as Numbers)).map(row => row['symbol']!);
    if (some) assert.ok(expected.length > 0 && expected.length < everything.length, `${expected.length} rows`);
    assert.deepEqual(await symbols(service, `where=${encodeURIComponent(where)}`), expected);
  });
}

const above = (value: number | null | undefined, limit: number) => typeof value === 'number' && value > limit;

describe('SPEC 14: where', () => {
  passes('price > 10 or change7 > 5', ({ price, change7 }) => above(price, 10) || above(change7, 5));
  passes('not price > 10', ({ price }) => !above(price, 10));
  passes('not change365 > 0', ({ change365 }) => !above(change365, 0));
  passes('change365 is null', ({ change365 }) => change365 === null);
  passes('change365 is not null', ({ change365 }) => change365 !== null);
  passes('price between 10 and 20', ({ price }) => price! >= 10 && price! <= 20);
  passes('price not between 10 and 20', ({ price }) => !(price! >= 10 && price! <= 20));
  passes('price > 1.02 * sma50', ({ price, sma50 }) => price! > 1.02 * sma50!);
  passes('(price - sma50) / sqrt(var50) > 1', ({ price, sma50, var50 }) => {
    return var50! > 0 && (price! - sma50!) / Math.sqrt(var50!) > 1;
  });
  passes('price / var50 is null', ({ price, var50 }) => var50 === 0 || !Number.isFinite(price! / var50!));
  passes('PRICE > 10'.toLowerCase().replace('>', '>='), ({ price }) => price! >= 10);
  passes('min(price, sma5, sma50) = price', ({ price, sma5, sma50 }) => price! <= sma5! && price! <= sma50!);
  passes('ln(price) < 0', ({ price }) => price! < 1);
  passes('abs(change1) > 1', ({ change1 }) => change1 !== null && Math.abs(change1!) > 1);
  passes("datetimeUTC < '2026-03-10'", row => String(row['datetimeUTC']).slice(0, 10) < '2026-03-10');
  passes('1 > 2', () => false, false);
  passes('1 < 2', () => true, false);

  it('finds tickers in either case, and joins with the other filters', async () => {
    const found = everything.filter(row => ['BTC', 'ETH'].includes(String(row['symbol'])));
    const list = await symbols(service, `where=${encodeURIComponent("symbol in ('btc', 'Eth')")}`);
    assert.deepEqual(
      list,
      found.map(row => row['symbol']),
    );
    assert.deepEqual(await symbols(service, `where=symbol%3D%27btc%27&symbol=ETH`), []);
  });
});

describe('SPEC 14: tags and types', () => {
  for (const [listing, query, expected] of [
    ['ta-cur', 'tag=proof-of-work', ['BTC']],
    ['ta-cur', 'tag=PROOF-of-work,nothing', ['BTC']],
    ['ta-cur', 'tag=nothing&tag=proof-of-work', ['BTC']],
    ['ta-cur', 'tag=nothing', []],
    ['ta-cur', "where=tag('Proof-of-Work')%20and%20price>0", ['BTC']],
    ['ta-cur', 'tag=proof-of-work&type=token', []],
    ['assets', 'tag=proof-of-work', ['BTC']],
    ['assets', 'tag=proof-of-work&type=coin', ['BTC']],
    ['assets', "where=tag('proof-of-work')%20and%20is_active", ['BTC']],
  ] as const) {
    it(`${listing}?${query} holds ${expected.join() || 'nothing'}`, async () => {
      const answer = await service.ask(`/v1/crypto/${listing}?limit=1000&${query}`);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(
        answer.json<Listing>().result.map(row => row['symbol']),
        expected,
      );
    });
  }

  it('type= finds what the asset list shows as its type', async () => {
    const assets = (await service.ask('/v1/crypto/assets?limit=1000&sort=id&order=asc')).json<Listing>().result;
    const coins = (await service.ask('/v1/crypto/assets?limit=1000&sort=id&order=asc&type=coin')).json<Listing>()
      .result;
    assert.ok(coins.length > 0 && coins.length < assets.length);
    assert.deepEqual(
      coins,
      assets.filter(row => row['type'] === 'coin'),
    );
  });

  it('tag() is refused for the days of one asset', async () => {
    const answer = await service.ask("/v1/crypto/ta-hist?symbol=BTC&where=tag('x')");
    assertProblem(answer, 400, 'invalid_expression', 'where');
  });
});

interface Listing {
  readonly result: readonly Row[];
  readonly metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
  readonly next: string | null;
}

async function listing(query: string): Promise<Listing> {
  const answer = await service.ask(`${LISTING}?limit=1000&${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Listing>();
}

describe('SPEC 14: calc', () => {
  const trend = ({ sma5, sma50 }: Numbers) => sma5! / sma50! - 1;

  it('adds a column behind the others, with the value of its expression', async () => {
    const { result } = await listing('calc=trend:sma5/sma50-1&calc=twice:2*trend&sort=symbol&order=asc');
    assert.ok(result.length > 5);
    for (const row of result) {
      assert.deepEqual(Object.keys(row).slice(-2), ['trend', 'twice']);
      assert.equal(row['trend'], trend(row as Numbers));
      assert.equal(row['twice'], 2 * trend(row as Numbers));
    }
  });

  for (const order of ['asc', 'desc']) {
    it(`sorts by it, nulls last, ${order}`, async () => {
      const sign = order === 'asc' ? 1 : -1;
      const { result } = await listing(`calc=ratio:change7/change365&sort=ratio&order=${order}`);
      const values = result.map(row => row['ratio'] as number | null);
      const numbers = values.filter(value => value !== null);
      assert.ok(numbers.length > 2 && numbers.length < values.length);
      assert.deepEqual(values.slice(numbers.length), values.slice(numbers.length).fill(null));
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => sign * (a - b)),
      );
    });
  }

  for (const [query, holds] of [
    ['trend=0:', row => trend(row) >= 0],
    ['trend=-0.1:0.1', row => Math.abs(trend(row)) <= 0.1],
    ['[trend]>:[change1]', row => row['change1'] !== null && trend(row) > row['change1']!],
    ['where=trend>0', row => trend(row) > 0],
    ['where=trend%20is%20not%20null', () => true],
    ['not_null=trend', () => true],
    ['range=0:&sort=trend', row => trend(row) >= 0],
  ] as const satisfies readonly (readonly [string, Holds])[]) {
    it(`is filtered by ${query}`, async () => {
      const { result } = await listing(`${query}&calc=trend:sma5/sma50-1`);
      const expected = everything.filter(row => holds(row as Numbers)).map(row => row['symbol']);
      assert.deepEqual(result.map(row => row['symbol']).sort(), expected.sort());
    });
  }

  it('is in CSV, in links, and in the metadata with its formula and place', async () => {
    const query = 'calc=trend:(sma5%2Fsma50)-1&excl_cols=price';
    const csv = await service.ask(`${LISTING}?limit=2&format=csv&sort=trend&${query}`);
    const [header, first] = csv.text.split('\r\n');
    assert.match(header!, /,vol50,trend$/);
    const { result, metadata } = await listing(`meta=true&sort=trend&${query}`);
    assert.equal(first!.split(',').at(-1), String(result[0]!['trend']));
    assert.deepEqual(metadata?.['trend'], {
      type: 'number',
      unit: null,
      nullable: true,
      description: 'Computed by the calc parameter of the request',
      formula: 'sma5 / sma50 - 1',
      position: 34,
    });
    const page = (await service.ask(`${LISTING}?limit=2&sort=trend&${query}`)).json<Listing>();
    const second = (await service.ask(page.next!.replace(/^https?:\/\/[^/]+/, ''))).json<Listing>();
    assert.deepEqual(second.result, result.slice(2, 4));
  });

  it('leaves out a calc column that excl_cols names, and still sorts by it', async () => {
    const { result } = await listing('calc=trend:sma5/sma50&sort=trend&order=asc&excl_cols=trend');
    const values = result.map(row => (row['sma5'] as number) / (row['sma50'] as number));
    assert.deepEqual(
      values,
      [...values].sort((a, b) => a - b),
    );
    assert.equal('trend' in result[0]!, false);
  });

  it('gives the same page another tag when the formula differs', async () => {
    const [one, other, same] = await Promise.all(
      ['calc=x:price*2', 'calc=x:price*3', 'calc=x:price%20*%20(2)'].map(query => service.ask(`${LISTING}?${query}`)),
    );
    assert.notEqual(one!.headers['etag'], other!.headers['etag']);
    assert.equal(one!.json<Listing>().result[0]!['x'], same!.json<Listing>().result[0]!['x']);
  });
});

describe('SPEC 14: errors point at the place', () => {
  for (const [param, value, code, position, detail] of [
    ['where', 'price >', 'invalid_expression', 7, /Expected a number.*the end/],
    ['where', 'price > 1 and', 'invalid_expression', 13, /the end/],
    ['where', '(price > 1', 'invalid_expression', 10, /"\)"/],
    ['where', 'pricee > 1', 'unknown_column', 0, /pricee/],
    ['where', 'price > 1 and foo(2) > 1', 'invalid_expression', 14, /Unknown function/],
    ['where', 'price', 'invalid_expression', 0, /condition/],
    ['where', 'price + (sma5 > 1) > 2', 'invalid_expression', 9, /number/],
    ['where', "symbol > 'A'", 'invalid_expression', 7, /no order/],
    ['where', 'price sma5 > 1', 'invalid_expression', 6, /operator/],
    ['where', 'price == 1', 'invalid_expression', 6, /=/],
    ['where', 'price < 1 < 2', 'invalid_expression', 10, /Expected/],
    ['where', "symbol = 'BTC", 'invalid_expression', 9, /closing quote/],
    ['where', `${'('.repeat(1000)}price > 1`, 'expression_too_large', 64, /nests/],
    ['where', 'price > 1 '.padEnd(2001), 'expression_too_large', 2000, /2001 characters/],
    ['where', `price > 1${' + 1'.repeat(200)}`, 'expression_too_large', 9 + 4 * 199 + 1, /200 operators/],
    ['calc', 'price:1', 'invalid_calc_name', 0, /already a column/],
    ['calc', 'sort:1', 'invalid_calc_name', 0, /parameter/],
    ['calc', 'Trend:1', 'invalid_calc_name', 0, /name/],
    ['calc', 'and:1', 'invalid_calc_name', 0, /word/],
    ['calc', 'x', 'invalid_calc_name', 0, /colon/],
    ['calc', 'x:price > 1', 'invalid_expression', 2, /number/],
    ['calc', 'x:y + 1', 'unknown_column', 2, /"y"/],
  ] as const) {
    it(`${param}=${value.slice(0, 40)} is refused at ${position}: ${code}`, async () => {
      const problem = assertProblem(
        await service.ask(`${LISTING}?${param}=${encodeURIComponent(value)}`),
        400,
        code,
        param,
      );
      assert.equal((problem as { position?: number }).position, position);
      assert.match(problem.detail, detail);
    });
  }

  for (const [where, hint] of [
    ['tag = meme', "Write tag('meme')."],
    ["tag = 'meme'", "Write tag('meme')."],
    ['Tag != meme', "Write not tag('meme')."],
    ["tag in ('defi', 'meme')", "Write tag('defi') or tag('meme')."],
    ['symbol = BTC', "Write symbol = 'BTC'."],
  ] as const) {
    it(`says what to write instead of ${where}`, async () => {
      const answer = await service.ask(`${LISTING}?where=${encodeURIComponent(where)}`);
      assert.equal(assertProblem(answer, 400, 'unknown_column', 'where').hint, hint);
    });
  }

  it('names the nearest column', async () => {
    const problem = (await service.ask(`${LISTING}?where=smaa50>1`)).json<{ hint: string }>();
    assert.equal(problem.hint, 'Did you mean sma50?');
  });

  it('takes 200 operators and 8 calc columns, and no more', async () => {
    const eight = Array.from({ length: 8 }, (_, i) => `calc=c${i}:${i}`).join('&');
    assert.equal((await service.ask(`${LISTING}?${eight}`)).status, 200);
    assertProblem(await service.ask(`${LISTING}?${eight}&calc=c8:8`), 400, 'expression_too_large', 'calc');
    const where = encodeURIComponent(`price > 1${' + 1'.repeat(199)}`);
    assert.equal((await service.ask(`${LISTING}?where=${where}`)).status, 200);
  });
});
