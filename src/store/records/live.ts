// How current live prices are.

import type { LiveStore } from '../port/store.ts';
import type { Records } from './steps.ts';
import { storable } from './storable.ts';
import { LIVE_TICKS } from './tables.ts';

export function liveStore(db: Records): LiveStore {
  return {
    recordTick: (source, at) => db.change(() => LIVE_TICKS.put([{ source: storable(source), at }])),
    newestTicks: async () => [...(await db.query(() => LIVE_TICKS.rows('ORDER BY source')))],
  };
}
