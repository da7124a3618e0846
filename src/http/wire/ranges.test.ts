import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestedRange } from './ranges.ts';

describe('the range of 10 bytes', () => {
  for (const [header, expected] of [
    [undefined, null],
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=2-5', { from: 2, to: 5 }],
    ['Bytes= 2-5 ', { from: 2, to: 5 }],
    ['bytes=9-9', { from: 9, to: 9 }],
    ['bytes=3-', { from: 3, to: 9 }],
    ['bytes=3-99', { from: 3, to: 9 }],
    ['bytes=-4', { from: 6, to: 9 }],
    ['bytes=-10', { from: 0, to: 9 }],
    ['bytes=-99', { from: 0, to: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=5-4', null],
    ['bytes=5-5', { from: 5, to: 5 }],
    ['bytes=-', null],
    ['bytes=0-1,4-5', null],
    ['rows=0-5', null],
  ] as const) {
    it(`of ${header} is ${typeof expected === 'string' ? expected : JSON.stringify(expected)}`, () => {
      assert.deepEqual(requestedRange(header, 10), expected);
    });
  }
});
