// Connections that break inside a transaction, while rows are copied, and between two uses: nothing is committed that was not asked
// for, nothing hangs, and the process lives.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { CopyWriter } from '../../../src/store/postgres/copy.ts';
import type { Sql } from '../../../src/store/postgres/database.ts';
import { Pool } from '../../../src/store/postgres/pool.ts';
import { freshPostgresUrl, runSql } from '../../support/postgres.ts';
import { Cable } from '../../support/postgres-cable.ts';
import { PostgresNode } from '../../support/postgres-nodes.ts';

const CONNECTION_LOST = { code: /^(ECONNRESET|EPIPE|57P01)$/ };
const TIMEOUT_MILLIS = 20_000;

describe('a connection to PostgreSQL', () => {
  let url: string;
  let cable: Cable;
  let pool: Pool;

  beforeEach(async () => {
    url = await freshPostgresUrl();
    await runSql(url, 'CREATE TABLE written (who text, number int)');
    const direct = new URL(url);
    cable = new Cable({ host: direct.hostname, port: Number(direct.port) });
    direct.port = String(await cable.open());
    // One connection: the second user waits for it, and gets it in the state that the first one left.
    pool = new Pool(direct.href, { max: 1, isOneOfSeveral: false });
  });

  afterEach(async () => {
    await pool.close();
    cable.close();
  });

  const write = (sql: Sql, who: string, number: number) => sql`INSERT INTO written VALUES (${who}, ${number})`;
  const committed = async () =>
    (await runSql<{ who: string; number: number }>(url, 'SELECT * FROM written ORDER BY who, number')).map(
      ({ who, number }) => `${who}${number}`,
    );
  const endConnections = () =>
    runSql(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tidemark'`);

  /** Fails instead of waiting for ever. */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const patience = new AbortController();
    const late = wait(TIMEOUT_MILLIS, undefined, { signal: patience.signal }).then(() => assert.fail('it hangs'));
    late.catch(() => {});
    try {
      return await Promise.race([work, late]);
    } finally {
      patience.abort();
    }
  }

  const cuts: [how: string, cut: () => unknown][] = [
    ['is reset', () => cable.reset()],
    ['is ended by the server', () => endConnections()],
  ];
  for (const [how, cut] of cuts) {
    it(`that ${how} between two statements fails its transaction, and leaves alone the one that waits`, async () => {
      let begun = () => {};
      const isBegun = new Promise<void>(resolve => {
        begun = resolve;
      });
      const first = pool.transaction('', async sql => {
        await write(sql, 'first', 1);
        await cut();
        await isBegun;
        await write(sql, 'first', 2);
      });
      // Waits until the first one has given up the connection, or has lost it.
      const second = pool.transaction('', async sql => {
        await write(sql, 'second', 1);
        await wait(100);
        await write(sql, 'second', 2);
      });
      await wait(300);
      begun();
      await inTime(assert.rejects(first, CONNECTION_LOST));
      await inTime(second);
      assert.deepEqual(await committed(), ['second1', 'second2']);
    });

    it(`that ${how} while a statement runs fails its transaction`, async () => {
      const work = pool.transaction('', async sql => {
        await write(sql, 'first', 1);
        setTimeout(cut, 100);
        await sql`SELECT pg_sleep(30)`;
      });
      await inTime(assert.rejects(work, CONNECTION_LOST));
      await inTime(pool.use(sql => write(sql, 'next', 1)));
      assert.deepEqual(await committed(), ['next1']);
    });

    it(`that ${how} while rows are copied in fails the COPY, and nothing of it is there`, async () => {
      const work = pool.transaction('', async sql => {
        // Takes a millisecond per row, so that the cut comes in the middle.
        await sql.script('CREATE TEMPORARY TABLE slow (number int CHECK (pg_sleep(0.001) IS NOT NULL))');
        setTimeout(cut, 100);
        await sql.copyInto('slow (number)', numbers(200_000));
      });
      await inTime(assert.rejects(work, CONNECTION_LOST));
      await inTime(pool.transaction('', sql => sql.copyInto('written (number)', numbers(3))));
      assert.equal((await committed()).length, 3);
    });

    it(`that ${how} while rows are copied out fails the COPY`, async () => {
      let rows = 0;
      const work = pool.transaction('', async sql => {
        setTimeout(cut, 100);
        await sql.copyOut('SELECT n FROM generate_series(1, 100000000) AS n', () => rows++);
      });
      await inTime(assert.rejects(work, CONNECTION_LOST));
      assert.ok(rows < 100_000_000);
      await inTime(pool.use(sql => write(sql, 'next', 1)));
      assert.deepEqual(await committed(), ['next1']);
    });

    it(`that ${how} while it is idle is replaced`, async () => {
      await pool.use(sql => write(sql, 'first', 1));
      await cut();
      await wait(200);
      await inTime(pool.use(sql => write(sql, 'next', 1)));
      assert.deepEqual(await committed(), ['first1', 'next1']);
    });
  }

  for (const [which, wrong] of [
    ['first', 1],
    ['last', 1_000_000],
  ] as const) {
    it(`on which a COPY failed by its ${which} row serves the next transaction`, async () => {
      const work = pool.transaction('', async sql => {
        await write(sql, 'first', 1);
        await sql.script(`CREATE TEMPORARY TABLE strict (number int CHECK (number <> ${wrong}))`);
        await sql.copyInto('strict (number)', numbers(1_000_000));
      });
      await inTime(assert.rejects(work, { code: '23514' }));
      await inTime(pool.transaction('', sql => write(sql, 'next', 1)));
      assert.deepEqual(await committed(), ['next1']);
    });
  }

  it('on which the reader of a COPY failed serves the next transaction', async () => {
    const work = pool.transaction('', sql =>
      sql.copyOut('SELECT n FROM generate_series(1, 1000000) AS n', () => {
        throw new Error('no more');
      }),
    );
    await inTime(assert.rejects(work, { message: 'no more' }));
    await inTime(pool.transaction('', sql => write(sql, 'next', 1)));
    assert.deepEqual(await committed(), ['next1']);
  });

  it('commits nothing of a transaction that went on after a failed statement', async () => {
    const work = pool.transaction('', async sql => {
      await write(sql, 'first', 1);
      await sql`SELECT 1 / 0`.catch(() => {});
    });
    await inTime(assert.rejects(work, /rolled the transaction back/));
    assert.deepEqual(await committed(), []);
  });

  it('is used by two transactions one after the other, never mixed', async () => {
    const transactions = ['a', 'b', 'c'].map(who =>
      pool.transaction('', async sql => {
        for (let number = 1; number <= 3; number++) {
          await write(sql, who, number);
          await wait(5);
        }
        if (who === 'b') throw new Error('b takes it back');
      }),
    );
    const ends = await inTime(Promise.allSettled(transactions));
    assert.deepEqual(
      ends.map(end => end.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await committed(), ['a1', 'a2', 'a3', 'c1', 'c2', 'c3']);
  });

  it('takes no statement of a transaction that has ended', async () => {
    let kept: Sql | null = null;
    await pool.transaction('', async sql => {
      kept = sql;
    });
    await assert.rejects(write(kept!, 'late', 1), /a transaction that has ended/);
    assert.deepEqual(await committed(), []);
  });
});

it('a pool outlives a restart of its server', async () => {
  const node = await PostgresNode.primary();
  const pool = new Pool(node.url, { max: 2, isOneOfSeveral: false });
  try {
    await node.query('CREATE TABLE written (number int)');
    const work = pool.transaction('', async sql => {
      await sql`INSERT INTO written VALUES (1)`;
      await node.stop();
      await node.start();
      await sql`INSERT INTO written VALUES (2)`;
    });
    await assert.rejects(work, CONNECTION_LOST);
    await pool.transaction('', sql => sql`INSERT INTO written VALUES (3)`);
    assert.deepEqual(await runSql(node.url, 'SELECT number FROM written'), [{ number: 3 }]);
  } finally {
    await pool.close();
    await node.remove();
  }
});

function numbers(count: number): CopyWriter {
  const rows = new CopyWriter();
  for (let number = 1; number <= count; number++) {
    rows.row(1);
    rows.integer(number);
  }
  return rows;
}
