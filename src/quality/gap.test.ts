import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf, findingsOf, repeated, shortly } from '../../test/support/source-bars.ts';
import { gap } from './gap.ts';
import { DEFAULT_RULE_SETTINGS } from './settings.ts';

function at(...periods: readonly number[]) {
  return barsOf({ close: repeated(1, periods.length) }, periods);
}

describe('a gap', () => {
  for (const [name, periods, expected] of [
    ['of no bars', [], []],
    ['of one bar', [7], []],
    ['of bars side by side', [-1, 0, 1], []],
    ['of one period', [1, 3], ['2: 1, not 0']],
    ['of many periods', [1, 1001], ['2: 999, not 0']],
    ['twice, at both ends', [1, 3, 4, 7], ['2: 1, not 0', '5: 2, not 0']],
  ] as const) {
    it(name, () => assert.deepEqual(shortly(findingsOf(gap, at(...periods))), expected));
  }

  it('says how long it is, and names no source', () => {
    const [one, two] = findingsOf(gap, at(1, 3, 1500));
    assert.equal(one!.detail, 'There is no bar for 1 period.');
    assert.equal(two!.detail, 'There is no bar for 1,496 periods.');
    assert.equal(one!.source, null);
  });

  it('belongs to its first period when only later ones are looked at', () => {
    const bars = { served: at(1, 5, 9), sources: [at(1, 5, 9)], newest: null };
    assert.deepEqual(shortly(gap(bars, 2, DEFAULT_RULE_SETTINGS)), ['2: 3, not 0', '6: 3, not 0']);
    assert.deepEqual(shortly(gap(bars, 3, DEFAULT_RULE_SETTINGS)), ['6: 3, not 0']);
  });
});
