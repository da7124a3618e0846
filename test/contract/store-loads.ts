// The store's contract: loads and rejects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LOADS_KEPT,
  LOADS_WITH_REJECTS_KEPT,
  type LoadOutcome,
  REJECTS_KEPT,
  type StoredLoad,
} from '../../src/store/store.ts';
import type { Subject } from './store.ts';

const outcome: LoadOutcome = {
  state: 'running',
  error: null,
  read: 0,
  inserted: 0,
  replaced: 0,
  unchanged: 0,
  rejected: 0,
};

export function loadContract(use: () => Subject): void {
  test('a load is running until it is told how it ended', async () => {
    const store = await use().fresh();
    const began = Date.now();
    const id = await store.beginLoad('csv');
    const [fresh] = await store.loads(1);
    assert.deepEqual(fresh, { ...outcome, id, source: 'csv', startedAt: fresh!.startedAt, endedAt: null });
    assert.ok(Date.parse(fresh!.startedAt) >= began && Date.parse(fresh!.startedAt) <= Date.now());
    assert.match(fresh!.startedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    await store.updateLoad(id, { ...outcome, read: 5 });
    assert.equal((await store.loads(1))[0]?.endedAt, null);

    const counts = { read: 5_000_000_000, inserted: 4, replaced: 3, unchanged: 2, rejected: 1 };
    await store.updateLoad(id, { ...counts, state: 'failed', error: 'broken \0 pipe' });
    const [done] = await store.loads(1);
    assert.deepEqual(
      { ...done, endedAt: null },
      {
        ...counts,
        id,
        source: 'csv',
        startedAt: fresh!.startedAt,
        endedAt: null,
        state: 'failed',
        error: 'broken \uFFFD pipe',
      },
    );
    assert.ok(Date.parse(done!.endedAt ?? '') >= began);
  });

  test('loads are listed newest first, as many as asked for', async () => {
    const store = await use().fresh();
    for (const source of ['a', 'b', 'c']) await store.beginLoad(source);
    assert.deepEqual(
      (await store.loads(2)).map(load => load.source),
      ['c', 'b'],
    );
    assert.equal((await store.loads(10)).length, 3);
  });

  test('the first rejects of a load are kept, in order, with any text', async () => {
    const store = await use().fresh();
    const [load, other] = [await store.beginLoad('csv'), await store.beginLoad('csv')];
    const reject = (line: number) => ({ where: `f.csv:${line}`, reason: 'bad_day', detail: `"\\ ${line} \u{1F600}` });
    const rejects = Array.from({ length: REJECTS_KEPT + 200 }, (_, line) => reject(line));
    await store.addRejects(load, rejects.slice(0, 900));
    await store.addRejects(load, rejects.slice(900));
    await store.addRejects(load, [reject(-1)]);
    await store.addRejects(other, [{ where: 'x', reason: 'broken_row', detail: 'a\0b' }]);
    assert.deepEqual(await store.rejects(load, 5000), rejects.slice(0, REJECTS_KEPT));
    assert.deepEqual(await store.rejects(load, 2), rejects.slice(0, 2));
    assert.deepEqual(await store.rejects(other, 2), [{ where: 'x', reason: 'broken_row', detail: 'a\uFFFDb' }]);
  });

  const load = (id: number, source: string, state: LoadOutcome['state']): StoredLoad => {
    const at = '2026-01-01T00:00:00.000Z';
    return {
      ...outcome,
      inserted: 0,
      replaced: 0,
      id,
      source,
      state,
      startedAt: at,
      endedAt: state === 'running' ? null : at,
    };
  };
  /** A store that holds these loads, filled in one go. */
  const storeWith = async (loads: readonly StoredLoad[]) => {
    const store = await use().fresh();
    await store.fill(async target => {
      await target.putLoads(loads);
      await target.settle({ pending: [], version: 0, keysVersion: 0, dropped: {} });
    });
    return store;
  };

  test('the newest loads are kept, and of older ones the last of each source that went well', async () => {
    const rare = [load(1, 'rare', 'done'), load(2, 'rare', 'done'), load(3, 'rare', 'failed')];
    const often = Array.from({ length: LOADS_KEPT }, (_, i) => load(i + 4, 'often', 'failed'));
    const store = await storeWith([...rare, ...often]);
    const newest = await store.beginLoad('often');
    const kept = (await store.loads(10 * LOADS_KEPT)).map(({ id }) => id);
    assert.deepEqual([kept[0], ...kept.slice(-2)], [newest, 5, 2]);
    assert.equal(kept.length, LOADS_KEPT + 1);
  });

  test('loads that changed something stay longer: they are the origins of bars', async () => {
    const [changed, other] = [{ ...load(1, 'csv', 'failed'), replaced: 1 }, load(2, 'csv', 'failed')];
    const later = Array.from({ length: LOADS_KEPT }, (_, i) => load(i + 3, 'often', 'failed'));
    const store = await storeWith([changed, other, ...later]);
    await store.beginLoad('often');
    assert.deepEqual(await store.loadsOf([2, 1, 9999]), [changed]);
  });

  test('of sources that were loaded once, as many are kept again', async () => {
    const store = await storeWith(
      Array.from({ length: 2 * LOADS_KEPT + 5 }, (_, i) => load(i + 1, `csv ${i}`, i < LOADS_KEPT ? 'done' : 'failed')),
    );
    const newest = await store.beginLoad('csv');
    const kept = (await store.loads(10 * LOADS_KEPT)).map(({ id }) => id);
    assert.deepEqual([kept[0], kept.at(-1)], [newest, 1]);
    assert.equal(kept.length, 2 * LOADS_KEPT);
  });

  test('rejects are kept of the newest loads only', async () => {
    const store = await use().fresh();
    const rejects = [{ where: 'x', reason: 'bad_day', detail: 'y' }];
    const loads: number[] = [];
    for (let i = 0; i <= LOADS_WITH_REJECTS_KEPT; i++) {
      loads.push(await store.beginLoad('csv'));
      await store.addRejects(loads[i]!, rejects);
    }
    assert.deepEqual(await store.rejects(loads[0]!, 10), []);
    for (const id of loads.slice(1)) assert.deepEqual(await store.rejects(id, 10), rejects);
    assert.equal((await store.loads(1000)).length, loads.length);
  });

  test('a load that was never begun has no outcome and no rejects', async () => {
    const { store } = use();
    await assert.rejects(store.updateLoad(99_999, outcome), { code: 'unknown_load' });
    await assert.rejects(store.addRejects(99_999, []), { code: 'unknown_load' });
    assert.deepEqual(await store.rejects(99_999, 10), []);
  });

  test('the newest tick of each source of live prices is kept', async () => {
    const store = await use().fresh();
    assert.deepEqual(await store.newestTicks(), []);
    await store.recordTick('live kraken', 1_700_000_000_000);
    await store.recordTick('live binance', 1_700_000_000_001);
    await store.recordTick('live kraken', 1_700_000_000_002);
    assert.deepEqual(await store.newestTicks(), [
      { source: 'live binance', at: 1_700_000_000_001 },
      { source: 'live kraken', at: 1_700_000_000_002 },
    ]);
  });

  test('a lock for one purpose does not hold up another', async () => {
    const { store } = use();
    const locks = [await store.lock('load'), await store.lock('alerts'), await store.lock('live')];
    assert.ok(locks.every(lock => lock !== null));
    assert.deepEqual([await store.lock('live'), await store.lock('alerts')], [null, null]);
    for (const lock of locks) await lock!.release();
  });
}
