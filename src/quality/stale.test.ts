import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closesOf, onlyBars, shortly } from '../../test/support/source-bars.ts';
import { DEFAULT_RULE_SETTINGS } from './settings.ts';
import { stale } from './stale.ts';

/** Bars of the periods 0 to 4. */
const FIVE = closesOf(1, 2, 3, 4, 5);

describe('stale', () => {
  for (const [name, newest, expected] of [
    ['is not an asset with the newest period', 4, []],
    ['is not an asset without a bar for exactly 3 periods', 7, []],
    ['is an asset without a bar for 4 periods', 8, ['5: 4, not 3']],
    ['is not an asset that has ended', null, []],
    ['is not an asset ahead of the market', 2, []],
  ] as const) {
    it(name, () => {
      assert.deepEqual(shortly(stale(onlyBars(FIVE, newest), 0, DEFAULT_RULE_SETTINGS)), expected);
    });
  }

  it('is not an asset without any bar', () => {
    assert.deepEqual(stale(onlyBars(closesOf(), 100), 0, DEFAULT_RULE_SETTINGS), []);
  });

  it('says since when and for how long', () => {
    const [finding] = stale(onlyBars(FIVE, 10), 0, DEFAULT_RULE_SETTINGS);
    assert.equal(finding!.detail, 'There is no bar for 6 periods, while the market goes on.');
    assert.equal(finding!.source, null);
  });
});
