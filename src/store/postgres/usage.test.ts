import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FIRST_DAY } from '../../domain/day.ts';
import type { Database, Sql } from './database.ts';
import { usageStore } from './usage.ts';

it('counts nothing when the counts of other keys cannot be asked for', async () => {
  const done: string[] = [];
  const sql = async (text: readonly string[]) => {
    const [word = ''] = text.join('').trim().split(' ');
    if (word === 'SELECT') throw new Error('the primary is gone');
    done.push(word);
    return [];
  };
  // Nothing else of a database is used to count, and nothing of a client but statements.
  const db = { change: (work: (sql: Sql) => unknown) => work(sql as unknown as Sql) } as Database;
  const uses = [
    { keyId: 'used', accepted: 1, refused: 0 },
    { keyId: 'unused', accepted: 0, refused: 0 },
  ];
  await assert.rejects(usageStore(db).addUsage(FIRST_DAY, uses), /the primary is gone/);
  assert.deepEqual(done, []);
});
