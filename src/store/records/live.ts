// How current live prices are.

import type { LiveStore } from '../port/store.ts';
import { put, type Records, rows } from './steps.ts';
import { storable } from './storable.ts';
import { LIVE_TICKS } from './tables.ts';

export function liveStore(db: Records): LiveStore {
  return {
    recordTick: (source, at) => db.change(() => put(LIVE_TICKS, [{ source: storable(source), at }])),
    newestTicks: async () => [...(await db.query(() => rows(LIVE_TICKS, 'ORDER BY source')))],
  };
}
