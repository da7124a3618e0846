// SPEC 26 over HTTP: lag, crosses_above and crosses_below are what as_of gives for the earlier day, in every place that takes an expression.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EventClient } from '../support/event-client.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import type { Answer, TestService } from '../support/service.ts';
import { assertProblem, type Envelope, HISTORY, LISTING, type Row, startContractService } from './contract.ts';
import { idOf, MARKET, marketSource, TODAY } from './market.ts';
import { PAST_ASSETS, pastSources } from './past-market.ts';

const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const dayOf = (row: Row) => Date.parse(String(row['datetimeUTC'])) / 86_400_000;
const text = encodeURIComponent;
const SEVENTEEN = [
  ...[1, 5, 7, 10, 20, 30, 50, 90, 180].map(n => `change${n}`),
  ...[5, 7, 10, 20, 30, 50, 100, 200].map(n => `sma${n}`),
];

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  describe(`SPEC 26: earlier days, on ${database}`, () => {
    let service: TestService;
    before(async () => {
      const storeUrl = database === 'SQLite' ? {} : { storeUrl: await freshPostgresUrl() };
      service = await startContractService({ sources: pastSources(), ...storeUrl });
    });
    after(() => service.close());

    const rowsOf = async (query: string) => (await service.get<Envelope>(`${LISTING}?limit=1000&${query}`)).result;
    /** The listing of a day with the inactive assets, by ticker. */
    const listings = new Map<number, Promise<Map<string, Row>>>();
    const listingOf = (day: number) => {
      const known =
        listings.get(day) ??
        rowsOf(`incl_cols=rsi14,ath_at&inactive=true&as_of=${iso(day)}`).then(
          rows => new Map(rows.map(row => [String(row['symbol']), row])),
        );
      listings.set(day, known);
      return known;
    };

    for (const [ago, n] of [
      [0, 1],
      [0, 7],
      [0, 400],
      [1, 1],
      [18, 2],
      // In the gap of GAPPY, and after it.
      [22, 1],
      [20, 1],
      [19, 3],
      [200, 30],
    ] as const) {
      it(`lag(x, ${n}) is the value that as_of gives ${n} days before the day of each row, ${ago} days ago`, async () => {
        const calcs = ['price', 'sma20', 'vol30', 'rsi14', 'change7'].map(
          (name, i) => `calc=c${i}:${text(`lag(${name}, ${n})`)}`,
        );
        const asOf = ago === 0 ? '' : `&as_of=${iso(TODAY - ago)}`;
        const rows = await rowsOf(`inactive=true&${calcs.join('&')}${asOf}`);
        let known = 0;
        for (const row of rows) {
          const symbol = String(row['symbol']);
          // Of two assets with one ticker, another one may have had the row then.
          if (PAST_ASSETS.filter(asset => asset.symbol.toUpperCase() === symbol.toUpperCase()).length > 1) continue;
          const then = (await listingOf(dayOf(row) - n)).get(symbol);
          for (const [i, name] of ['price', 'sma20', 'vol30', 'rsi14', 'change7'].entries()) {
            assert.equal(row[`c${i}`], then?.[name] ?? null, `${symbol} ${name}`);
          }
          known += then === undefined ? 0 : 1;
        }
        assert.ok(n === 400 ? known < rows.length : known > 0);
      });
    }

    it('is the same in the history of the asset, before and after a gap, and null in it', async () => {
      const calcs = `calc=a:${text('lag(price, 2)')}&calc=b:${text('lag(sma5, 2)')}&calc=c:${text('lag(rsi14, 9)')}`;
      for (const asset of PAST_ASSETS.filter(({ symbol }) => ['GAPPY', 'BTC', 'GONE', 'SIX'].includes(symbol))) {
        const path = `${HISTORY}?id=${text(idOf(asset))}&limit=40&${calcs}`;
        const { result } = await service.get<Envelope>(path);
        assert.ok(result.length > 4);
        for (const row of result) {
          // On a day without a bar, as_of gives the row of another day.
          if ((await listingOf(dayOf(row))).get(asset.symbol)!['datetimeUTC'] !== row['datetimeUTC']) {
            assert.deepEqual([row['a'], row['b'], row['c']], [null, null, null]);
            continue;
          }
          const [then, before] = [await listingOf(dayOf(row) - 2), await listingOf(dayOf(row) - 9)];
          assert.deepEqual(
            [row['a'], row['b'], row['c']],
            [
              then.get(asset.symbol)?.['price'] ?? null,
              then.get(asset.symbol)?.['sma5'] ?? null,
              before.get(asset.symbol)?.['rsi14'] ?? null,
            ],
            `${asset.symbol} ${row['datetimeUTC']}`,
          );
        }
      }
    });

    it('of an expression and of a computed column is that of each column', async () => {
      const [row] = await rowsOf(
        `symbol=BTC&calc=r:${text('price / sma50')}&calc=a:${text('lag(r, 3)')}&calc=b:${text('lag(lag(price, 1), 2) / lag(sma50, 3)')}&calc=c:${text('lag(2, 5)')}`,
      );
      const then = (await listingOf(TODAY - 3)).get('BTC')!;
      const expected = Number(then['price']) / Number(then['sma50']);
      assert.deepEqual([row!['a'], row!['b'], row!['c']], [expected, expected, 2]);
    });

    it('of a time is compared with days', async () => {
      const found = await rowsOf(`where=${text("ath_at > lag(ath_at, 1) and lag(datetimeUTC, 1) >= '2020-01-01'")}`);
      const expected = (await rowsOf('incl_cols=ath_at')).filter(row => {
        return row['ath_at'] === row['datetimeUTC'];
      });
      const old = new Set((await rowsOf('history=2:&incl_cols=history')).map(row => row['symbol']));
      assert.deepEqual(
        found.map(row => row['symbol']),
        expected.map(row => row['symbol']).filter(symbol => old.has(symbol!)),
      );
      assert.ok(found.length > 0);
    });

    for (const [name, holds] of [
      ['crosses_above', (a: number, b: number, x: number, y: number) => a > b && x <= y],
      ['crosses_below', (a: number, b: number, x: number, y: number) => a < b && x >= y],
    ] as const) {
      it(`${name}(price, sma50) selects what two listings say, in rows, statistics and facets`, async () => {
        let total = 0;
        for (const ago of [0, 3, 9]) {
          const asOf = `as_of=${iso(TODAY - ago)}`;
          const where = `where=${text(`${name}(price, sma50)`)}&${asOf}`;
          const expected: unknown[] = [];
          for (const row of await rowsOf(asOf)) {
            const then = (await listingOf(dayOf(row) - 1)).get(String(row['symbol']));
            if (then === undefined) continue;
            const [a, b, x, y] = [row['price'], row['sma50'], then['price'], then['sma50']].map(Number);
            if (holds(a!, b!, x!, y!)) expected.push(row['symbol']);
          }
          const found = await rowsOf(where);
          assert.deepEqual(
            found.map(row => row['symbol']),
            expected,
          );
          total += found.length;
          const stats = await service.get<Envelope>(`${LISTING}/stats?cols=price&${where}`);
          assert.equal(stats.result[0]!['count'], expected.length);
          const facets = await service.ask(`${LISTING}/facets?${where}`);
          assert.equal(facets.status, 200);
          const csv = await service.ask(`${LISTING}?limit=1000&format=csv&${where}`);
          assert.equal(csv.text.trim().split('\n').length, 1 + expected.length);
        }
        assert.ok(total > 0);
      });
    }
  });
}

