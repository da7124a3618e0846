// The real program, when the folder of its store is removed under it.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { copyDemoStore } from '../../support/demo-store.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { ask } from '../../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-removed-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const LISTING = '/v1/crypto/ta-cur?limit=5&sort=rank&order=asc&excl_cols=price';
/** Several rounds of the moving prices, which come every second. */
const ROUNDS_MS = 3500;

it('a demo server goes on with its last snapshot, and stops in order', async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  await copyDemoStore(join(data, 'demo.db'));
  process.env['TIDEMARK_NO_TICKS'] = 'false';
  const server = await ServerProcess.start('--demo', '--workers', '2', '--store', `sqlite:${join(data, 'demo.db')}`);
  const get = (path: string) => ask(server.url, path, { headers: { 'x-api-key': DEMO_KEYS.pro } });
  const symbols = async () => {
    const answer = await get(LISTING);
    assert.equal(answer.status, 200, answer.text);
    return answer.json<{ result: { symbol: string }[] }>().result.map(row => row.symbol);
  };
  const before = await symbols();
  assert.equal(before.length, 5);
  rmSync(data, { recursive: true });
  await wait(ROUNDS_MS);
  assert.ok(server.running, server.stderr);
  assert.deepEqual(await symbols(), before);
  assert.equal((await get('/readyz')).json<{ store: string }>().store, 'unreachable');
  assert.doesNotMatch(server.stderr, /ENOENT|\n\s+at /);
  assert.equal(await server.stop(), 0);
});
