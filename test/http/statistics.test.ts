// SPEC 15 over HTTP.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import { allRows, assertProblem, LISTING, type Row, startContractService } from './contract.ts';

const STATS = `${LISTING}/stats`;

let service: TestService;
let everything: readonly Row[];
before(async () => {
  service = await startContractService();
  everything = await allRows(service);
});
after(() => service.close());

interface Listing {
  readonly result: readonly Row[];
  readonly results_returned: number;
  readonly next: string | null;
  readonly prev: string | null;
}

async function stats(query: string): Promise<Listing> {
  const answer = await service.ask(`${STATS}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Listing>();
}

describe('SPEC 15: statistics', () => {
  it('have one row per column, over all rows that the query selects', async () => {
    const { result } = await stats('cols=price,change365&where=price>1&limit=100');
    assert.deepEqual(
      result.map(row => row['column']),
      ['price', 'change365'],
    );
    const selected = everything.filter(row => (row['price'] as number) > 1);
    for (const row of result) {
      const all = selected.map(each => each[String(row['column'])] as number | null);
      const values = all.filter(value => value !== null).sort((a, b) => a - b);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      assert.deepEqual([row['count'], row['nulls']], [all.length, all.length - values.length]);
      assert.deepEqual([row['min'], row['max']], [values[0], values.at(-1)]);
      assert.ok(Math.abs((row['mean'] as number) - mean) <= 1e-12 * Math.abs(mean));
      const middle = (values.length - 1) / 2;
      const median = (values[Math.floor(middle)]! + values[Math.ceil(middle)]!) / 2;
      assert.ok(Math.abs((row['p50'] as number) - median) <= 1e-12 * Math.abs(median));
    }
  });

  it('take columns in one list, in several, and in brackets', async () => {
    const [one, several, brackets] = await Promise.all(
      ['cols=price,sma5', 'cols=price&cols=sma5', 'cols[]=price&cols[]=sma5'].map(query => stats(query)),
    );
    assert.equal(one!.result.length, 2);
    assert.deepEqual(several!.result, one!.result);
    assert.deepEqual(brackets!.result, one!.result);
  });

  it('are of every numeric column unless columns are named, computed ones too', async () => {
    const { result } = await stats('limit=100&calc=own:price*2&excl_cols=sma5');
    const names = Object.keys(everything[0]!).filter(name => !['datetimeUTC', 'symbol', 'sma5'].includes(name));
    assert.deepEqual(
      result.map(row => row['column']),
      [...names, 'own'],
    );
    assert.equal(result.at(-1)!['max'], 2 * (result[0]!['max'] as number));
  });

  it('are empty, not wrong, when nothing is selected', async () => {
    const { result } = await stats('cols=price&where=1>2&bins=3');
    assert.deepEqual(
      { ...result[0] },
      {
        ...{ column: 'price', count: 0, nulls: 0, min: null, max: null, mean: null, stdev: null },
        ...{ p5: null, p25: null, p50: null, p75: null, p95: null, histogram: null },
      },
    );
  });

  it('have a histogram with bins, in JSON and in CSV', async () => {
    const { result } = await stats('cols=change7&bins=5&limit=1');
    const histogram = result[0]!['histogram'] as unknown as { edges: number[]; counts: number[] };
    const values = everything.map(row => row['change7']).filter(value => value !== null);
    assert.equal(
      histogram.counts.reduce((sum, count) => sum + count),
      values.length,
    );
    const csv = await service.ask(`${STATS}?cols=change7&bins=5&limit=1&format=csv`);
    assert.match(
      csv.headers['content-disposition'] ?? '',
      /filename="crypto-ta-cur-stats-\d{4}-\d\d-\d\d-page-1\.csv"/,
    );
    assert.ok(csv.text.includes(`"${JSON.stringify(histogram).replaceAll('"', '""')}"`), csv.text);
  });

  it('are paged by limit, and links keep the query', async () => {
    const first = await stats('limit=2&sort=price&range=1:&cols=price,sma5,sma7');
    assert.equal(first.results_returned, 2);
    assert.match(first.next!, /\/ta-cur\/stats\?limit=2&sort=price&order=desc&page=2&range=1:&cols=price,sma5,sma7$/);
    const second = (await service.ask(first.next!.replace(/^https?:\/\/[^/]+/, ''))).json<Listing>();
    assert.deepEqual(
      second.result.map(row => row['column']),
      ['sma7'],
    );
    assert.equal(second.result[0]!['count'], first.result[0]!['count']);
  });

  it('answer 304 while nothing has changed', async () => {
    const tag = (await service.ask(`${STATS}?cols=price`)).headers['etag']!;
    assert.equal((await service.ask(`${STATS}?cols=price`, { headers: { 'if-none-match': tag } })).status, 304);
    assert.notEqual((await service.ask(`${STATS}?cols=price&bins=2`)).headers['etag'], tag);
  });

  for (const [query, code, param] of [
    ['cols=symbol', 'column_not_numeric', 'cols'],
    ['cols=pricee', 'unknown_column', 'cols'],
    ['cols=', 'invalid_value', 'cols'],
    ['bins=0', 'invalid_value', 'bins'],
    ['bins=201', 'invalid_value', 'bins'],
    ['bins=2&bins=3', 'invalid_value', 'bins'],
    ['binz=2', 'unknown_parameter', 'binz'],
    ['where=price', 'invalid_expression', 'where'],
  ] as const) {
    it(`${query} is refused: ${code}`, async () => {
      assertProblem(await service.ask(`${STATS}?${query}`), 400, code, param);
    });
  }

  it('cols is not a parameter of the listing', async () => {
    assertProblem(await service.ask(`${LISTING}?cols=price`), 400, 'unknown_parameter', 'cols');
  });
});
