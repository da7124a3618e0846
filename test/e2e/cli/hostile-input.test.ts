// Files that are made to harm: bombs, garbage, escape sequences, inputs that never come.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-hostile-'));
after(() => rmSync(folder, { recursive: true }));

function tidemark(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  return { status, stdout, stderr };
}

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

describe('a FIFO without a writer', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`does not keep ingest from stopping at ${signal}, and the store is free again`, {
      timeout: 30_000,
    }, async () => {
      const [fifo, store] = [`${signal}.fifo`, `sqlite:${signal}.db`];
      assert.equal(spawnSync('mkfifo', [fifo], { cwd: folder }).status, 0);
      const child = spawn(process.execPath, [launcher, 'ingest', 'csv', fifo, '--store', store], { cwd: folder });
      const exited = once(child, 'exit');
      const isRunning = () => JSON.parse(tidemark(['status', '--json', '--store', store]).stdout || '{}').loads?.length;
      while (isRunning() !== 1) await wait(20);
      child.kill(signal);
      assert.deepEqual(await exited, [1, null]);
      const next = tidemark([
        'ingest',
        'csv',
        file('next.csv', 'symbol,day,close\nA,2024-01-01,1\n'),
        '--store',
        store,
      ]);
      assert.equal(next.status, 0, next.stderr);
    });
  }
});

describe('escape sequences in a file', () => {
  /** Those of the program itself. */
  const withoutColours = (text: string) =>
    ['31', '33', '39', '90'].reduce((rest, code) => rest.replaceAll(`\x1b[${code}m`, ''), text);
  const HOSTILE = '\x1b]0;owned\x07\x1b[2J\x9b31m';

  it('reach neither the terminal nor a pipe, with colours or without', () => {
    const csv = file('escape.csv', `symbol,day,close\nA,2024-01-01,1\nB${HOSTILE},2024-01-01,-1\nC,${HOSTILE},1\n`);
    const json = file('escape.json', JSON.stringify([{ id: 'a-a', name: 'A', symbol: 'A', rank: HOSTILE }]));
    for (const env of [{}, { FORCE_COLOR: '1' }]) {
      const store = ['--store', 'sqlite:escape.db'];
      const said = [
        tidemark(['ingest', 'csv', csv, ...store], env),
        tidemark(['ingest', 'profiles', json, ...store], env),
        tidemark(['status', ...store], env),
        tidemark(['status', '--load', '1', ...store], env),
        tidemark(['status', '--json', ...store], env),
        tidemark(['ingest', HOSTILE], env),
        tidemark(['ingest', 'csv', `${HOSTILE}.csv`, ...store], env),
      ].map(({ stdout, stderr }) => stdout + stderr);
      assert.match(said[0]!, /escape\.csv:3 {2}.*\\u001b\]0;owned\\u0007/);
      for (const text of said) {
        assert.doesNotMatch(withoutColours(text), /(?!\n)\p{Cc}/u);
      }
      assert.equal(withoutColours(said[2]!) !== said[2], 'FORCE_COLOR' in env);
    }
  });
});

describe('a gzip bomb', () => {
  it('of one endless line is refused by restore and by restore --check', () => {
    const line = gzipSync(Buffer.alloc(80 * 1024 * 1024, 'x'));
    const header = gzipSync(`${JSON.stringify({ tidemark: 'backup', format: 1 })}\n`);
    file('bomb', line);
    file('bomb-after-header', Buffer.concat([header, line]));
    for (const [name, message] of [
      ['bomb', /is not a backup/],
      ['bomb-after-header', /a line of it is longer than any that a backup has/],
    ] as const) {
      for (const flags of [['--check'], ['--store', 'sqlite:bomb.db']]) {
        const { status, stderr } = tidemark(['restore', name, ...flags]);
        assert.equal(status, 1);
        assert.match(stderr, message);
      }
    }
  });

  it('of one endless record is refused by ingest profiles', () => {
    const bomb = Buffer.concat([Buffer.from('{"id":"'), Buffer.alloc(300 * 1024 * 1024, 'x'), Buffer.from('"}\n')]);
    file('bomb.json.gz', gzipSync(bomb, { level: 1 }));
    const { status, stderr } = tidemark(['ingest', 'profiles', 'bomb.json.gz', '--store', 'sqlite:bomb.db'], {
      NODE_OPTIONS: '--max-old-space-size=128',
    });
    assert.match(stderr, /the record has more than 4 MB/);
    assert.equal(status, 1);
  });
});

it('garbage after a backup is damage, and not a file of another kind', () => {
  const csv = file('good.csv', 'symbol,day,close\nA,2024-01-01,1\n');
  assert.equal(tidemark(['ingest', 'csv', csv, '--store', 'sqlite:good.db']).status, 0);
  assert.equal(tidemark(['backup', 'good.backup', '--store', 'sqlite:good.db']).status, 0);
  assert.equal(spawnSync('sh', ['-c', 'echo garbage >> good.backup'], { cwd: folder }).status, 0);
  const { status, stderr } = tidemark(['restore', 'good.backup', '--check']);
  assert.equal(status, 1);
  assert.match(stderr, /good\.backup is damaged/);
});
