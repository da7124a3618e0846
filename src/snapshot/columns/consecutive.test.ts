import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { consecutive, rowNumbers } from './consecutive.ts';

describe('consecutive numbers', () => {
  it('begin where they are told to, also behind all that were asked for before', () => {
    for (const [from, count] of [
      [0, 0],
      [0, 3],
      [7, 2],
      [20_000, 1500],
      [5, 0],
    ] as const) {
      assert.deepEqual(
        [...consecutive(from, count)],
        Array.from({ length: count }, (_, i) => from + i),
      );
    }
  });

  it('are row numbers from 0 on, those that were given before included', () => {
    const few = rowNumbers(2);
    assert.deepEqual([...rowNumbers(40_000)].at(-1), 39_999);
    assert.deepEqual([...few], [0, 1]);
    assert.deepEqual([...rowNumbers(0)], []);
  });

  it('share their memory', () => {
    assert.equal(consecutive(3, 9).buffer, rowNumbers(5).buffer);
  });
});
