// The short form of `npm run soak`: too short to judge memory, long enough to find a wrong answer or a file left open.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soak } from './soak.ts';

describe('a server that lives through days in seconds', () => {
  it('answers everything rightly, follows each load, and leaves no file open', async () => {
    const result = await soak({ assets: 120, historyDays: 380, seconds: 6, loadMs: 1000, sampleMs: 500 });
    assert.deepEqual(result.violations, []);
    assert.deepEqual(result.failures, []);
    assert.equal(result.exitCode, 0);
    assert.ok(result.loads >= 2, 'there was a load during the requests');
    assert.ok(result.samples.length >= 2, 'it was measured');
    assert.ok([...result.asked.values()].filter(count => count > 0).length > 5, 'many kinds of questions were asked');
    const { before, after } = result.openFiles;
    assert.ok(after <= before, `${before} open files before, ${after} after`);
  });
});
