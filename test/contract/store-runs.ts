// The store's contract: runs and rejects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REJECTS_KEPT, type RunOutcome } from '../../src/store/store.ts';
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

  test('a run that was never begun has no outcome and no rejects', async () => {
    const { store } = use();
    await assert.rejects(store.updateRun(99_999, outcome), { code: 'unknown_run' });
    await assert.rejects(store.addRejects(99_999, []), { code: 'unknown_run' });
    assert.deepEqual(await store.rejects(99_999, 10), []);
  });
}
