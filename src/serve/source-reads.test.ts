import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { AssetNumber } from '../domain/asset.ts';
import type { SourcesRead, SourcesTask } from '../history/source-reads.ts';
import { MOST_SOURCES, SourceReads } from './source-reads.ts';

function reads() {
  const begun: { readonly task: SourcesTask; readonly end: (names: string[] | Error) => void }[] = [];
  const all = new SourceReads(task => {
    const { promise, resolve, reject } = Promise.withResolvers<SourcesRead>();
    const end = (names: string[] | Error) => {
      if (names instanceof Error) reject(names);
      else resolve({ rule: { kind: 'priority', order: [] }, names, summaries: [], bars: null });
    };
    begun.push({ task, end });
    return promise;
  });
  const get = (asset: number) =>
    all.get({ fingerprint: 'a', assetNumber: asset as AssetNumber, interval: '1m', adjusted: true });
  return { begun, get };
}

describe('what the sources of assets say', () => {
  it('is read for two assets at a time, and once for requests at the same time', async () => {
    const { begun, get } = reads();
    const answers = [get(1), get(1), get(2), get(3)];
    await turn();
    assert.deepEqual(
      begun.map(({ task }) => task.assetNumber),
      [1, 2],
    );
    begun[0]!.end(['csv']);
    await turn();
    assert.equal(begun[2]!.task.assetNumber, 3);
    begun[1]!.end(['kraken']);
    begun[2]!.end(new Error('the store is away'));
    const found = await Promise.all(answers);
    assert.deepEqual(
      found.map(each => (typeof each === 'string' ? each : each.names)),
      [['csv'], ['csv'], ['kraken'], 'unavailable'],
    );
  });

  it('is refused while too many are requested', async () => {
    const { begun, get } = reads();
    const answers = Array.from({ length: MOST_SOURCES }, (_, i) => get(i));
    assert.equal(await get(99), 'busy');
    for (let i = 0; i < MOST_SOURCES; i++) {
      await turn();
      begun[i]!.end([]);
    }
    await Promise.all(answers);
    const next = get(99);
    await turn();
    begun[MOST_SOURCES]!.end([]);
    assert.equal(typeof (await next), 'object');
  });
});
