import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReviewName, SharedReviews } from '../history/review-table.ts';
import { ReviewTables } from './review-tables.ts';

function tablesOf(versions: readonly (number | Error)[]) {
  const read: ReviewName[] = [];
  const thread = {
    run: async (name: ReviewName) => {
      const version = versions[read.push(name) - 1]!;
      if (version instanceof Error) throw version;
      return { version } as SharedReviews; // only the version is looked at
    },
    stop: async () => {},
  };
  return { tables: new ReviewTables(thread), read };
}

describe('findings and actions of all serving threads', () => {
  const request = { name: 'findings', fingerprint: 'a', version: 1 } as const;

  it('are read once per publication, also by requests at the same time', async () => {
    const { tables, read } = tablesOf([1, 1, 2]);
    const found = await Promise.all([tables.get(request), tables.get(request)]);
    assert.equal(await tables.get(request), found[0]);
    assert.equal(found[1], found[0]);
    await tables.get({ ...request, name: 'actions' });
    assert.deepEqual(read, ['findings', 'actions']);
    assert.deepEqual(await tables.get({ ...request, fingerprint: 'b', version: 2 }), { version: 2 });
    assert.equal(read.length, 3);
  });

  it('are read again until the snapshot has caught up with the store', async () => {
    const { tables, read } = tablesOf([2, new Error('the store is away')]);
    assert.deepEqual(await tables.get(request), { version: 2 });
    assert.equal(await tables.get(request), 'unavailable');
    assert.deepEqual(await tables.get({ ...request, version: 2 }), { version: 2 });
    assert.equal(read.length, 2);
  });
});
