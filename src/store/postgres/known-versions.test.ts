import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Versions } from './connection.ts';
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
