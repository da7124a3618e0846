import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf, closesOf, findingsOf, repeated, shortly } from '../../test/support/source-bars.ts';
import { DEFAULT_RULE_SETTINGS } from './settings.ts';
import { spike } from './spike.ts';

function found(...closes: readonly number[]): string[] {
  return shortly(findingsOf(spike, closesOf(...closes)));
}

describe('a spike', () => {
  const CASES: readonly (readonly [string, readonly number[], readonly string[]])[] = [
    ['up is found', [100, 100, 400, 100, 100], ['2: 400, not 100']],
    ['down is found', [100, 100, 25, 100, 100], ['2: 25, not 100']],
    ['in the shortest series is found', [1, 4, 1], ['1: 4, not 1']],
    ['is expected between its neighbours', [1, 1, 100, 4, 4], ['2: 100, not 2']],
    ['of the factor 1.5 exactly is not found', [2, 3, 2], []],
    ['down of the factor 1.5 exactly is not found', [3, 2, 3], []],
    ['just above the factor is found', [2, 3.0001, 2], ['1: 3.0001, not 2']],
    ['that comes back by too little is not found', [2, 30, 25], []],
    ['that goes on in the same direction is not found', [1, 10, 100], []],
    ['of two closes is not one close that comes back', [1, 1, 50, 50, 1, 1], []],
    ['of the first close cannot be told', [50, 1, 1, 1], []],
    ['of the last close cannot be told yet', [1, 1, 1, 50], []],
    ['beside the first close is found', [1, 50, 1, 1, 1], ['1: 50, not 1']],
    ['beside the last close is found', [1, 1, 1, 50, 1], ['3: 50, not 1']],
    ['after another spike is found', [1, 1, 9, 1, 1, 9, 1], ['2: 9, not 1', '5: 9, not 1']],
    [
      'is by definition also the close between two',
      [1, 1, 9, 1, 9, 1, 1],
      ['2: 9, not 1', '3: 1, not 9', '4: 9, not 1'],
    ],
    ['is not found in one bar, or two', [5, 50], []],
    ['is not found beside a close that is not a number', [1, 50, Number.NaN, 1, 1], []],
    ['to infinity or zero is not a finding', [1, Number.POSITIVE_INFINITY, 1, 0, 1, -5, 1], []],
  ];
  for (const [name, closes, expected] of CASES) it(name, () => assert.deepEqual(found(...closes), expected));

  /** Closes whose absolute log returns are all ln 1.2, apart from a close that is `factor` times too high. */
  function restless(factor: number): number[] {
    return Array.from({ length: 61 }, (_, i) => (i % 2 === 0 ? 1 : 1.2) * (i === 30 ? factor : 1));
  }

  it('exceeds 8 times the median absolute log return around it', () => {
    // Both returns are ln(factor / 1.2), which must exceed 8 · ln 1.2.
    assert.deepEqual(found(...restless(1.2 ** 9 * 0.999)), []);
    assert.equal(found(...restless(1.2 ** 9 * 1.001)).length, 1);
  });

  it('is compared with the 30 closes on each side only', () => {
    const restlessFar = [...restless(1), ...repeated(1, 30), 2, ...repeated(1, 30), ...restless(1)];
    assert.deepEqual(found(...restlessFar), ['91: 2, not 1']);
    // With 29 quiet closes on each side and the restless ones after them, still most returns are 0.
    const restlessNear = [...restless(1), ...repeated(1, 14), 2, ...repeated(1, 14), ...restless(1)];
    assert.deepEqual(found(...restlessNear), []);
  });

  it('of an even number of returns is compared with the mean of the two in the middle', () => {
    // Without the 3: the closes 1, 1, 1, 1.2, 1.2 · 1.3 with the returns 0, 0, ln 1.2, ln 1.3; the median is ln 1.2 / 2.
    const closes = (at: number) => [1, 1, at, 1, 1.2, 1.2 * 1.3];
    assert.deepEqual(found(...closes(1.2 ** 4 * 0.999)), []);
    assert.equal(found(...closes(1.2 ** 4 * 1.001)).length, 1);
  });

  it('passes over periods without a bar, and over closes that are not numbers around it', () => {
    const bars = barsOf({ close: [Number.NaN, 1, 9, 1, Number.NaN] }, [3, 5, 9, 20, 21]);
    assert.deepEqual(shortly(findingsOf(spike, bars)), ['9: 9, not 1']);
  });

  it('says by how much the close left and came back', () => {
    const detail = (...closes: number[]) => findingsOf(spike, closesOf(...closes))[0]!.detail;
    assert.equal(detail(1, 1000.4, 1), 'The close rose by a factor of 1,000.4 and fell back by a factor of 1,000.4.');
    assert.equal(detail(8, 8, 8, 2, 6, 6, 6), 'The close fell by a factor of 4 and rose again by a factor of 3.');
  });

  it('is found in each source but not among corrections', () => {
    const sources = ['a', 'b', 'correction'].map(name => barsOf({ close: [1, 9, 1] }, undefined, name));
    const bars = { served: sources[0]!, sources, newest: null };
    assert.deepEqual(
      spike(bars, 0, DEFAULT_RULE_SETTINGS).map(({ source }) => source),
      ['a', 'b'],
    );
  });
});
