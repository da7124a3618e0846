// Taking back what was loaded by mistake, through the real program and beside a running server, in both stores.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isoFromDay } from '../../../src/domain/day.ts';
import { openStore } from '../../../src/store/open.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { ask } from '../../support/service.ts';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-corrections-'));
after(() => rmSync(folder, { recursive: true }));

const today = Math.floor(Date.now() / 86_400_000);
const iso = (daysAgo: number) => isoFromDay((today - daysAgo) as never);

async function tidemark(...args: readonly string[]) {
  // Not spawnSync: the database server of the test may run in this process.
  const child = spawn(process.execPath, [launcher, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', text => (said.stderr += text));
  const [status] = await once(child, 'close');
  return { status, ...said };
}

/** Closes of the last days, the newest first. */
function closes(name: string, symbol: string, prices: readonly number[]): string {
  const file = join(folder, name);
  const lines = prices.map((price, i) => `${symbol},${iso(i)},${price}`);
  writeFileSync(file, `symbol,day,close\n${lines.join('\n')}\n`);
  return file;
}

const STORES: Readonly<Record<string, (file: string) => Promise<string>>> = {
  SQLite: async file => `sqlite:${join(folder, file)}`,
  PostgreSQL: () => freshPostgresUrl(),
};

for (const [name, make] of Object.entries(STORES)) {
  describe(`corrections of a ${name} store`, () => {
    it('are said before, done with --yes, shown by a running server, recorded, and leave a store that verifies', async () => {
      const url = await make('store.db');
      const own = ['--store', url];
      const run = async (...args: readonly string[]) => {
        const done = await tidemark(...args, ...own);
        assert.equal(done.status, 0, done.stderr);
        return done;
      };
      await run('ingest', 'csv', closes('btc.csv', 'BTC', [5, 4, 3, 2, 1]));
      await run('ingest', 'csv', closes('eth.csv', 'ETH', [50, 40]));
      const server = await ServerProcess.start('--open', '--workers', '1', ...own);
      const listing = async () => {
        const { status, json } = await ask(server.url, '/v1/crypto/ta-cur?sort=symbol&order=asc&incl_cols=rsi7');
        if (status !== 200) return {};
        const { result } = json<{ result: { symbol: string; price: number }[] }>();
        return Object.fromEntries(result.map(({ symbol, price }) => [symbol, price]));
      };
      const shows = async (expected: object) => {
        const ends = performance.now() + 10_000;
        let found = await listing();
        while (JSON.stringify(found) !== JSON.stringify(expected) && performance.now() < ends) {
          await wait(50);
          found = await listing();
        }
        assert.deepEqual(found, expected);
      };
      // The first request with an optional column has it computed.
      for (let tries = 0; tries < 100 && Object.keys(await listing()).length === 0; tries++) await wait(100);
      await shows({ BTC: 5, ETH: 50 });

      // A wrong file: newer closes of BTC, and an asset that should not be.
      await run('ingest', 'csv', closes('wrong.csv', 'BTC', [999, 4, 3]));
      await shows({ BTC: 999, ETH: 50 });
      const asked = await tidemark('loads', 'undo', '3', ...own);
      assert.equal(asked.status, 2);
      assert.match(
        asked.stderr,
        /Undoing load 3 \(csv .*removes 1 bar \(1d\) of 1 asset\.\n1 of them replaced earlier bars.*\n.*--yes/,
      );
      await shows({ BTC: 999, ETH: 50 });
      const undone = JSON.parse((await run('loads', 'undo', '3', '--yes', '--json')).stdout);
      assert.deepEqual([undone.load, undone.removed], [4, 1]);
      await shows({ BTC: 4, ETH: 50 });
      await run('ingest', 'csv', join(folder, 'btc.csv'));
      await shows({ BTC: 5, ETH: 50 });

      // Prices under a second name become those of the first.
      await run('ingest', 'csv', closes('xbt.csv', 'XBT', [6, 5, 4, 3, 2, 1.5, 1.25]));
      const merged = JSON.parse((await run('assets', 'merge', 'XBT', 'btc-btc', '--yes', '--json')).stdout);
      assert.deepEqual([merged.moved, merged.removed], [2, 7]);
      const mergedBack = await tidemark('loads', 'undo', String(merged.load), '--yes', ...own);
      assert.deepEqual(
        [mergedBack.status, mergedBack.stderr.split('\n')[0]],
        [1, `tidemark: load ${merged.load} is the merge of xbt-xbt into btc-btc, which cannot be undone`],
      );
      await shows({ BTC: 5, ETH: 50 });
      const history = await ask(server.url, '/v1/crypto/bars?symbol=BTC');
      assert.equal(history.json<{ result: unknown[] }>().result.length, 7);

      assert.match(
        (await run('assets', 'remove', 'eth-eth', '--yes')).stderr,
        /This removes eth-eth \(ETH\) with 2 bars \(1d\) from/,
      );
      await shows({ BTC: 5 });
      assert.equal((await ask(server.url, '/v1/crypto/assets')).json<{ result: unknown[] }>().result.length, 1);
      assert.deepEqual(
        JSON.parse((await run('assets', 'list', '--json')).stdout).map(({ id, bars }: { id: string; bars: number }) => [
          id,
          bars,
        ]),
        [['btc-btc', 7]],
      );
      assert.equal(JSON.parse((await run('status', '--json')).stdout).assets, 1);
      await run('verify');

      // A removed asset can come again, under its old id.
      await run('ingest', 'csv', join(folder, 'eth.csv'));
      await shows({ BTC: 5, ETH: 50 });
      assert.match((await run('assets', 'list')).stdout, /^eth-eth +ETH/m);
      const log = JSON.parse((await run('loads', 'list', '--json')).stdout) as { source: string; state: string }[];
      const sources = log.map(({ source, state }) => `${source.replace(/ \S*\.csv\)?$/, '')} ${state}`);
      assert.deepEqual(sources.reverse(), [
        'csv done',
        'csv done',
        'csv undone',
        'undo of load 3 (csv done',
        'csv done',
        'csv done',
        'merge of xbt-xbt into btc-btc done',
        'removal of eth-eth done',
        'csv done',
      ]);
      assert.equal(await server.stop(), 0);
      assert.doesNotMatch(server.stderr, /failed|unreachable/);
    });

    it('take back a load that was killed', async () => {
      const own = ['--store', await make('killed.db')];
      await tidemark('ingest', 'csv', closes('killed.csv', 'BTC', [1, 2]), ...own);
      const store = await openStore(own[1]!);
      const [load] = await store.loads(1);
      await store.updateLoad(load!.id, { ...load!, state: 'running' });
      await store.close();
      assert.match((await tidemark('status', ...own)).stdout, /load 1 failed: its process ended/);
      assert.match((await tidemark('loads', 'list', ...own)).stdout, / failed /);
      const undone = await tidemark('loads', 'undo', '1', '--yes', ...own);
      assert.match(undone.stdout, /2 bars removed/, undone.stderr);
      assert.match((await tidemark('loads', 'undo', '1', '--yes', ...own)).stdout, /no close .*load the right ones/);
    });

    it('say which bars of all intervals and which profile would be lost', async () => {
      const url = await make('profile.db');
      const run = (...args: readonly string[]) => tidemark(...args, '--store', url);
      const hours = join(folder, 'hours.csv');
      const times = Array.from({ length: 48 }, (_, i) => new Date(Date.parse(iso(3)) + i * 3_600_000).toISOString());
      writeFileSync(hours, `symbol,time,close\n${times.map(time => `BTC,${time},5`).join('\n')}\n`);
      await run('ingest', 'csv', hours);
      const profile = join(folder, 'bitcoin.json');
      writeFileSync(profile, JSON.stringify({ id: 'btc-bitcoin', symbol: 'BTC', name: 'Bitcoin', type: 'coin' }));
      await run('ingest', 'profiles', profile);
      await run('ingest', 'csv', closes('xbt.csv', 'XBT', [6, 5]));
      assert.match(
        (await run('assets', 'remove', 'BTC')).stderr,
        /This removes btc-bitcoin \(BTC, Bitcoin\) with 48 bars \(1h\), 2 bars \(1d\) from \S+ to \S+ and its profile\./,
      );
      const merging =
        /\nxbt-xbt has no profile\. '\.\/tidemark assets merge xbt-xbt btc-bitcoin --store \S+' keeps the profile/;
      assert.match((await run('assets', 'merge', 'BTC', 'XBT')).stderr, merging);
      assert.doesNotMatch((await run('assets', 'merge', 'XBT', 'BTC')).stderr, /has no profile/);
    });

    it('refuse what is not there', async () => {
      const own = ['--store', `sqlite:${join(folder, 'small.db')}`];
      await tidemark('ingest', 'csv', closes('small.csv', 'BTC', [1]), ...own);
      for (const [args, status, message] of [
        [['loads', 'undo', '7', '--yes'], 1, /the store has no load 7\n.*loads list/],
        [['loads', 'undo', 'x'], 2, /expected a whole number/],
        [['assets', 'remove', 'doge', '--yes'], 1, /unknown asset doge/],
        [['assets', 'merge', 'BTC', 'btc-btc', '--yes'], 1, /both names are of btc-btc/],
        [['assets', 'merge', 'BTC'], 2, /got 1 arguments/],
      ] as const) {
        const found = await tidemark(...args, ...own);
        assert.equal(found.status, status);
        assert.match(found.stderr, message);
      }
    });
  });
}
