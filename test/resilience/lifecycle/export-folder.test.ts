// The real server with a hostile export folder: nothing in it ends or hangs the process, which also ends in time while a file is made.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { copyDemoStore } from '../../support/demo-store.ts';
import { ServerProcess } from '../../support/server-process.ts';

const root = mkdtempSync(join(tmpdir(), 'tidemark-hostile-'));
const exports = join(root, 'exports');
const headers = { 'x-api-key': DEMO_KEYS.pro };
/** In seconds, of `--grace`. */
const GRACE = 3;

let server: ServerProcess;
const startServer = () =>
  ServerProcess.start(
    ...['--demo', '--workers', '1', '--store', `sqlite:${join(root, 'demo.db')}`],
    ...['--exports', exports, '--grace', String(GRACE)],
  );
before(async () => {
  await copyDemoStore(join(root, 'demo.db'));
  mkdirSync(exports);
  const name = (version: number) => join(exports, `ta-cur.${version}-abcdefghij.5.${'A'.repeat(43)}.parquet`);
  symlinkSync('/nowhere', name(1));
  mkdirSync(name(2));
  assert.equal(spawnSync('mkfifo', [name(3), join(exports, 'bars.999999999.partial')]).status, 0);
  writeFileSync(name(4), 'not Parquet');
  server = await startServer();
});
after(async () => {
  await server.stop();
  rmSync(root, { recursive: true });
});

const ask = (path: string) => fetch(`${server.url}/v1/crypto/export/${path}`, { headers });

describe('a server whose export folder has links, folders, FIFOs and damaged files', () => {
  it('serves its own files to many requests at once, and the others are gone', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('ta-cur.parquet')));
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      const digest = createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('base64');
      assert.equal(answer.headers.get('repr-digest'), `sha-256=:${digest}:`);
    }
    for (const version of [1, 2, 3, 4]) {
      const { status } = await ask(`ta-cur/${version}-abcdefghij.parquet`);
      assert.equal(status, 410, `version ${version}`);
    }
    assert.ok(server.running);
  });

  it('says in its log why a file cannot be made, and makes it once it can', async () => {
    rmSync(exports, { recursive: true });
    writeFileSync(exports, 'a file');
    for (const dataset of ['ta-cur', 'assets']) assert.equal((await ask(`${dataset}.parquet`)).status, 503);
    assert.match(server.stderr, /EEXIST|ENOTDIR/);
    rmSync(exports);
    assert.equal((await ask('ta-cur.parquet')).status, 200);
  });

  it('ends within its grace while a history is made, and the next one removes what is left of it', async () => {
    const waiting = ask('ta-hist.parquet').then(
      ({ status }) => status,
      () => 'disconnected',
    );
    while (!readdirSync(exports).some(name => name.endsWith('.partial'))) await new Promise(setImmediate);
    const began = performance.now();
    assert.equal(await server.stop(), 0);
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds < GRACE + 10, `ended after ${seconds} s`);
    await waiting;
    server = await startServer();
    assert.equal((await ask('ta-cur.parquet')).status, 200);
    assert.deepEqual(
      readdirSync(exports).filter(name => name.endsWith('.partial')),
      [],
    );
  });
});
