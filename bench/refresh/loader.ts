// Puts new closes into a store when it is told to, as a load does: in a process of its own, which gives way to the server's.
//
//   fork('loader.ts', [STORE_URL]), then send each LoaderTask and wait for the answer

import { giveWay } from '../../src/ingest/give-way.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { openStore } from '../../src/store/open.ts';
import { closesOn, NEXT_DAY } from './market.ts';

export interface LoaderTask {
  readonly keys: readonly number[];
  readonly round: number;
}

giveWay();
const store = await openStore(process.argv[2]!);
process.on('message', async ({ keys, round }: LoaderTask) => {
  await store.putBars(closesOn(NEXT_DAY, keys, round));
  await recomputePending(store);
  process.send?.('published');
});
process.send?.('ready');
