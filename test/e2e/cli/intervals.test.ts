// Hours and minutes through the real program, on both stores: what is found, said, kept, dropped, taken back and verified.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { run } from '../../resilience/faults/loading.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { ServerProcess } from '../../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-intervals-'));
after(() => rmSync(folder, { recursive: true }));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Midnight, three days ago. */
const START = Math.floor(Date.now() / DAY) * DAY - 3 * DAY;

/** A file of one asset; each close is the number of the row, from 1. */
function file(name: string, symbol: string, count: number, step: number, from = START): string {
  const path = join(folder, name);
  const rows = Array.from({ length: count }, (_, i) => `${symbol},${new Date(from + i * step).toISOString()},${i + 1}`);
  writeFileSync(path, `symbol,time,close\n${rows.join('\n')}\n`);
  return path;
}

const STORES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, 'store.db')}`,
  PostgreSQL: freshPostgresUrl,
};

it('a running server drops minutes that are too old', async t => {
  const url = `sqlite:${join(folder, 'served.db')}`;
  const minutes = file('served.csv', 'ETH', 4000, MINUTE);
  assert.equal((await run('ingest', 'csv', minutes, '--retention-1m', '0', '--store', url)).code, 0);
  const server = await ServerProcess.start('--open', '--workers', '1', '--store', url, '--retention-1m', '1');
  t.after(() => server.stop());
  const giveUp = performance.now() + 30_000;
  while (!/dropped \d+ bars of 1m/.test(server.stderr)) {
    assert.ok(performance.now() < giveUp, server.stderr);
    await wait(20);
  }
  const [first] = JSON.parse((await run('status', '--json', '--retention-1m', '1', '--store', url)).stdout).intervals;
  assert.deepEqual([first.keptDays, first.bars < 2500, first.bars > 1440], [1, true, true]);
});

for (const [name, freshUrl] of Object.entries(STORES)) {
  describe(`a ${name} store`, () => {
    it('takes hours and minutes, says so, and gives them back', async () => {
      const url = await freshUrl();
      const tidemark = async (...args: readonly string[]) => {
        const { code, stdout, stderr } = await run(...args, '--store', url);
        assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`);
        return stdout + stderr;
      };
      const status = async () => JSON.parse((await run('status', '--json', '--store', url)).stdout).intervals;
      const bars = async () =>
        Object.fromEntries(
          (await status()).map(({ interval, bars }: { interval: string; bars: number }) => [interval, bars]),
        );

      const hours = file('hours.csv', 'BTC', 60, HOUR);
      assert.match(await tidemark('ingest', 'csv', hours), /hours\.csv: rows 1 hour apart, read as 1h\n/);
      assert.deepEqual(await bars(), { '1m': 0, '1h': 60, '1d': 3 });
      const minutes = file('minutes.csv', 'ETH', 3000, MINUTE);
      assert.match(
        await tidemark('ingest', 'csv', minutes, '--interval', '1m'),
        /rows 1 minute apart, read as 1m, as stated\n/,
      );
      assert.deepEqual(await bars(), { '1m': 3000, '1h': 110, '1d': 6 });
      const text = await tidemark('status');
      assert.match(text, /\n1m +3,000 bars, \S+T00:00Z to \S+T01:59Z; kept for 45 days, none dropped\n1h +110 bars, /);
      assert.match(
        await tidemark('verify'),
        /checked 3,000 bars \(1m\), 110 bars \(1h\), 6 bars \(1d\)\n.*no differences/,
      );

      // An interval that is not stored, and a future minute, by their lines.
      const odd = file('odd.csv', 'XRP', 100, 5 * MINUTE);
      const refused = await run('ingest', 'csv', odd, '--store', url);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        /odd\.csv:2 {2}wrong_spacing: the rows are 5 minutes apart, and the store has bars of 1m, 1h, 1d/,
      );
      const soon = file('soon.csv', 'SOL', 200, MINUTE, Math.floor(Date.now() / MINUTE) * MINUTE - 189 * MINUTE);
      assert.match(await tidemark('ingest', 'csv', soon), /soon\.csv:19\d {2}future_day: \S+Z of SOL; it is \S+Z now/);

      // Less is kept from now on: what was made of the minutes stays.
      const again = await tidemark('ingest', 'csv', minutes, '--retention-1m', '1');
      assert.match(again, /bars \(1m\) older than --retention-1m dropped/);
      const [first] = await status();
      assert.ok(first.droppedBefore !== null && first.bars < 3000);
      assert.equal((await bars())['1d'] >= 7, true);
      await tidemark('verify');

      // The days and hours that were made of a load's bars go with them.
      assert.match(await tidemark('loads', 'undo', '1', '--yes'), /removes 60 bars \(1h\) of 1 asset/);
      const listed = JSON.parse((await run('assets', 'list', '--json', '--store', url)).stdout);
      assert.equal(
        listed.some(({ symbol }: { symbol: string }) => symbol === 'BTC'),
        false,
      );
      const half = file('half.csv', 'ETHX', 100, HOUR, START - 2 * DAY);
      await tidemark('ingest', 'csv', half);
      const merged = await tidemark('assets', 'merge', 'ethx', 'eth', '--yes');
      assert.match(
        merged,
        /This gives 50 bars \(1h\), 2 bars \(1d\) of ethx-ethx to eth-eth\. On 50 hours, 3 days both have a bar/,
      );
      await tidemark('assets', 'remove', 'eth', '--yes');
      await tidemark('assets', 'remove', 'sol', '--yes');
      assert.deepEqual(await bars(), { '1m': 0, '1h': 0, '1d': 0 });
      await run('verify', '--store', url);
    });
  });
}
