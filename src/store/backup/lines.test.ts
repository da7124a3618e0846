import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Day, FIRST_DAY } from '../../domain/day.ts';
import { openStore } from '../open.ts';
import { backupLines } from './lines.ts';

// Uses are read a year of 366 days at a time.
for (const last of [0, 365, 366, 367]) {
  it(`a backup has the uses of every day if the last one is day ${last} of all`, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-lines-'));
    const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
    t.after(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });
    const days = [...new Set([0, last])].map(each => (FIRST_DAY + each) as Day); // days after a day are days
    await store.createKey({ id: 'key_a', hash: new Uint8Array(32), tier: 'pro', name: 'a', expires: null });
    for (const day of days) await store.addUsage(day, [{ keyId: 'key_a', accepted: 1, refused: 0 }]);
    const records = await store.readConsistently(view =>
      Array.fromAsync(
        backupLines(view, true, () => {}),
        text => JSON.parse(text),
      ),
    );
    const found = records.filter(record => record.kind === 'usage').map(record => record.day);
    assert.deepEqual(found, days);
  });
}
