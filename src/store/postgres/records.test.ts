import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FIRST_DAY } from '../../domain/day.ts';
import { usageStore } from '../records/usage.ts';
import type { Database, Sql } from './database.ts';
import { postgresRecords } from './records.ts';

it('counts nothing when the counts of other keys cannot be asked for', async () => {
  const done: string[] = [];
  const run = async (text: string) => {
    const [word = ''] = text.trim().split(' ');
    if (word === 'SELECT') throw new Error('the primary is gone');
    done.push(word);
    return { rows: [], count: 0 };
  };
  // Nothing else of a database is used to count, and nothing of a client but statements.
  const db = { change: (work: (sql: Sql) => unknown) => work({ run } as unknown as Sql) } as Database;
  const uses = [
    { keyId: 'used', accepted: 1, refused: 0 },
    { keyId: 'unused', accepted: 0, refused: 0 },
  ];
  await assert.rejects(usageStore(postgresRecords(db)).addUsage(FIRST_DAY, uses), /the primary is gone/);
  assert.deepEqual(done, []);
});
