// The short form of `npm run soak:live`: too short to judge memory, long enough to find a process that ends or leaves files open.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { liveSoak } from './live-soak.ts';

it('a process that follows live prices outlives days, broken connections, nonsense, and markets that come and go', async () => {
  const options = { seconds: 20, markets: 20, tickMs: 20, everyMs: 50, dayMs: 3000, sampleMs: 500 };
  const { exitCode, days, connections, openFiles, notes } = await liveSoak(options);
  assert.equal(exitCode, 0, notes);
  assert.ok(days >= 2, `${days} days were closed; ${notes}`);
  assert.ok(connections >= 2, `${connections} connections`);
  const early = openFiles.slice(Math.floor(openFiles.length / 2), -1).map(({ value }) => value);
  assert.ok(openFiles.at(-1)!.value <= Math.max(...early) + 2, JSON.stringify(openFiles));
});
