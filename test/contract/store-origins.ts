// The store's contract: which load delivered each close.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { batch, DAY } from './fixtures.ts';
import type { Subject } from './store.ts';
import { clearPending, newAssets } from './store-bars.ts';

export function originContract(use: () => Subject): void {
  test('a close has the number of the load that delivered it, negative if it replaced another', async () => {
    const { store } = use();
    // In one asset group as in several: 40 assets with the same days, of which some come from another load.
    const assetNumbers = await newAssets(store, 40);
    const origins = async (assetNumber: AssetNumber) =>
      Object.fromEntries([...(await store.origins(assetNumber))].map(([day, origin]) => [day - DAY, origin]).sort());
    await store.putBars(
      batch(assetNumbers.flatMap(assetNumber => [0, 1].map(day => ({ assetNumber, day, close: 1 })))),
      11,
    );
    await store.putBars(batch(assetNumbers.map(assetNumber => ({ assetNumber, day: 2, close: 1 }))), 12);
    const [a, b, c] = assetNumbers as [AssetNumber, AssetNumber, AssetNumber];
    await store.putBars(batch([{ assetNumber: a, day: 1, close: 2, volume: 5 }]), 13);
    await store.putBars(batch([{ assetNumber: b, day: 1, close: 1, volume: 5 }]), 13);
    await store.putBars(batch([{ assetNumber: b, day: 40, close: 1 }]));
    await store.putBars(batch([{ assetNumber: c, day: 1, close: 3 }]));
    assert.deepEqual(await origins(a), { 0: 11, 1: -13, 2: 12 });
    assert.deepEqual(await origins(b), { 0: 11, 1: 11, 2: 12 }); // the same close; and of day 40 the load is unknown
    assert.deepEqual(await origins(c), { 0: 11, 2: 12 });
    for (const assetNumber of assetNumbers.slice(3))
      assert.deepEqual(await origins(assetNumber), { 0: 11, 1: 11, 2: 12 });
    assert.deepEqual(await origins(1e9 as AssetNumber), {});
  });

  test('the origin of a close that was replaced since its publication is unknown until the next one', async () => {
    const { store } = use();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    await store.putBars(batch([0, 1].map(day => ({ assetNumber, day, close: 1 }))), 21);
    await clearPending(store);
    await store.putBars(batch([{ assetNumber, day: 1, close: 2 }]), 22);
    const { version, origins } = await store.publishedOrigins(assetNumber, FIRST_DAY, LAST_DAY);
    assert.deepEqual(origins, new Map([[DAY, 21]]));
    assert.equal((await store.publishedOrigins(assetNumber, FIRST_DAY, LAST_DAY, version + 1)).origins, null);
    await clearPending(store);
    const after = (await store.publishedOrigins(assetNumber, FIRST_DAY, LAST_DAY)).origins;
    assert.deepEqual([after?.get(DAY), after?.get(DAY + 1)], [21, -22]);
    const second = await store.publishedOrigins(assetNumber, (DAY + 1) as Day, (DAY + 1) as Day);
    assert.deepEqual(second.origins, new Map([[DAY + 1, -22]]));
  });
}
