import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Versions } from './database.ts';
import { KnownVersions } from './known-versions.ts';

describe('the versions of a store', () => {
  let known: KnownVersions;
  let asked: number;
  const ask = async (): Promise<Versions> => ({ data: ++asked, keys: 0, standby: false });
  const dataVersion = async () => (await known.get(ask)).data;
  beforeEach(() => {
    known = new KnownVersions();
    asked = 0;
  });

  it('are asked for each time while nothing listens for changes', async () => {
    assert.deepEqual([await dataVersion(), await dataVersion()], [1, 2]);
  });

  it('are asked for once while a connection listens, until a change', async () => {
    known.listening(true);
    assert.deepEqual([await dataVersion(), await dataVersion()], [1, 1]);
    known.forget();
    assert.deepEqual([await dataVersion(), await dataVersion()], [2, 2]);
  });

  it('are asked for once by questions at the same time, while a connection listens', async () => {
    assert.deepEqual(await Promise.all([dataVersion(), dataVersion()]), [1, 2]);
    known.listening(true);
    assert.deepEqual(await Promise.all([dataVersion(), dataVersion()]), [3, 3]);
  });

  it('are asked for anew after a change, while a question from before it is under way', async () => {
    known.listening(true);
    const before = dataVersion();
    known.forget();
    assert.deepEqual(await Promise.all([before, dataVersion(), dataVersion()]), [1, 2, 2]);
    assert.equal(await dataVersion(), 2);
  });

  it('are asked for anew after a question that failed', async () => {
    known.listening(true);
    await assert.rejects(
      known.get(() => Promise.reject(new Error('gone'))),
      /gone/,
    );
    assert.equal(await dataVersion(), 1);
  });

  it('are asked for again when the connection is lost', async () => {
    known.listening(true);
    await dataVersion();
    known.listening(false);
    assert.deepEqual([await dataVersion(), await dataVersion()], [2, 3]);
  });

  it('are not kept if a change came while they were asked for', async () => {
    known.listening(true);
    const first = known.get(async () => {
      known.forget();
      return ask();
    });
    assert.equal((await first).data, 1);
    assert.equal(await dataVersion(), 2);
  });
});
