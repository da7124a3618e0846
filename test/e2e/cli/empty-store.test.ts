// Commands beside the demo, without a store of one's own: its data is in another file than the default one.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-empty-'));
after(() => rmSync(folder, { recursive: true }));

function tidemark(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '' };
  return spawnSync(process.execPath, [launcher, ...args], { cwd: folder, encoding: 'utf8', env });
}

const READING = [['status'], ['export', '--dataset', 'bars', '--out', 'lake'], ['verify'], ['backup', 'backup.gz']];

describe('a command that finds no data', () => {
  before(() => {
    writeFileSync(join(folder, 'demo.csv'), 'symbol,day,close\nBTC,2024-01-01,1\n');
    assert.equal(tidemark('ingest', 'csv', 'demo.csv', '--store', 'sqlite:data/demo.db').status, 0);
  });

  for (const args of READING) {
    it(`names the store of the demo, if the default one is missing: ${args[0]}`, () => {
      const { status, stderr } = tidemark(...args);
      assert.equal(status, 1);
      assert.match(stderr, /there is no store .*tidemark\.db\n.*--store sqlite:data\/demo\.db/);
      assert.equal(existsSync(join(folder, 'data/tidemark.db')), false);
    });
  }

  it('says nothing of the demo if another store was named', () => {
    assert.doesNotMatch(tidemark('status', '--store', 'sqlite:data/other.db').stderr, /demo/);
  });

  it('names the store of the demo, if the default one is empty', () => {
    assert.equal(tidemark('keys', 'create', '--tier', 'pro').status, 0);
    for (const args of READING)
      assert.match(tidemark(...args).stderr, /holds no prices.*--store sqlite:data\/demo\.db/);
    assert.doesNotMatch(tidemark('status', '--store', 'sqlite:data/demo.db').stderr, /demo/);
  });
});
