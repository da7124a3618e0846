// The store's contract: runs and rejects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REJECTED_RUNS_KEPT, REJECTS_KEPT, RUNS_KEPT, type Run, type RunOutcome } from '../../src/store/store.ts';
import type { Subject } from './store.ts';

const outcome: RunOutcome = {
  state: 'running',
  error: null,
  read: 0,
  inserted: 0,
  replaced: 0,
  unchanged: 0,
  rejected: 0,
};

export function runContract(use: () => Subject): void {
  test('a run is running until it is told how it ended', async () => {
    const store = await use().fresh();
    const began = Date.now();
    const id = await store.beginRun('csv');
    const [fresh] = await store.runs(1);
    assert.deepEqual(fresh, { ...outcome, id, source: 'csv', startedAt: fresh!.startedAt, endedAt: null });
    assert.ok(Date.parse(fresh!.startedAt) >= began && Date.parse(fresh!.startedAt) <= Date.now());
    assert.match(fresh!.startedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    await store.updateRun(id, { ...outcome, read: 5 });
    assert.equal((await store.runs(1))[0]?.endedAt, null);

    const counts = { read: 5_000_000_000, inserted: 4, replaced: 3, unchanged: 2, rejected: 1 };
    await store.updateRun(id, { ...counts, state: 'failed', error: 'broken \0 pipe' });
    const [done] = await store.runs(1);
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

  test('runs are listed newest first, as many as asked for', async () => {
    const store = await use().fresh();
    for (const source of ['a', 'b', 'c']) await store.beginRun(source);
    assert.deepEqual(
      (await store.runs(2)).map(run => run.source),
      ['c', 'b'],
    );
    assert.equal((await store.runs(10)).length, 3);
  });

  test('the first rejects of a run are kept, in order, with any text', async () => {
    const store = await use().fresh();
    const [run, other] = [await store.beginRun('csv'), await store.beginRun('csv')];
    const reject = (line: number) => ({ where: `f.csv:${line}`, reason: 'bad_day', detail: `"\\ ${line} \u{1F600}` });
    const rejects = Array.from({ length: REJECTS_KEPT + 200 }, (_, line) => reject(line));
    await store.addRejects(run, rejects.slice(0, 900));
    await store.addRejects(run, rejects.slice(900));
    await store.addRejects(run, [reject(-1)]);
    await store.addRejects(other, [{ where: 'x', reason: 'broken_row', detail: 'a\0b' }]);
    assert.deepEqual(await store.rejects(run, 5000), rejects.slice(0, REJECTS_KEPT));
    assert.deepEqual(await store.rejects(run, 2), rejects.slice(0, 2));
    assert.deepEqual(await store.rejects(other, 2), [{ where: 'x', reason: 'broken_row', detail: 'a\uFFFDb' }]);
  });

  const run = (id: number, source: string, state: RunOutcome['state']): Run => {
    const at = '2026-01-01T00:00:00.000Z';
    return { ...outcome, id, source, state, startedAt: at, endedAt: state === 'running' ? null : at };
  };
  /** A store that holds these runs, filled in one go. */
  const storeWith = async (runs: readonly Run[]) => {
    const store = await use().fresh();
    await store.fill(async target => {
      await target.putRuns(runs);
      await target.settle({ pending: [], version: 0, keysVersion: 0 });
    });
    return store;
  };

  test('the newest runs are kept, and of older ones the last of each source that went well', async () => {
    const rare = [run(1, 'rare', 'done'), run(2, 'rare', 'done'), run(3, 'rare', 'failed')];
    const often = Array.from({ length: RUNS_KEPT }, (_, i) => run(i + 4, 'often', 'failed'));
    const store = await storeWith([...rare, ...often]);
    const newest = await store.beginRun('often');
    const kept = (await store.runs(10 * RUNS_KEPT)).map(({ id }) => id);
    assert.deepEqual([kept[0], ...kept.slice(-2)], [newest, 5, 2]);
    assert.equal(kept.length, RUNS_KEPT + 1);
  });

  test('of sources that were loaded once, as many are kept again', async () => {
    const store = await storeWith(
      Array.from({ length: 2 * RUNS_KEPT + 5 }, (_, i) => run(i + 1, `csv ${i}`, i < RUNS_KEPT ? 'done' : 'failed')),
    );
    const newest = await store.beginRun('csv');
    const kept = (await store.runs(10 * RUNS_KEPT)).map(({ id }) => id);
    assert.deepEqual([kept[0], kept.at(-1)], [newest, 1]);
    assert.equal(kept.length, 2 * RUNS_KEPT);
  });

  test('rejects are kept of the newest runs only', async () => {
    const store = await use().fresh();
    const rejects = [{ where: 'x', reason: 'bad_day', detail: 'y' }];
    const runs: number[] = [];
    for (let i = 0; i <= REJECTED_RUNS_KEPT; i++) {
      runs.push(await store.beginRun('csv'));
      await store.addRejects(runs[i]!, rejects);
    }
    assert.deepEqual(await store.rejects(runs[0]!, 10), []);
    for (const id of runs.slice(1)) assert.deepEqual(await store.rejects(id, 10), rejects);
    assert.equal((await store.runs(1000)).length, runs.length);
  });

  test('a run that was never begun has no outcome and no rejects', async () => {
    const { store } = use();
    await assert.rejects(store.updateRun(99_999, outcome), { code: 'unknown_run' });
    await assert.rejects(store.addRejects(99_999, []), { code: 'unknown_run' });
    assert.deepEqual(await store.rejects(99_999, 10), []);
  });
}
