// Puts new closes into a store when it is told to, as a load does: in a process of its own, which gives way to the server's.
//
//   fork('loader.ts', [STORE_URL, BAR_KIND]), then send each LoaderTask and wait for the answer

import { lowerPriority } from '../../src/common/lower-priority.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { openStore } from '../../src/store/open.ts';
import { type BarKind, barsOn } from './market.ts';

export interface LoaderTask {
  readonly assetNumbers: readonly number[];
  readonly round: number;
  /** Of the closes. */
  readonly day: number;
}

export interface LoaderAnswer {
  /** Of the publication. */
  readonly version: number;
  /** When it was committed, in milliseconds since 1970. */
  readonly at: number;
}

lowerPriority();
const store = await openStore(process.argv[2]!);
const kind = process.argv[3] as BarKind; // see above
process.on('message', async ({ assetNumbers, round, day }: LoaderTask) => {
  await store.putBars(barsOn(day, assetNumbers, round, kind));
  const { version } = await recomputePending(store);
  process.send?.({ version, at: Date.now() } satisfies LoaderAnswer);
});
process.send?.('ready');
