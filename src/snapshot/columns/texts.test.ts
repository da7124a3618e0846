import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NASTY_TICKERS } from '../../../test/support/market.ts';
import { allTexts, gatherTexts, joinTexts, packTexts, repeatText } from './texts.ts';

describe('a column of texts', () => {
  for (const [what, texts] of [
    ['none', []],
    ['ASCII', ['BTC', '', 'btc-bitcoin']],
    ['nulls between them', [null, 'coin', null, null, '']],
    ['all scripts', [...NASTY_TICKERS, null]],
  ] as const satisfies [string, readonly (string | null)[]][]) {
    it(`${what}: gives back every text`, () => assert.deepEqual(allTexts(packTexts(texts)), texts));

    for (const more of [[], ['x', null], ['é', 'y']]) {
      it(`${what}: has ${more.length} more behind the last when ${JSON.stringify(more)} is joined`, () =>
        assert.deepEqual(allTexts(joinTexts([packTexts(texts), packTexts(more)])), [...texts, ...more]));
    }

    it(`${what}: can be gathered in any order, some rows twice and some not at all`, () => {
      const rows = Uint32Array.from([...texts.keys()].reverse().flatMap(row => [[], [row], [row, row]][row % 3]!));
      assert.deepEqual(
        allTexts(gatherTexts(packTexts(texts), rows)),
        Array.from(rows, row => texts[row]),
      );
    });
  }

  for (const text of [...NASTY_TICKERS, 'BTC', '']) {
    for (const rows of [0, 1, 5]) {
      it(`${JSON.stringify(text)} in ${rows} rows is what is packed as often`, () =>
        assert.deepEqual(repeatText(text, rows), packTexts(new Array<string>(rows).fill(text))));
    }
  }
});
