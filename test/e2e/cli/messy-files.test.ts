// Files as people have them, through the real program: what is left out is counted and said, and a dry run shows it before.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-messy-'));
after(() => rmSync(folder, { recursive: true }));

function ingest(args: readonly string[], input = '') {
  const env = { PATH: process.env['PATH'] ?? '' };
  return spawnSync(process.execPath, [launcher, 'ingest', 'csv', ...args], {
    ...{ cwd: folder, input, env },
    encoding: 'utf8',
  });
}

function write(name: string, lines: readonly string[]): string {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return name;
}

const hour = (i: number) => `A,${new Date(Date.UTC(2024, 4, 1, i)).toISOString()},${100 + i}`;
const HOURS = Array.from({ length: 72 }, (_, i) => hour(i));

describe('a dry run', () => {
  const own = ['--store', 'sqlite:dry.db'];
  const file = write('dry.csv', ['ticker,date,close', 'BTC,2024-05-01,1', 'BTC,2024-05-02,2', 'ETH,2024-05-01,3']);

  it('shows columns, spacing and first bars, and creates no store', () => {
    const { status, stdout } = ingest([file, '--dry-run', ...own]);
    assert.equal(status, 0);
    assert.match(stdout, /symbol: column 1 "ticker"\n +day: column 2 "date"\n +close: column 3 "close"/);
    assert.match(stdout, /BTC +2024-05-01 +– +– +– +1 +–/);
    assert.match(stdout, /would read 3 records of 2 assets\. New assets: 2 \(BTC, ETH\)\.\n.*add 3 bars, replace 0/);
    assert.match(stdout, /Nothing was stored\.\n$/);
    assert.equal(existsSync(join(folder, 'dry.db')), false);
  });

  it('counts what the load then does', () => {
    assert.equal(ingest([file, ...own]).status, 0);
    write('dry.csv', ['ticker,date,close', 'BTC,2024-05-01,1', 'BTC,2024-05-02,5', 'SOL,2024-05-01,3', 'SOL,x,1']);
    const counts = (text: string) => {
      const { inserted, replaced, unchanged, rejected } = JSON.parse(text);
      return { inserted, replaced, unchanged, rejected };
    };
    const dry = ingest([file, '--dry-run', '--json', ...own]);
    assert.deepEqual(counts(dry.stdout), { inserted: 1, replaced: 1, unchanged: 1, rejected: 1 });
    assert.deepEqual(JSON.parse(dry.stdout).newAssets, ['SOL']);
    assert.deepEqual(counts(ingest([file, '--json', ...own]).stdout), counts(dry.stdout));
  });
});

describe('a load of', () => {
  let stores = 0;
  const store = () => ['--store', `sqlite:${stores++}.db`];

  it('repeated days reports them, and --strict fails', () => {
    const file = write('twice.csv', [
      'symbol,day,close',
      'A,2024-05-01,100',
      'A,2024-05-02,101',
      'A,2024-05-01,150',
      'A,2024-05-02,101',
    ]);
    const { status, stderr, stdout } = ingest([file, ...store()]);
    assert.equal(status, 0);
    assert.match(
      stderr,
      /twice\.csv:4 {2}repeated_differs: line 2 of 2024-05-01 with the close 100; this row with 150 takes its place/,
    );
    assert.match(stdout, /1 × repeated_differs: .* with another close[\s\S]*1 × repeated:/);
    assert.equal(ingest([file, '--strict', ...store()]).status, 1);
  });

  it('shuffled hours stores them, and no wrong day if days are made of them, and fails if nothing is left', () => {
    const file = write('shuffled.csv', ['symbol,time,close', ...HOURS.map((_, i) => HOURS[(i * 29) % HOURS.length]!)]);
    assert.equal(JSON.parse(ingest([file, '--json', ...store()]).stdout).inserted, HOURS.length);
    const { status, stdout, stderr } = ingest([file, '--json', '--interval', '1d', ...store()]);
    assert.equal(status, 1);
    const { inserted, rejectsByReason } = JSON.parse(stdout);
    assert.equal(inserted, 0);
    assert.ok(rejectsByReason.incomplete_day > 0 && rejectsByReason.out_of_order > 0);
    assert.match(stderr, /nothing was loaded/);
    const sorted = write('sorted.csv', ['symbol,time,close', ...HOURS]);
    assert.equal(ingest([sorted, '--interval', '1d', ...store()]).status, 0);
  });

  it('volumes in dollars warns of the turnover', () => {
    const file = write('volume.csv', ['symbol,day,close,volume', 'BTC,2024-05-01,60000,30000000000']);
    assert.match(
      ingest([file, ...store()]).stderr,
      /warning one bar has a turnover .*1,800 trillion.*--volume-in quote/,
    );
    assert.doesNotMatch(ingest([file, '--volume-in', 'quote', ...store()]).stderr, /turnover/);
  });

  for (const [what, args, message] of [
    ['two files with --symbol', ['twice.csv', 'volume.csv', '--symbol', 'A'], /--symbol A names the asset of one file/],
    ['an unknown format', ['twice.csv', '--format', 'binnance'], /--format: .*did you mean binance/],
    ['an interval that is not stored', ['twice.csv', '--interval', '5m'], /--interval: expected 1m, 1h, 1d, got "5m"/],
    ['an unknown unit of volumes', ['twice.csv', '--volume-in', 'usd'], /--volume-in: expected base, quote/],
    ['both kinds of symbols', ['twice.csv', '--pairs', '--no-pairs'], /exclude each other/],
    ['a date format without a year', ['twice.csv', '--date-format', 'MM/DD'], /a day, a month and a year/],
  ] as const) {
    it(`${what} is wrong usage`, () => {
      const { status, stderr } = ingest([...args, ...store()]);
      assert.equal(status, 2);
      assert.match(stderr, message);
    });
  }
});
