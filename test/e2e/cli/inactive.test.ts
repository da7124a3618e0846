// No asset vanishes without a word: the results of a load and of `status` count those that the listing leaves out.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-inactive-'));
after(() => rmSync(folder, { recursive: true }));

function tidemark(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(join(root, 'tidemark'), args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

it('a load and status say how many assets are inactive, and why', () => {
  writeFileSync(join(folder, 'old.csv'), 'symbol,day,close\nA,2024-01-01,1\nB,2024-01-08,2\nC,2024-01-09,3\n');
  assert.match(
    tidemark('ingest', 'csv', 'old.csv'),
    /1 asset is inactive and not in the listing: 1 without a close within 7 days of 2024-01-09/,
  );
  writeFileSync(join(folder, 'new.csv'), 'symbol,day,close\nD,2025-05-05,1\n');
  const note = /3 assets are inactive and not in the listing: 3 without a close within 7 days of 2025-05-05/;
  assert.match(tidemark('ingest', 'csv', 'new.csv'), note);
  assert.match(tidemark('status'), note);
  const { active, inactive } = JSON.parse(tidemark('status', '--json'));
  assert.deepEqual({ active, inactive }, { active: 1, inactive: 3 });
  // 482 days lie between 2024-01-09 and 2025-05-05.
  assert.match(tidemark('status', '--active-days', '482'), /2 assets are inactive .* within 482 days of 2025-05-05/);
});
