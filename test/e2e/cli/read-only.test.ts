// Commands that may not write: to a folder, or to a store that they only have to read.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { DEMO_KEYS, hashOf } from '../../../src/domain/api-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { OLDEST_LAYOUT } from '../../../src/store/sqlite/layout.ts';
import { makeReadOnly, type ReadOnlyFolder } from '../../support/read-only-folder.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { ask } from '../../support/service.ts';

const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
const folder = mkdtempSync(join(tmpdir(), 'tidemark-read-only-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command as a user without any rights, if this one has all. */
function tidemark(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const script = `
    const { runCommandLine } = await import(${url('../../../src/cli/cli.ts')});
    const { loadCommands } = await import(${url('../../../src/cli/commands.ts')});
    await loadCommands();
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    process.exitCode = await runCommandLine(process.argv.slice(1), {});`;
  const node = ['--input-type=module', '-e', script, '--', ...args];
  return spawnSync(process.execPath, node, { cwd: folder, encoding: 'utf8' });
}

describe('a folder that may not be written', () => {
  const closed = join(folder, 'closed');
  const open = join(folder, 'open');
  const file = join(folder, 'closes.csv');
  before(() => {
    mkdirSync(closed);
    mkdirSync(open);
    chmodSync(open, 0o777);
    writeFileSync(file, 'symbol,day,close\nBTC,2024-01-01,1\n', { mode: 0o644 });
    chmodSync(folder, 0o755);
    chmodSync(closed, 0o555);
  });
  after(() => chmodSync(closed, 0o755));

  for (const [what, args] of [
    ['a store in it', ['ingest', 'csv', file, '--store', `sqlite:${closed}/store.db`]],
    ['a store in a new folder', ['keys', 'create', '--tier', 'pro', '--store', `sqlite:${closed}/new/store.db`]],
  ] as const) {
    it(`is named together with the user: ${what}`, () => {
      const { status, stderr } = tidemark(...args);
      assert.equal(status, 1);
      assert.match(stderr, /^tidemark: cannot write to .*\/closed(\/new)? as \S+\n.*name another folder\n$/);
    });
  }

  it('is named together with the user: a backup in it', () => {
    const store = `sqlite:${join(open, 'store.db')}`;
    assert.equal(tidemark('ingest', 'csv', file, '--store', store).status, 0);
    const { status, stderr } = tidemark('backup', join(closed, 'backup'), '--store', store);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^tidemark: cannot write to .*\/closed as \S+\nName a file in a folder that this user may write\.\n$/,
    );
  });

  it('is not blamed if the store may not even be read', () => {
    const store = join(closed, 'secret.db');
    chmodSync(closed, 0o755);
    writeFileSync(store, '', { mode: 0 });
    chmodSync(closed, 0o555);
    const { status, stderr } = tidemark('status', '--store', `sqlite:${store}`);
    assert.equal(status, 1);
    assert.match(stderr, /^tidemark: cannot read .*\/secret\.db as \S+\nlet that user read it/);
  });
});

describe('a store that can only be read', () => {
  const data = join(folder, 'data');
  const path = join(data, 'store.db');
  const older = join(data, 'older.db');
  let readOnly: ReadOnlyFolder | null = null;

  before(async () => {
    mkdirSync(data);
    const file = join(folder, 'prices.csv');
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(file, `symbol,day,close\nBTC,2024-01-01,1\nBTC,${day},2\nETH,${day},3\n`);
    const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
    const args = [launcher, 'ingest', 'csv', file, '--store', `sqlite:${path}`];
    const loaded = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(loaded.status, 0, loaded.stderr);
    const store = await openStore(`sqlite:${path}`);
    const key = { id: 'key_pro', hash: hashOf(DEMO_KEYS.pro), tier: 'pro', name: null, expires: null };
    await store.createKey(key);
    await store.close();
    await (await openStore(`sqlite:${older}`)).close();
    const db = new DatabaseSync(older);
    db.exec(`DROP TABLE dropped; PRAGMA user_version = ${OLDEST_LAYOUT}`);
    db.close();
    readOnly = makeReadOnly(data);
  });
  after(() => readOnly?.restore());

  const launch = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../../scripts/launch.js'), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });

  for (const [command, args, expected] of [
    ['status', [], /assets +2/],
    ['verify', [], /no differences/],
    ['backup', [join(folder, 'backup')], /3 bars/],
    ['export', ['--dataset', 'bars', '--out', join(folder, 'lake')], /3 rows/],
    ['keys list', [], /key_pro/],
  ] as const) {
    it(`is read by ${command}`, t => {
      if (readOnly === null) return t.skip('a folder cannot be made read-only here');
      const { status, stdout, stderr } = launch(...command.split(' '), ...args, '--store', `sqlite:${path}`);
      assert.equal(status, 0, stderr);
      assert.match(stdout, expected);
      assert.deepEqual(
        readdirSync(data).filter(name => !/^(store|older)\.db(-|$)/.test(name)),
        [],
      );
    });
  }

  it('is refused if it would have to be upgraded', t => {
    if (readOnly === null) return t.skip('a folder cannot be made read-only here');
    const { status, stderr } = launch('status', '--store', `sqlite:${older}`);
    assert.equal(status, 1);
    assert.match(stderr, /^tidemark: .*older\.db was written by an older Tidemark/);
  });

  it('is refused by a load, which names the folder and the user', t => {
    if (readOnly === null) return t.skip('a folder cannot be made read-only here');
    const { status, stderr } = launch('ingest', 'csv', join(folder, 'prices.csv'), '--store', `sqlite:${path}`);
    assert.equal(status, 1);
    assert.match(stderr, /^tidemark: cannot write to .*data as \S+\n/);
    assert.doesNotMatch(stderr, /should not happen/);
  });

  it('gets no export beside it, which names the folder and the user', t => {
    if (readOnly === null) return t.skip('a folder cannot be made read-only here');
    const { status, stderr } = launch(
      'export',
      '--dataset',
      'bars',
      '--out',
      join(data, 'lake'),
      '--store',
      `sqlite:${path}`,
    );
    assert.equal(status, 1);
    assert.match(stderr, /^tidemark: cannot write to .*data as \S+\n/);
  });

  it('is served, and the server says that it is read-only', async t => {
    if (readOnly === null) return t.skip('a folder cannot be made read-only here');
    const server = await ServerProcess.start('--log', 'json', '--workers', '1', '--store', `sqlite:${path}`);
    const headers = { 'x-api-key': DEMO_KEYS.pro };
    const answer = await ask(server.url, '/v1/crypto/ta-cur?sort=symbol', { headers });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json<{ result: unknown[] }>().result.length, 2);
    assert.equal((await ask(server.url, '/v1/crypto/ta-hist?symbol=BTC', { headers })).status, 200);
    assert.equal(await server.stop(), 0);
    const events = server.stderr.split('\n').flatMap(line => line.match(/"event":"(\w+)"/)?.[1] ?? []);
    assert.ok(events.includes('store_read_only'), server.stderr);
    assert.ok(!events.includes('store_unreachable'), server.stderr);
  });
});

it('a server does not create a store, and serves it as soon as a load has', async () => {
  const path = join(folder, 'later', 'store.db');
  const server = await ServerProcess.start('--open', '--workers', '1', '--store', `sqlite:${path}`);
  const listing = () => ask(server.url, '/v1/crypto/ta-cur');
  const none = await listing();
  assert.deepEqual([none.status, none.json<{ code: string }>().code], [503, 'no_data']);
  assert.equal(existsSync(join(folder, 'later')), false);
  const file = join(folder, 'later.csv');
  writeFileSync(file, `symbol,day,close\nBTC,${new Date().toISOString().slice(0, 10)},2\n`);
  const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
  spawnSync(process.execPath, [launcher, 'ingest', 'csv', file, '--store', `sqlite:${path}`]);
  const ends = performance.now() + 10_000;
  while ((await listing()).status !== 200) assert.ok(performance.now() < ends, server.stderr);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.stderr, /unreachable/);
});
