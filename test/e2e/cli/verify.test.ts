// `verify` of a store whose tables contradict one another, and of one whose first load was interrupted.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { recomputePending } from '../../../src/publish/publish-pending.ts';
import { openStore } from '../../../src/store/open.ts';
import { batch, draft } from '../../contract/fixtures.ts';
import { run } from '../../resilience/faults/loading.ts';
import { freshPostgresUrl, runSql } from '../../support/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-verify-'));
after(() => rmSync(folder, { recursive: true }));

/** A store with 400 days of two assets. */
async function filled(url: string, isPublished: boolean): Promise<void> {
  const store = await openStore(url);
  const [one = 0, other = 0] = await store.putAssets([draft('one'), draft('other')]);
  const days = Array.from({ length: 400 }, (_, day) => [
    { assetNumber: one, day, close: day + 1 },
    { assetNumber: other, day, close: day + 2 },
  ]);
  await store.putBars(batch(days.flat()));
  if (isPublished) await recomputePending(store);
  await store.close();
}

it('an old block of bars that PostgreSQL lost is found, and a backup fails with the same words', async () => {
  const url = await freshPostgresUrl();
  await filled(url, true);
  assert.equal((await run('verify', '--store', url)).code, 0);
  await runSql(
    url,
    `DELETE FROM tidemark.bar_blocks WHERE (asset, block) = (SELECT asset, min(block) FROM tidemark.bar_blocks
     WHERE asset = (SELECT key FROM tidemark.assets WHERE id = 'other') GROUP BY asset)`,
  );
  for (const args of [['verify'], ['backup', join(folder, 'b')]]) {
    const { code, stderr } = await run(...args, '--store', url);
    assert.equal(code, 1);
    assert.match(stderr, /is damaged \(.*\)\nrestore a backup/);
    assert.doesNotMatch(stderr, /should not happen/);
  }
  assert.match((await run('verify', '--store', url)).stderr, /\(other: \d+ bars are stored, 400 were\)/);
});

it('after a first load that was interrupted nothing is compared, which is not a success', async () => {
  const url = `sqlite:${join(folder, 'interrupted.db')}`;
  await filled(url, false);
  const { code, stdout } = await run('verify', '--store', url);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /2 assets left out: .*repeat the load.*\n0 rows, 0 values recomputed in .*: nothing was compared/,
  );
});
