// A process of its own that uses a store and prints one word about how that went.
//
//   node store-child.ts URL open     opens and closes
//   node store-child.ts URL lock     takes the writer's lock and keeps it until its input ends
//   node store-child.ts URL write N  puts every second of 300 bars of the store's first asset, one at a time, from day N on
//   node store-child.ts URL publish  publishes nothing under a new version
//   node store-child.ts URL facts N  changes the rank and the supply of all assets, load after load from N on, until it is killed
//   node store-child.ts URL use N    counts 100 uses of one key, one at a time, and creates 10 keys of its own

import { hashOf, newKeyId } from '../../src/domain/api-key.ts';
import { type Day, FIRST_DAY } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/open.ts';
import { StoreError } from '../../src/store/store.ts';
import { batch } from './fixtures.ts';

const [url = '', task = '', first = '0'] = process.argv.slice(2);

try {
  const store = await openStore(url);
  if (task === 'lock') {
    const lock = await store.lock('load');
    console.log(lock ? 'locked' : 'refused');
    if (lock) for await (const _ of process.stdin);
    await lock?.release();
  } else if (task === 'write') {
    const assetNumber = (await store.assets())[0]!.assetNumber;
    for (let day = Number(first); day < 300; day += 2)
      await store.putBars(batch([{ assetNumber, day, close: day + 1 }]));
    console.log('written');
  } else if (task === 'facts') {
    const drafts = (await store.assets()).map(({ assetNumber, firstDay, lastDay, bars, ...facts }) => facts);
    for (let load = Number(first); ; load++) {
      const changed = drafts.map((facts, i) => ({ ...facts, rank: load + i, supply: load / 3 }));
      await store.putAssets(changed, { day: (FIRST_DAY + load) as Day, load });
      if (load === Number(first)) console.log('recording');
    }
  } else if (task === 'publish') {
    await store.publish('x', []);
    console.log('published');
  } else if (task === 'use') {
    for (let count = 0; count < 100; count++) {
      await store.addUsage(FIRST_DAY, [{ keyId: 'key_shared', accepted: 1, refused: 0 }]);
      if (count % 10 > 0) continue;
      const id = newKeyId();
      await store.createKey({ id, hash: hashOf(id), tier: 'free', name: first, expires: null });
    }
    console.log('used');
  } else {
    console.log('opened');
  }
  await store.close();
} catch (error) {
  console.log(error instanceof StoreError ? error.code : String(error));
}
