// Puts a new minute of every asset into a store when it is told to, as a load does: in a process of its own, which gives way to the server's.
//
//   fork('minute-loader.ts', [STORE_URL]), then send each minute and wait for the answer, which comes after the publication

import { lowerPriority } from '../../src/common/lower-priority.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { openStore } from '../../src/store/open.ts';
import { barsIn } from './market.ts';

lowerPriority();
const store = await openStore(process.argv[2]!);
const assetNumbers = (await store.assets()).map(({ assetNumber }) => assetNumber);
process.on('message', async (minute: number) => {
  await store.series('1m').putBars(barsIn([minute], assetNumbers));
  const { version } = await recomputePending(store);
  process.send?.(version);
});
process.send?.('ready');
