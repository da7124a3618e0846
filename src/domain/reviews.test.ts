import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACTIONS, FINDINGS } from './reviews.ts';

describe('the columns of reviews', () => {
  // A finding may be about the served bars, which have no source; a redenomination has no earlier asset.
  for (const [dataset, nullable] of [
    [FINDINGS, ['source']],
    [ACTIONS, ['from_id']],
  ] as const) {
    it(`of ${dataset.name} that may be null are ${nullable}`, () => {
      assert.deepEqual(
        dataset.columns.filter(column => column.nullable).map(({ name }) => name),
        nullable,
      );
    });
  }
});
