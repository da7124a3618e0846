// `tidemark export --layout freqtrade`: names and columns are those that freqtrade writes itself, as recorded in freqtrade.json, and the
// numbers are those of the store. The real freqtrade reads such a folder in test/docs/freqtrade.test.ts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Table, tableFromIPC } from 'apache-arrow';
import type { Manifest } from '../../../src/export/lake/manifest.ts';
import { tidemark } from '../../support/server-process.ts';

interface Recorded {
  readonly files: readonly string[];
  readonly columns: readonly (readonly [name: string, type: string])[];
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../support/freqtrade.json'), 'utf8'),
) as Recorded; // a fixture

const BARS = `day,symbol,open,high,low,close,volume
2026-01-31,BTC,100,110,95.5,105,1000
2026-02-01,BTC,105,120,104,118.25,2000
2026-02-03,BTC,,,,0.1,
2026-02-01,OLD,2,2,2,2,2
2026-02-03,USDT,1,1,1,1,1
2026-02-03,$WIF,3,3,3,3,3
2026-02-03,A_B,4,4,4,4,4
2026-02-03,kPEPE,5,5,5,5,5
`;

const work = mkdtempSync(join(tmpdir(), 'tidemark-freqtrade-'));
const store = ['--store', `sqlite:${join(work, 'tidemark.db')}`];
before(async () => {
  writeFileSync(join(work, 'bars.csv'), BARS);
  await tidemark('ingest', 'csv', join(work, 'bars.csv'), ...store);
});
after(() => rmSync(work, { recursive: true }));

async function exported(name: string, ...options: readonly string[]): Promise<string> {
  const folder = join(work, name);
  await tidemark('export', '--format', 'feather', '--layout', 'freqtrade', '--out', folder, ...options, ...store);
  return folder;
}

const feathers = (folder: string) => readdirSync(folder).filter(name => name.endsWith('.feather'));
const read = (path: string): Table => tableFromIPC(readFileSync(path));
const rowsOf = (table: Table) =>
  table.toArray().map(row => Object.values(row.toJSON()).map(each => (each === null ? null : Number(each))));

describe('a folder in the layout of freqtrade', () => {
  it('has one file per ticker, named as freqtrade names it', async () => {
    const folder = await exported('days');
    assert.deepEqual(feathers(folder).sort(), ['BTC_USDT-1d.feather', 'OLD_USDT-1d.feather', 'kPEPE_USDT-1d.feather']);
    assert.ok(recorded.files.includes('BTC_USDT-1d.feather'));
    const manifest = JSON.parse(readFileSync(join(folder, '_tidemark/manifest.json'), 'utf8')) as Manifest;
    assert.deepEqual([manifest.complete, manifest.rows, manifest.left_out], [true, 5, 3]);
    for (const { path, sha256, bytes } of manifest.files) {
      const content = readFileSync(join(folder, path));
      assert.deepEqual([createHash('sha256').update(content).digest('hex'), content.length], [sha256, bytes]);
    }
  });

  it('has the columns that freqtrade writes, and the bars of the asset', async () => {
    const table = read(join(await exported('columns'), 'BTC_USDT-1d.feather'));
    assert.deepEqual(
      table.schema.fields.map(({ name, type }) => [name, String(type)]),
      [['date', 'Timestamp<MILLISECOND, UTC>'], ...recorded.columns.slice(1).map(([name]) => [name, 'Float64'])],
    );
    assert.equal(recorded.columns[0]?.[0], 'date');
    assert.deepEqual(rowsOf(table), [
      [Date.UTC(2026, 0, 31), 100, 110, 95.5, 105, 1000],
      [Date.UTC(2026, 1, 1), 105, 120, 104, 118.25, 2000],
      [Date.UTC(2026, 1, 3), null, null, null, 0.1, null],
    ]);
  });

  it('takes another stake, other intervals, and bounds', async () => {
    assert.ok(recorded.files.includes('BTC_EUR-1d.feather'));
    assert.ok(feathers(await exported('eur', '--stake', 'eur')).includes('BTC_EUR-1d.feather'));
    for (const [interval, file] of [
      ['1w', 'BTC_USDT-1w.feather'],
      ['1mo', 'BTC_USDT-1Mo.feather'],
    ] as const) {
      assert.ok(recorded.files.includes(file));
      assert.ok(feathers(await exported(interval, '--interval', interval)).includes(file));
    }
    const months = read(join(work, '1mo/BTC_USDT-1Mo.feather'));
    assert.deepEqual(rowsOf(months)[0], [Date.UTC(2026, 0, 1), 100, 110, 95.5, 105, 1000]);
    const bounded = await exported('bounded', '--from', '2026-02-01', '--to', '2026-02-02');
    assert.deepEqual(feathers(bounded).sort(), ['BTC_USDT-1d.feather', 'OLD_USDT-1d.feather']);
    assert.equal(read(join(bounded, 'BTC_USDT-1d.feather')).numRows, 1);
  });

  it('is written again by the same command, and refuses another one', async () => {
    const folder = await exported('again');
    rmSync(join(folder, 'OLD_USDT-1d.feather'));
    await exported('again');
    assert.ok(feathers(folder).includes('OLD_USDT-1d.feather'));
    await assert.rejects(exported('again', '--stake', 'EUR'), /has another export/);
  });
});

describe('options that do not belong together', () => {
  const run = (...args: readonly string[]) =>
    new Promise<string>(resolve =>
      execFile(
        './tidemark',
        ['export', ...args, ...store],
        { cwd: join(import.meta.dirname, '../../..') },
        (_, __, said) => resolve(said),
      ),
    );
  for (const [args, said] of [
    ['--format feather --dataset bars --out X', /--format feather needs --layout freqtrade/],
    ['--layout freqtrade --dataset ta-hist --out X', /--layout freqtrade is for bars only/],
    ['--layout freqtrade --format csv --out X', /--layout freqtrade is for --format feather only/],
    ['--layout freqtrade --partition year --out X', /--partition is not for --layout freqtrade/],
    ['--layout freqtrade --since-version 1 --out X', /--since-version is not for --layout freqtrade/],
    ['--layout freqtrade --stake US/DT --out X', /--stake is a currency such as USDT, not 'US\/DT'/],
    ['--layout freqtrade --interval 2h --out X', /--interval is 1m or 5m or .* or 1mo, not '2h'/],
    ['--dataset ta-cur --interval 1h --out X', /--interval is for bars and ta-hist only/],
    ['--layout jesse --out X', /--layout is freqtrade, not 'jesse'/],
    ['--dataset bars --stake EUR --out X', /--stake is for --layout freqtrade only/],
    ['--layout freqtrade', /export needs a folder/],
  ] as const) {
    it(`${args} is refused`, async () => assert.match(await run(...args.split(' ')), said));
  }
});