describe('SPEC 26: requests for earlier days', () => {
  let service: TestService;
  before(async () => {
    service = await startContractService();
  });
  after(() => service.close());

  for (const [where, code, position, detail] of [
    ['lag(price) > 1', 'invalid_expression', 0, /two values, not 1/],
    ['lag(price, 1, 2) > 1', 'invalid_expression', 0, /two values, not 3/],
    ['lag(price, 0) > 1', 'invalid_expression', 11, /from 1 to 400/],
    ['lag(price, 401) > 1', 'invalid_expression', 11, /from 1 to 400/],
    ['lag(price, 1000000000) > 1', 'invalid_expression', 11, /from 1 to 400/],
    ['lag(price, -1) > 1', 'invalid_expression', 11, /from 1 to 400/],
    ['lag(price, 1.5) > 1', 'invalid_expression', 11, /from 1 to 400/],
    ['lag(price, sma5) > 1', 'invalid_expression', 11, /from 1 to 400/],
    ['lag(lag(price, 300), 300) > 1', 'invalid_expression', 4, /600 days back/],
    ['lag(prise, 1) > 1', 'unknown_column', 4, /prise/],
    ['lagg(price, 1) > 1', 'invalid_expression', 0, /Unknown function "lagg"/],
    ['lag(symbol, 1) > 1', 'invalid_expression', 4, /a number/],
    ['lag(price > 1, 1)', 'invalid_expression', 4, /a number/],
    ['lag(price, 1)', 'invalid_expression', 0, /a condition/],
    ['crosses_above(price) ', 'invalid_expression', 0, /two values, not 1/],
    ['crosses_above(price, symbol)', 'invalid_expression', 21, /a number/],
    ['crosses_over(price, sma5)', 'invalid_expression', 0, /Unknown function/],
    [[1, 2, 3, 4, 5].map(n => `lag(price, ${n}) > 1`).join(' and '), 'expression_too_large', 92, /5 different/],
    [SEVENTEEN.map(name => `lag(${name}, 1) > 1`).join(' and '), 'expression_too_large', null, /16/],
    [`${'lag('.repeat(65)}price${', 1)'.repeat(65)} > 1`, 'expression_too_large', null, /64 levels/],
  ] as const) {
    it(`where=${where.slice(0, 60)} is refused as ${code}, with its place`, async () => {
      const answer = await service.ask(`${LISTING}?where=${text(where)}`);
      const problem = assertProblem(answer, 400, code, 'where');
      assert.match(problem.detail, detail);
      if (position !== null) assert.equal(answer.json<{ position: number }>().position, position);
    });
  }

  it('are refused of datasets without earlier days', async () => {
    for (const path of ['/v1/crypto/assets?where=', '/v1/crypto/bars?symbol=BTC&where=']) {
      const answer = await service.ask(`${path}${text('lag(rank, 1) > 1')}`);
      assertProblem(answer, 400, 'invalid_expression', 'where');
    }
  });

  it('have a name of no calc column', async () => {
    for (const name of ['lag', 'crosses_above', 'crosses_below']) {
      assertProblem(await service.ask(`${LISTING}?calc=${name}:price`), 400, 'invalid_calc_name', 'calc');
    }
  });

  it('compute the earlier day once for all who ask at once, and answer 304 without it', async () => {
    const path = `${LISTING}?where=${text('lag(price, 5) > 10')}&limit=3`;
    const answers: Answer[] = await Promise.all(Array.from({ length: 50 }, () => service.ask(path)));
    assert.equal(new Set(answers.map(answer => JSON.stringify(answer.json<Envelope>().result))).size, 1);
    const again = await service.ask(path, { headers: { 'if-none-match': String(answers[0]!.headers['etag']) } });
    assert.equal(again.status, 304);
  });

  it('page through long results, computed columns included', async () => {
    const query = `calc=p:${text('lag(price, 1)')}&where=${text('lag(price, 1) > 1')}&sort=p&order=asc`;
    const all = (await service.get<Envelope>(`${LISTING}?limit=1000&${query}`)).result;
    const pages: Row[] = [];
    for (let page = 1; pages.length < all.length; page++) {
      pages.push(...(await service.get<Envelope>(`${LISTING}?limit=7&page=${page}&${query}`)).result);
    }
    assert.deepEqual(pages, all);
    const values = all.map(row => Number(row['p']));
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    );
  });
});

