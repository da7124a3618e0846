import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BarNumbers, dropImpossible } from './impossible.ts';

const NONE = Number.NaN;
const GOOD: BarNumbers = { open: 10, high: 12, low: 9, close: 11, volume: 5 };

const CASES: readonly (readonly [string, Partial<BarNumbers>, Partial<BarNumbers>, RegExp | null])[] = [
  ['a good bar', {}, {}, null],
  ['unknown numbers', { open: NONE, high: NONE, volume: NONE }, {}, null],
  ['equal prices', { open: 11, high: 11, low: 11 }, {}, null],
  ['a negative volume', { volume: -5 }, { volume: NONE }, /^volume -5 is negative/],
  ['an endless volume', { volume: Number.POSITIVE_INFINITY }, { volume: NONE }, /^volume Infinity/],
  ['a high below the close', { high: 10.5 }, { high: NONE }, /^high 10\.5 is below the close 11$/],
  ['a high below the open', { open: 12.5 }, { high: NONE }, /^high 12 is below the open 12\.5$/],
  ['a low above the close', { low: 11.5, high: 12, open: 11.5 }, { low: NONE }, /^low 11\.5 is above the close 11$/],
  ['a low above the open', { low: 10.5 }, { low: NONE }, /^low 10\.5 is above the open 10$/],
  ['high and low in each other’s place', { high: 9, low: 12 }, { high: NONE, low: NONE }, /^high 9 .*, low 12 /],
  ['an open of 0', { open: 0 }, { open: NONE }, /^open 0 is not a price$/],
  ['several', { open: -1, volume: -1 }, { open: NONE, volume: NONE }, /^open -1 .*, volume -1 /],
];

for (const [what, given, dropped, why] of CASES) {
  test(`${what}: ${why === null ? 'nothing is left out' : Object.keys(dropped).join(' and ')}`, () => {
    const bar = { ...GOOD, ...given };
    const said = dropImpossible(bar);
    assert.deepEqual(bar, { ...GOOD, ...given, ...dropped });
    if (why === null) assert.equal(said, null);
    else assert.match(said?.text ?? '', why);
  });
}
