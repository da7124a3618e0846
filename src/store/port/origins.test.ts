import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMade, loadOf, madeBy } from './origins.ts';

test('the origin of a bar has its load, whether it was made of finer ones and whether it replaced another one', () => {
  for (const load of [0, 1, 7, 123_456, 2 ** 30 - 1]) {
    for (const [origin, made] of [
      [load, false],
      [-load, false],
      [madeBy(load), true],
      [-madeBy(load), true],
    ] as const) {
      assert.equal(loadOf(origin), load);
      assert.equal(isMade(origin), made);
    }
  }
});
