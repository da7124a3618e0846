// `--all-columns`: the optional columns are published before any client asks for one.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isoFromDay } from '../../../src/domain/day.ts';
import { freshPostgresUrl, runSql } from '../../support/postgres.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-all-columns-'));
after(() => rmSync(folder, { recursive: true }));

const today = Math.floor(Date.now() / 86_400_000);
const file = join(folder, 'closes.csv');
const rows = Array.from({ length: 30 }, (_, i) => `BTC,${isoFromDay((today - i) as never)},${100 + (i % 7)}`);
writeFileSync(file, `symbol,day,close\n${rows.join('\n')}\n`);

const rsi = async (url: string) =>
  (await runSql<{ rsi14: number | null }>(url, 'SELECT rsi14 FROM tidemark.ta_cur'))[0]!.rsi14;

describe('the view of the listing has the optional columns', () => {
  it('after a load with --all-columns, and after each later one', async () => {
    const url = await freshPostgresUrl();
    await tidemark('ingest', 'csv', file, '--store', url);
    assert.equal(await rsi(url), null);
    const said = `SELECT obj_description('tidemark.ta_cur'::regclass) AS comment`;
    assert.match((await runSql<{ comment: string }>(url, said))[0]!.comment, /NULL until .* --all-columns$/);
    await tidemark('ingest', 'csv', file, '--all-columns', '--store', url);
    const first = await rsi(url);
    assert.ok(first !== null && first > 0 && first < 100);
    const changed = join(folder, 'changed.csv');
    writeFileSync(changed, `symbol,day,close\nBTC,${isoFromDay(today as never)},150\n`);
    await tidemark('ingest', 'csv', changed, '--store', url);
    assert.ok((await rsi(url))! > first);
  });

  it('beside a server with --all-columns, whatever the load says', async t => {
    const url = await freshPostgresUrl();
    const server = await ServerProcess.start('--all-columns', '--workers', '1', '--store', url);
    t.after(() => server.stop());
    await tidemark('ingest', 'csv', file, '--store', url);
    const ends = performance.now() + 20_000;
    const published = async () =>
      (await runSql<{ columns: string }>(url, 'SELECT columns FROM tidemark.meta'))[0]!.columns;
    while (!(await published()).includes('rsi14')) {
      assert.ok(performance.now() < ends, server.stderr);
      await wait(50);
    }
    assert.notEqual(await rsi(url), null);
  });
});
