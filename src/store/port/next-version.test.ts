import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextVersion } from './next-version.ts';

describe('the next version', () => {
  for (const [what, last, now, expected] of [
    ['is the time', 0, 1_800_000_000_000, 1_800_000_000_000],
    ['is the time also after a count of an older store', 42, 1_800_000_000_000, 1_800_000_000_000],
    ['is one more within a millisecond', 1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_001],
    ['is one more when the clock was set back', 1_800_000_000_000, 5, 1_800_000_000_001],
  ] as const) {
    it(what, () => assert.equal(nextVersion(last, now), expected));
  }
});
