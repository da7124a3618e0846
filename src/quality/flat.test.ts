import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf, closesOf, findingsOf, onlyBars, repeated, shortly } from '../../test/support/source-bars.ts';
import { flat, flatSince } from './flat.ts';
import { DEFAULT_RULE_SETTINGS } from './settings.ts';

function found(closes: readonly number[]): string[] {
  return shortly(findingsOf(flat, closesOf(...closes)));
}

describe('a flat row', () => {
  const CASES: readonly (readonly [string, readonly number[], readonly string[]])[] = [
    ['of 9 equal closes is not found', [1, ...repeated(2, 9), 1], []],
    ['of exactly 10 is found', [1, ...repeated(2, 10), 1], ['1: 10, not 9']],
    ['at the beginning is found', [...repeated(2, 11), 1], ['0: 11, not 9']],
    ['at the end is found', [1, ...repeated(2, 12)], ['1: 12, not 9']],
    ['of all closes is found', repeated(2, 300), ['0: 300, not 9']],
    ['after another is found', [...repeated(2, 10), ...repeated(3, 10)], ['0: 10, not 9', '10: 10, not 9']],
    ['interrupted in its middle is not found', [...repeated(2, 9), 3, ...repeated(2, 9)], []],
    ['of closes that are not numbers is not found', repeated(Number.NaN, 20), []],
    ['of infinite closes or zeros is not found', [...repeated(Number.POSITIVE_INFINITY, 10), ...repeated(0, 10)], []],
    ['is not found without bars', [], []],
    ['is not found in one bar', [1], []],
  ];
  for (const [name, closes, expected] of CASES) it(name, () => assert.deepEqual(found(closes), expected));

  it('goes on over periods without a bar, and counts bars only', () => {
    const bars = barsOf({ close: repeated(2, 10) }, [0, 1, 2, 3, 4, 50, 51, 52, 53, 54]);
    assert.deepEqual(shortly(findingsOf(flat, bars)), ['0: 10, not 9']);
    assert.deepEqual(findingsOf(flat, barsOf({ close: [2, 2] }, [0, 50])), []);
  });

  it('that begins before the first period to look at is not reported', () => {
    const bars = onlyBars(closesOf(...repeated(2, 10), ...repeated(3, 10)));
    for (const [from, expected] of [
      [0, ['0: 10, not 9', '10: 10, not 9']],
      [1, ['10: 10, not 9']],
      [10, ['10: 10, not 9']],
      [11, []],
      [99, []],
    ] as const) {
      assert.deepEqual(shortly(flat(bars, from, DEFAULT_RULE_SETTINGS)), expected, `from ${from}`);
    }
  });

  it('is named with its close', () => {
    assert.equal(findingsOf(flat, closesOf(...repeated(0.25, 10)))[0]!.detail, '10 closes in a row are 0.25.');
  });

  it('is followed back to its first close', () => {
    const bars = closesOf(1, 2, 2, 2, 3);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map(last => flatSince(bars, last)),
      [0, 1, 1, 1, 4],
    );
  });
});
