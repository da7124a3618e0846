import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PlainRow, tableOf } from '../../../test/contract/query/plain-table.ts';
import { ASSETS, TA_CUR } from '../../domain/datasets.ts';
import { parsePlan } from '../parse/parse-plan.ts';
import { execute } from './execute.ts';

/** Rows A, B, C … with these values of change7, and otherwise nothing. */
function rowsOf(changes: readonly (number | null)[]): PlainRow[] {
  return changes.map((change7, index) => ({
    cells: { symbol: String.fromCharCode(65 + index), datetimeUTC: '2026-01-01T00:00:00.000Z', change7 },
    history: index + 1,
  }));
}

const rows = rowsOf([2, null, 1, 2, -0, null, 0, 1]);
const table = tableOf(TA_CUR, rows);

function symbolsOf(query: string): string {
  const plan = parsePlan(TA_CUR, query);
  return [...execute(plan, table, plan.limit ?? 100).rows].map(row => rows[row]!.cells['symbol']).join('');
}

describe('a page of a listing', () => {
  for (const [query, expected] of [
    ['', 'ABCDEFGH'],
    ['sort=change7&order=asc', 'EGCHADBF'],
    ['sort=change7&order=desc', 'ADCHEGBF'],
    ['sort=symbol&order=desc', 'HGFEDCBA'],
    ['sort=change7&order=desc&limit=3&page=2', 'HEG'],
    ['sort=change7&order=desc&limit=3&page=3', 'BF'],
    ['sort=change7&order=desc&not_null', 'ADCHEG'],
    ['sort=change7&order=desc&change7=1:', 'ADCH'],
    ['sort=change7&order=desc&change7=0:1&limit=2&page=2', 'EG'],
    ['sort=symbol&order=asc&change7=0', 'EG'],
    ['symbol=b,a,zz&sort=change7', 'AB'],
    ['min_history=7&order=asc', 'GH'],
    ['[change7]>=:[change7]&sort=symbol&order=asc', 'ACDEGH'],
    ['[change7]!=:[change7]', ''],
    ['change7=5:6', ''],
    ['change7=0:0&change7=1:1', ''],
  ] as const) {
    it(`?${query} holds ${expected || 'nothing'}`, () => assert.equal(symbolsOf(query), expected));
  }

  it('knows how many rows there are and whether another page follows', () => {
    for (const [query, length, hasNext, total] of [
      ['limit=3&page=2', 3, true, 8],
      ['limit=3&page=3', 2, false, 8],
      ['limit=4&page=2', 4, false, 8],
      ['limit=4&page=3', 0, false, 8],
      ['limit=9007199254740991&page=9007199254740991', 0, false, 8],
      ['limit=2&change7=1:', 2, true, 4],
      ['limit=2&page=9&change7=1:', 0, false, 4],
      ['limit=9&[change7]=:[change7]', 6, false, 6],
    ] as const) {
      const plan = parsePlan(TA_CUR, query);
      const page = execute(plan, table, plan.limit!);
      assert.deepEqual([page.rows.length, page.hasNext, page.total], [length, hasNext, total], `?${query}`);
    }
  });

  it('takes the limit that applies, not the one that was asked for', () => {
    const plan = parsePlan(TA_CUR, 'limit=100&page=2&sort=symbol&order=asc');
    assert.deepEqual([...execute(plan, table, 3).rows], [3, 4, 5]);
  });

  it('leaves earlier pages as they were', () => {
    const [first, second] = ['[change7]>=:[change7]&sort=change7', 'change7=1:'].map(query => parsePlan(TA_CUR, query));
    const page = execute(first!, table, 10);
    const before = [...page.rows];
    execute(second!, table, 10);
    assert.deepEqual([...page.rows], before);
  });
});

describe('the search', () => {
  const assets = [
    ['bch-bitcoin-cash', 'Bitcoin Cash', 'BCH'],
    ['btc-bitcoin', 'Bitcoin', 'BTC'],
    ['fwx-ful', 'Ｆｕｌｌ Ｗｉｄｔｈ', 'FWX'],
    ['nil', '', ''],
    ['xbi-x', 'Tcoin', 'xBI'],
  ] as const;
  const assetTable = tableOf(
    ASSETS,
    assets.map(([id, name, symbol]) => ({ cells: { id, name, symbol, is_new: false, is_active: true }, history: 0 })),
  );
  for (const [q, expected] of [
    ['bitcoin', [0, 1]],
    ['BITCOIN+C', [0]],
    ['bch', [0]],
    ['full+width', [2]],
    ['n', [0, 1, 3, 4]],
    // Neither across two texts of a row nor across two rows.
    ['cash%0Abch', []],
    ['bitcoinbtc', []],
    ['btcfwx', []],
  ] as const) {
    it(`for ${q} finds rows ${expected.join(', ') || 'none'}`, () => {
      const plan = parsePlan(ASSETS, `q=${q}&sort=id`);
      assert.deepEqual([...execute(plan, assetTable, 10).rows], expected);
    });
  }
});
