import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { openStore } from '../store/open.ts';
import { type Store, StoreError } from '../store/store.ts';
import { withAbandoned } from './only-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-only-writer-'));
const url = `sqlite:${join(folder, 'store.db')}`;
const [store, other] = [await openStore(url), await openStore(url)];
after(async () => {
  await Promise.all([store.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

const killed = [await store.beginLoad('csv'), await store.beginLoad('live binance')];

async function states(from: Store = store): Promise<unknown[]> {
  return (await withAbandoned(from, await store.loadsOf(killed))).map(({ id, state, error }) => [id, state, error]);
}

const ENDED = ['failed', 'its process ended before it was done'] as const;
const RUNS = ['running', null] as const;
const [csv, live] = killed;

it('a load that is recorded as running has failed once no process holds its lock', async () => {
  const loads = await other.lock('load');
  assert.deepEqual(await states(), [
    [csv, ...RUNS],
    [live, ...ENDED],
  ]);
  await loads?.release();
  const ticks = await other.lock('live');
  assert.deepEqual(await states(), [
    [csv, ...ENDED],
    [live, ...RUNS],
  ]);
  await ticks?.release();
  assert.deepEqual(await states(), [
    [csv, ...ENDED],
    [live, ...ENDED],
  ]);
});

it('a load is shown as it is recorded if its lock cannot be tried', async () => {
  const lock = () => Promise.reject(new StoreError('no_primary', 'there is no primary', 'wait'));
  for (const unable of [{ lock }, { readOnly: true }]) {
    assert.deepEqual(await states(Object.assign(Object.create(store), unable)), [
      [csv, ...RUNS],
      [live, ...RUNS],
    ]);
  }
});
