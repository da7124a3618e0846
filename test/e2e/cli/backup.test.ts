// `backup` and `restore` as people and scripts use them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ServerProcess } from '../../support/server-process.ts';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-cli-backup-'));
after(() => rmSync(folder, { recursive: true }));

function tidemark(...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

describe('backup and restore', () => {
  before(() => {
    writeFileSync(join(folder, 'a.csv'), 'symbol,day,close\nAAA,2024-01-01,1\nAAA,2024-01-02,2\nBBB,2024-01-02,5\n');
    assert.equal(tidemark('ingest', 'csv', 'a.csv', '--store', 'sqlite:a.db').status, 0);
    assert.equal(tidemark('backup', 'a.backup', '--store', 'sqlite:a.db').status, 0);
  });

  it('move a store into a new one, which verify finds right', () => {
    const { status, stdout } = tidemark('restore', 'a.backup', '--store', 'sqlite:b.db');
    assert.equal(status, 0);
    assert.match(stdout, /b\.db: 2 assets, 3 bars of .* UTC restored from a\.backup in/);
    assert.match(tidemark('verify', '--store', 'sqlite:b.db').stdout, /2 rows, .*no differences/);
  });

  it('print one JSON document with --json', () => {
    const written = JSON.parse(tidemark('backup', 'j.backup', '--json', '--store', 'sqlite:a.db').stdout);
    assert.deepEqual([written.file, written.assets, written.bars], ['j.backup', 2, 3]);
    assert.equal(written.bytes, readFileSync(join(folder, 'j.backup')).length);
    const restored = JSON.parse(tidemark('restore', 'j.backup', '--json', '--store', 'sqlite:j.db').stdout);
    assert.deepEqual([restored.file, restored.assets, restored.bars], ['j.backup', 2, 3]);
  });

  it('reach a server that runs on the empty store, keys included', async t => {
    const created = JSON.parse(tidemark('keys', 'create', '--tier', 'pro', '--json', '--store', 'sqlite:a.db').stdout);
    assert.equal(tidemark('backup', 'keys.backup', '--store', 'sqlite:a.db').status, 0);
    const server = await ServerProcess.start('--store', `sqlite:${join(folder, 'served.db')}`);
    t.after(() => server.stop());
    const ask = () => fetch(`${server.url}/v1/crypto/ta-cur`, { headers: { 'X-API-Key': created.key } });
    assert.equal((await ask()).status, 401);
    assert.equal(tidemark('restore', 'keys.backup', '--store', 'sqlite:served.db').status, 0);
    const giveUp = performance.now() + 20_000;
    while ((await ask()).status !== 200) {
      assert.ok(performance.now() < giveUp, server.stderr);
      await wait(20);
    }
    const { result } = (await (await ask()).json()) as { result: { symbol: string }[] };
    assert.deepEqual(result.map(row => row.symbol).sort(), ['AAA', 'BBB']);
  });

  it('replace a file only with --force', () => {
    writeFileSync(join(folder, 'mine'), 'precious');
    const { status, stderr } = tidemark('backup', 'mine', '--store', 'sqlite:a.db');
    assert.equal(status, 1);
    assert.match(stderr, /mine already exists\n.*--force/);
    assert.equal(readFileSync(join(folder, 'mine'), 'utf8'), 'precious');
    assert.equal(tidemark('backup', 'mine', '--force', '--store', 'sqlite:a.db').status, 0);
    assert.match(tidemark('restore', 'mine', '--check').stdout, /mine is complete: 2 assets, 3 bars/);
  });

  it('make no store of a file that is no backup', () => {
    assert.equal(tidemark('restore', 'a.csv', '--store', 'sqlite:none.db').status, 1);
    assert.equal(existsSync(join(folder, 'none.db')), false);
  });

  for (const [what, args, code, message] of [
    ['a backup without a file', ['backup'], 2, /backup needs a file: \.\/tidemark backup FILE/],
    ['a restore without a file', ['restore'], 2, /restore needs a file/],
    ['two files', ['backup', 'x', 'y'], 2, /backup takes 1 argument, but got "y"/],
    ['a backup of a store that is not there', ['backup', 'x', '--store', 'sqlite:nowhere.db'], 1, /there is no store/],
    [
      'a folder that is not there',
      ['backup', 'no/x', '--store', 'sqlite:a.db'],
      1,
      /the folder of .*no\/x does not exist/,
    ],
    [
      'a folder that takes no files',
      ['backup', '/proc/x', '--store', 'sqlite:a.db'],
      1,
      /^tidemark: \/proc\/x cannot be written\n/,
    ],
    ['a folder for a file', ['backup', '.', '--store', 'sqlite:a.db'], 1, /^tidemark: \. is a folder\n/],
    ['a missing backup', ['restore', 'nothing'], 1, /there is no file nothing/],
    [
      'a store that is not empty',
      ['restore', 'a.backup', '--store', 'sqlite:a.db'],
      1,
      /holds data already\n.*--store/,
    ],
  ] as const) {
    it(`answer ${what} with code ${code} and what would be right`, () => {
      const { status, stdout, stderr } = tidemark(...args);
      assert.equal(status, code);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at |should not happen/);
    });
  }
});
