import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { Session } from './session.ts';

/** A connection of the driver that records its statements, each of which takes a moment. */
class FakeClient extends EventEmitter {
  readonly statements: string[] = [];

  async query(statement: string): Promise<object> {
    this.statements.push(statement);
    await wait(2);
    return { rows: [], rowCount: 0, command: statement };
  }
}

function fakeSession() {
  const client = new FakeClient();
  const session = new Session(client as unknown as ClientBase); // a session uses no more of it
  return { client, session };
}

describe('a session', () => {
  for (const how of ['commit', 'rollback'] as const) {
    it(`runs no statement after a ${how}: it would be a transaction of its own`, async () => {
      const { client, session } = fakeSession();
      await session.sql.script('BEGIN');
      // As a publication writes rows while it computes the next ones, which fails.
      const writing = session.sql.script('first').then(() => session.sql.script('second'));
      writing.catch(() => {});
      await session[how]();
      await assert.rejects(writing, /a transaction that has ended/);
      session.end();
      await wait(10);
      assert.deepEqual(client.statements, ['BEGIN', 'first', how.toUpperCase()]);
    });
  }

  it('runs what it was given before a commit', async () => {
    const { client, session } = fakeSession();
    const writing = [session.sql.script('first'), session.sql.script('second')];
    await session.commit();
    await Promise.all(writing);
    assert.deepEqual(client.statements, ['first', 'second', 'COMMIT']);
  });

  it('rolls back after a commit that failed', async () => {
    const { client, session } = fakeSession();
    client.query = async statement => {
      client.statements.push(statement);
      return { rows: [], rowCount: 0, command: 'ROLLBACK' };
    };
    await assert.rejects(session.commit(), /rolled the transaction back/);
    await session.rollback();
    assert.deepEqual(client.statements, ['COMMIT', 'ROLLBACK']);
  });
});