describe('SPEC 26: streams of earlier days', () => {
  it('show the rows of a crossing, and what a publication changes', async t => {
    const service = await startContractService();
    t.after(() => service.close());
    const query = `where=${text('crosses_above(price, 1.5 * sma50)')}&calc=before:${text('lag(price, 1)')}&limit=100&sort=symbol&order=asc`;
    const client = await EventClient.open(`${service.url}${LISTING}?format=sse&${query}`);
    t.after(() => client.close());
    const first = await client.data<{ result: Row[] }>('rows');
    assert.deepEqual(first.result, (await service.get<Envelope>(`${LISTING}?${query}`)).result);
    assert.ok(!first.result.some(row => row['symbol'] === 'BTC'));
    const btc = MARKET.find(({ symbol }) => symbol === 'BTC')!;
    const risen = { ...btc, closes: btc.closes.map((close, i) => (i === btc.closes.length - 1 ? close * 3 : close)) };
    await service.load(marketSource([risen]));
    const { entered } = await client.data<{ entered: Row[] }>('changes');
    assert.deepEqual(
      entered.map(row => [row['symbol'], row['before']]),
      [['BTC', btc.closes.at(-2)]],
    );
    await service.load(marketSource([btc]));
    const { left } = await client.data<{ left: string[] }>('changes');
    assert.deepEqual(left, ['BTC']);
  });
});
