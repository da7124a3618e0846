// A process of its own that uses a store and prints one word about how that went.
//
//   node store-child.ts URL open     opens and closes
//   node store-child.ts URL lock     takes the writer's lock and keeps it until its input ends
//   node store-child.ts URL write N  puts every second of 300 bars of the store's first asset, one at a time, from day N on

import { openStore } from '../../src/store/open.ts';
import { StoreError } from '../../src/store/store.ts';
import { batch } from './fixtures.ts';

const [url = '', task = '', first = '0'] = process.argv.slice(2);

try {
  const store = await openStore(url);
  if (task === 'lock') {
    const lock = await store.lockWriter();
    console.log(lock ? 'locked' : 'refused');
    if (lock) for await (const _ of process.stdin);
    await lock?.release();
  } else if (task === 'write') {
    const key = (await store.assets())[0]!.key;
    for (let day = Number(first); day < 300; day += 2) await store.putBars(batch([{ key, day, close: day + 1 }]));
    console.log('written');
  } else {
    console.log('opened');
  }
  await store.close();
} catch (error) {
  console.log(error instanceof StoreError ? error.code : String(error));
}
