import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedDoubles } from '../columns/shared-memory.ts';
import { BLOCK_ROWS, blockDigests, putBlockDigest } from './block-digests.ts';

describe('the hash of a block', () => {
  const rows = Array.from({ length: 2.5 * BLOCK_ROWS }, (_, i) => i);
  const shared = (numbers: readonly number[]) => {
    const values = sharedDoubles(numbers.length);
    values.set(numbers);
    return values;
  };
  const values = shared(rows);

  it('depends on the rows of the block alone, so that a change needs no other hash', () => {
    for (const row of [0, BLOCK_ROWS - 1, BLOCK_ROWS, 2 * BLOCK_ROWS - 1, 2 * BLOCK_ROWS, values.length - 1]) {
      const changed = shared(rows.with(row, -1));
      const digests = blockDigests(values);
      assert.notDeepEqual(digests, blockDigests(changed));
      putBlockDigest(digests, changed, Math.floor(row / BLOCK_ROWS));
      assert.deepEqual(digests, blockDigests(changed), `row ${row}`);
    }
  });
});
