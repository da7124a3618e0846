import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import {
  ASSET_FIELDS,
  ASSETS,
  allRows,
  byCodePoint,
  type Cell,
  type Envelope,
  LISTING,
  ROW_FIELDS,
  type Row,
  startContractService,
} from './contract.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

/** The order that the contract asks for, by plain code: rows come by tie breaker, and the sort is stable. */
function sorted(rows: readonly Row[], column: string, order: string): Row[] {
  const sign = order === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a[column]!, b[column]!];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * compare(x, y);
  });
}

function compare(a: Exclude<Cell, null>, b: Exclude<Cell, null>): number {
  return typeof a === 'string' ? byCodePoint(a, String(b)) : Number(a) - Number(b);
}

/** Follows `next` from the first page to the end, checking that `prev` leads back as well. */
async function walk(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let at: string | null = `${service.url}${path}`;
  let before: string | null = null;
  for (let pages = 0; at !== null; pages++) {
    assert.ok(pages < 200, 'the links lead nowhere');
    const { result, next, prev }: Envelope = await service.get<Envelope>(at);
    assert.equal(prev && decodeURIComponent(prev), before);
    assert.ok(result.length > 0, 'only a page past the end is empty');
    rows.push(...result);
    before = decodeURIComponent(at);
    at = next;
  }
  return rows;
}

for (const { path, columns, limit } of [
  { path: LISTING, columns: ROW_FIELDS, limit: 13 },
  { path: ASSETS, columns: ASSET_FIELDS, limit: 17 },
]) {
  describe(`SPEC 3: sorting ${path} is total`, () => {
    let rows: readonly Row[];
    before(async () => {
      rows = await allRows(service, path);
    });

    for (const column of columns) {
      it(`by ${column}: following next yields every row once, nulls last, ties by the tie breaker`, async () => {
        for (const order of ['asc', 'desc']) {
          const start = `${path}?limit=${limit}&sort=${column}&order=${order}&page=1`;
          assert.deepEqual(await walk(start), sorted(rows, column, order), order);
        }
      });
    }
  });
}

describe('SPEC 3: sorting', () => {
  it('sorts nulls last in both directions', async () => {
    for (const order of ['asc', 'desc']) {
      const { result } = await service.get<Envelope>(`${LISTING}?limit=100&sort=change90&order=${order}`);
      const firstNull = result.findIndex(row => row['change90'] === null);
      assert.ok(firstNull > 0);
      assert.ok(result.slice(firstNull).every(row => row['change90'] === null));
    }
  });

  it('breaks ties by symbol ascending in both directions', async () => {
    for (const order of ['asc', 'desc']) {
      const { result } = await service.get<Envelope>(`${LISTING}?sort=var50&order=${order}&price=1&var50=0`);
      assert.deepEqual(
        result.map(row => row['symbol']),
        ['FLATA', 'FLATB'],
      );
    }
  });

  it('walks filtered rows just as well', async () => {
    const filter = 'not_null=change30&[sma20]>:[sma50]&price=2:60';
    const expected = sorted(await allRows(service), 'vol30', 'desc').filter(
      row => row['change30'] !== null && Number(row['sma20']) > Number(row['sma50']) && inside(row['price']!, 2, 60),
    );
    assert.ok(expected.length > 5);
    for (const limit of [1, 2, 5, 1000]) {
      assert.deepEqual(await walk(`${LISTING}?limit=${limit}&sort=vol30&order=desc&page=1&${filter}`), expected);
    }
  });
});

function inside(value: Cell, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high;
}
