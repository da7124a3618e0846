import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-explain-'));
after(() => rmSync(folder, { recursive: true }));

function tidemark(...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '' };
  return spawnSync(process.execPath, [launcher, ...args], { cwd: folder, encoding: 'utf8', env });
}

before(() => {
  writeFileSync(join(folder, 'xyz.csv'), 'day,close\n2024-01-01,1\n2024-01-02,2\n2024-01-05,4\n');
  assert.equal(tidemark('ingest', 'csv', 'xyz.csv', '--symbol', 'XYZ').status, 0);
});

describe('tidemark explain', () => {
  it('names the action and the correction behind an input', () => {
    const on = ['--store', 'sqlite:reviewed.db'];
    for (const source of ['kraken', 'binance'])
      assert.equal(tidemark('ingest', 'csv', 'xyz.csv', '--symbol', 'XYZ', '--source', source, ...on).status, 0);
    for (const args of [
      ['actions', 'add', '--asset', 'xyz', '--day', '2024-01-02', '--ratio', '10', '--reason', 'new units'],
      ['correct', '--asset', 'xyz', '--period', '2024-01-05', '--close', '5', '--reason', 'typo'],
    ]) {
      const { status, stderr } = tidemark(...args, ...on);
      assert.equal(status, 0, stderr);
    }
    const hour = ['--period', '2024-01-05T05:00', '--interval', '1h', '--close', '9', '--reason', 'an hour'];
    assert.match(
      tidemark('correct', '--asset', 'xyz', ...hour, ...on).stdout,
      /^correction 2: .*\nthe day that was made of it stays as it is: correct it too\n$/,
    );
    const { stdout } = tidemark('explain', 'xyz', 'sma5', ...on);
    assert.match(stdout, /C0 +2024-01-05 +5 .*correction 1 \(typo\)\n/);
    assert.match(stdout, /C4 +2024-01-01 +10 .*action 1: × 10 before 2024-01-02 \(new units\)\n/);
    const { inputs } = JSON.parse(tidemark('explain', 'xyz', 'sma5', '--json', ...on).stdout);
    assert.deepEqual(inputs[4].actions, [
      { action: 1, day: '2024-01-02', ratio: 10, from_id: null, reason: 'new units' },
    ]);
    assert.deepEqual([inputs[0].correction.close, inputs[0].sources.length], [5, 3]);
  });

  it('shows the inputs, the values on the way and the exact result', () => {
    const { status, stdout } = tidemark('explain', 'xyz', 'sma5');
    assert.equal(status, 0);
    for (const part of [
      /exact +2\.2\n/,
      /C0 +2024-01-05 +4 +0\.4 +csv xyz.csv +#1, 20\d\d-\d\d-\d\d \d\d:\d\d *\n/,
      /C1 +2024-01-04 +2 +0\.6 +csv xyz.csv +#1, .* carried forward from 2024-01-02/,
      /sum of closes +11/,
    ])
      assert.match(stdout, part);
  });

  it('says which close replaced another, and when', () => {
    writeFileSync(join(folder, 'later.csv'), 'day,close\n2024-01-05,8\n');
    assert.equal(tidemark('ingest', 'csv', 'later.csv', '--symbol', 'REP').status, 0);
    writeFileSync(join(folder, 'later.csv'), 'day,close\n2024-01-05,9\n2024-01-06,10\n');
    assert.equal(tidemark('ingest', 'csv', 'later.csv', '--symbol', 'REP').status, 0);
    const { inputs } = JSON.parse(tidemark('explain', 'REP', 'change1', '--json').stdout);
    const [newest, replaced] = inputs;
    assert.deepEqual([newest.close, newest.load, newest.replaced_at], [10, 3, null]);
    assert.deepEqual([replaced.close, replaced.load, replaced.replaced_at], [9, 3, newest.loaded_at]);
    assert.match(
      tidemark('explain', 'REP', 'change1').stdout,
      /C1 +2024-01-05 +9 +\S+ +csv later.csv .* replaced an earlier close/,
    );
  });

  it('shows what each source said, its weight and which decided', () => {
    const days = ['2024-01-04', '2024-01-05', '2024-01-06'];
    for (const [source, closes] of [
      ['desk', [10, 20]],
      ['feed', [11, 21, 31]],
    ] as const) {
      const lines = closes.map((close, i) => `TWO,${days[i]},${close}`);
      writeFileSync(join(folder, 'two.csv'), `symbol,day,close\n${lines.join('\n')}\n`);
      assert.equal(tidemark('ingest', 'csv', 'two.csv', '--source', source).status, 0);
    }
    const { stdout } = tidemark('explain', 'TWO', 'change1');
    for (const line of [
      /^close +day +source +USD +weight *$/m,
      /^C0 +2024-01-06 +feed +31 +1 +decided$/m,
      /^C1 +2024-01-05 +desk +20 +1 +decided$/m,
      /^C1 +2024-01-05 +feed +21 +0 *$/m,
    ])
      assert.match(stdout, line);
    const { inputs } = JSON.parse(tidemark('explain', 'TWO', 'change1', '--json').stdout);
    assert.deepEqual(inputs[1].sources, [
      { source: 'desk', close: 20, weight: 1, decided: true },
      { source: 'feed', close: 21, weight: 0, decided: false },
    ]);
    assert.doesNotMatch(tidemark('explain', 'XYZ', 'sma5').stdout, /weight|decided/);
  });

  it('shows a price a hundred times too high first among twenty closes', () => {
    const closes = Array.from({ length: 30 }, (_, i) => 10 + (i % 3) / 10).with(17, 1010);
    const lines = closes.map((close, i) => `2024-03-${String(i + 1).padStart(2, '0')},${close}`);
    writeFileSync(join(folder, 'wrong.csv'), `day,close\n${lines.join('\n')}\n`);
    assert.equal(tidemark('ingest', 'csv', 'wrong.csv', '--symbol', 'BAD').status, 0);
    const { stdout } = tidemark('explain', 'BAD', 'sma20');
    const [, first = ''] = /^close .*\n-*\n?(.*)$/m.exec(stdout) ?? [];
    assert.match(first, /^C12 +2024-03-18 +1010 +49\.\d+ /, stdout);
    assert.match(stdout, /… +8 more +0\.\d+ or less/);
  });

  it('takes a day and prints JSON', () => {
    const { stdout } = tidemark('explain', 'XYZ', 'change1', '--as-of', '2024-01-02', '--json');
    const { value, day, exact, relative_error } = JSON.parse(stdout);
    assert.deepEqual(
      { value, day, exact, relative_error },
      { value: 100, day: '2024-01-02', exact: '100', relative_error: 0 },
    );
  });

  for (const [args, status, message] of [
    [['XYZ'], 2, /an asset and a column/],
    [['XYZ', 'vol31'], 2, /Did you mean vol30\?/],
    [['XYZ', 'vol30', '--as-of', 'now'], 2, /--as-of: expected a day/],
    [['NOBODY', 'vol30'], 1, /unknown asset NOBODY/],
    [['XYZ', 'vol30', '--as-of', '1999-01-01'], 1, /has no close by then/],
  ] as const) {
    it(`explain ${args.join(' ')} ends with ${status}`, () => {
      const found = tidemark('explain', ...args);
      assert.equal(found.status, status);
      assert.match(found.stderr, message);
    });
  }
});
