import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partitionPoint } from './partition-point.ts';

describe('a binary search', () => {
  it('finds the first position for which a condition no longer holds, in any stretch', () => {
    for (let from = 0; from < 6; from++) {
      for (let to = from; to < 20; to++) {
        for (let point = from; point <= to; point++) {
          assert.equal(
            partitionPoint(from, to, position => position < point),
            point,
            `${from} … ${to}, ${point}`,
          );
        }
      }
    }
  });
});
