import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withArgument, withDay, withOperators } from './correct-values.ts';
import { getHistory } from './tools/get-history.ts';
import { screenAssets } from './tools/screen-assets.ts';

describe('the value of an unknown argument', () => {
  it('moves to the name that was meant', () => {
    assert.deepEqual(withArgument(screenAssets, { filter: 'price > 1', limit: 3 }, 'filter'), {
      limit: 3,
      where: 'price > 1',
    });
    assert.deepEqual(withArgument(screenAssets, { colums: 'price' }, 'colums'), { columns: 'price' });
    assert.deepEqual(withArgument(getHistory, { ticker: 'BTC' }, 'ticker'), { asset: 'BTC' });
  });

  it('becomes a condition if it is a ticker or a tag, beside the one that is there', () => {
    assert.deepEqual(withArgument(screenAssets, { symbols: ['BTC', ' ETH'] }, 'symbols'), {
      where: "symbol in ('BTC','ETH')",
    });
    assert.deepEqual(withArgument(screenAssets, { where: 'price > 1', tags: 'defi,meme' }, 'tags'), {
      where: "(price > 1) and (tag('defi') or tag('meme'))",
    });
  });

  it('is never dropped, nor put into a text that it would end', () => {
    assert.equal(withArgument(screenAssets, { tags: "it's" }, 'tags'), null);
    assert.equal(withArgument(screenAssets, { zzzzzz: 1 }, 'zzzzzz'), null);
  });
});

describe('a day', () => {
  for (const [given, expected] of [
    ['2026-03-10T12:00:00Z', { as_of: '2026-03-10' }],
    ['2026/03/10', { as_of: '2026-03-10' }],
    ['20260310', { as_of: '2026-03-10' }],
    // It was right, and refused because it has not come yet.
    ['2026-03-10', {}],
    ['2026-02-31', null],
    ['yesterday', null],
  ] as const) {
    it(`${given} becomes ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(withDay({ as_of: given }, 'as_of'), expected));
  }
});

describe('the operators of other languages', () => {
  for (const [given, expected] of [
    ['price > 1 && change7 == 5%', 'price > 1 and change7 = 5'],
    ['price > 1 || !(price <> 2)', 'price > 1 or not (price != 2)'],
    ['symbol == "BTC"', "symbol = 'BTC'"],
    ["symbol = 'A&&B' & price > 1", "symbol = 'A&&B' and price > 1"],
  ] as const) {
    it(given, () => assert.deepEqual(withOperators({ limit: 1 }, given), { limit: 1, where: expected }));
  }

  it('change nothing in an expression of this one', () => {
    assert.equal(withOperators({}, "price != 1 and symbol = 'A == B'"), null);
  });
});
