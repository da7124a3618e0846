// The store of a running server is taken away and a backup is restored in its place, as an operator does. The server goes on with what
// it has, and then shows what was restored, whole and alone; keys that are not in it are good no more.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freshPostgresUrl, runSql } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { assertWhole, run, withStore } from './loading.ts';
import { WatchedServer } from './watched-server.ts';

const TIMEOUT_MS = 20_000;

describe('the store of a running server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-replaced-'));
  after(() => rmSync(folder, { recursive: true }));
  const csv = (name: string, ...lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, ['symbol,day,close', ...lines, ''].join('\n'));
    return path;
  };
  const first = csv('first.csv', 'AAA,2024-01-01,1', 'AAA,2024-01-02,2', 'BBB,2024-01-02,5');
  const second = csv('second.csv', 'AAA,2024-01-03,3', 'CCC,2024-01-03,9');
  const third = csv('third.csv', 'BBB,2024-01-04,6');
  const FIRST = ['AAA 2024-01-02 2', 'BBB 2024-01-02 5'];
  const BOTH = ['AAA 2024-01-03 3', 'BBB 2024-01-02 5', 'CCC 2024-01-03 9'];
  const OTHER = ['AAA 2024-01-02 2', 'BBB 2024-01-04 6'];

  async function done(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  async function until(isDone: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const giveUp = performance.now() + TIMEOUT_MS;
    while (!(await isDone())) {
      assert.ok(performance.now() < giveUp, what);
      await wait(20);
    }
  }

  const STORES = {
    SQLite: {
      url: async () => `sqlite:${join(folder, 'store.db')}`,
      takeAway: async () => {
        mkdirSync(join(folder, 'away'));
        for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) {
          if (existsSync(join(folder, name))) renameSync(join(folder, name), join(folder, 'away', name));
        }
      },
    },
    PostgreSQL: {
      url: freshPostgresUrl,
      takeAway: async (url: string) => {
        await runSql(url, 'DROP SCHEMA tidemark CASCADE');
      },
    },
  } as const;

  for (const [name, { url, takeAway }] of Object.entries(STORES)) {
    it(`is taken away and restored from a backup (${name})`, t =>
      trial(t, { fault: `${name} store taken away, an older backup restored`, rounds: 1 }, async () => {
        const store = ['--store', await url()];
        const backup = join(folder, `${name}.backup`);
        await done('ingest', 'csv', first, ...store);
        const server = await WatchedServer.start(t, store[1]!);
        await server.shows(FIRST);
        await done('backup', backup, ...store);
        await done('ingest', 'csv', second, ...store);
        const { key } = JSON.parse(await done('keys', 'create', '--tier', 'unlimited', '--json', ...store));
        const status = async () => {
          const answer = await fetch(`${server.url}/v1/crypto/ta-cur`, { headers: { 'X-API-Key': key } });
          await answer.arrayBuffer();
          return answer.status;
        };
        // Of all threads: each has the store open from then on.
        const histories = () =>
          Promise.all(
            Array.from({ length: 10 }, async () => {
              const history = await server.get('/v1/crypto/ta-hist?symbol=AAA');
              assert.equal(history.status, 200);
              const { result } = (await history.json()) as { result: { price: number }[] };
              return result.map(row => row.price);
            }),
          );
        await server.shows(BOTH);
        await histories();
        await until(async () => (await status()) === 200, 'the new key is good');

        await takeAway(store[1]!);
        await until(() => /is unreachable for data/.test(server.stderr), 'it is told');
        await server.answers(20);
        assert.deepEqual(await server.listing(), BOTH);
        await done('restore', backup, ...store);
        await server.shows(FIRST);
        await until(async () => (await status()) !== 200, 'a key that was not restored is not good');
        for (const prices of await histories()) assert.deepEqual(prices, [2, 1]);
        await done('ingest', 'csv', third, ...store);
        await server.shows(OTHER);
        await server.stop(FIRST, BOTH, OTHER);
        await withStore(store[1]!, each => assertWhole(each));
        return `${server.asked} answers`;
      }));
  }

  it('is not made anew when it is missing at the start and a server has kept what it held', async t => {
    const path = join(folder, 'kept.db');
    const store = `sqlite:${path}`;
    await done('ingest', 'csv', first, '--store', store);
    const keep = ['--keep', `${path}.snapshot`];
    const before = await WatchedServer.start(t, store, ...keep);
    await before.shows(FIRST);
    await until(() => existsSync(`${path}.snapshot`), 'the snapshot is kept');
    await before.stop(FIRST);
    mkdirSync(join(folder, 'unmounted'));
    renameSync(path, join(folder, 'unmounted', 'kept.db'));
    const server = await WatchedServer.startWith(t, before.key, store, ...keep);
    await server.shows(FIRST);
    assert.ok(!existsSync(path), 'no empty store hides that it is missing');
    assert.match(server.stderr, /serving the snapshot kept/);
    renameSync(join(folder, 'unmounted', 'kept.db'), path);
    await done('ingest', 'csv', second, '--store', store);
    await server.shows(BOTH);
    await server.stop(FIRST, BOTH);
  });
});
