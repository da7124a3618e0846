// The demo's ticking prices: every tick moves a few simulated prices of the running day, through the same steps as a load.

import type { AssetNumber } from '../../domain/asset.ts';
import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis } from '../../domain/day.ts';
import { recomputePending } from '../../publish/publish-pending.ts';
import type { Store } from '../../store/store.ts';
import { randomStream, rounded } from './random.ts';

/** Assets per tick. */
const MOVED = 5;
/** How far a price returns to the middle of its day's range per tick, and the deviation of a tick as a share of that range. */
const PULL = 0.03;
const STEP = 0.04;
const SEED = 20_260_630;

/**
 * Returns the tick, which moves some prices and publishes them. It does nothing while another process writes, or before the day has
 * prices. `now` is in milliseconds since 1970. Equal stores and days move in the same way.
 */
export function demoTicks(store: Store, now: () => number = Date.now): () => Promise<void> {
  const random = randomStream(SEED);
  let known: Day | null = null;
  /** Those that have a price of the known day. */
  let priced: readonly AssetNumber[] = [];
  return async () => {
    const day = dayOfMillis(now());
    if (day !== known || priced.length === 0) {
      const assets = await store.assets();
      priced = assets.filter(({ lastDay }) => lastDay === day).map(({ assetNumber }) => assetNumber);
      known = day;
    }
    if (day === null || priced.length === 0) return;
    await using lock = await store.lock('load');
    if (lock === null) return;
    await store.recordTick('demo', now());
    const moved = random.pickSome(priced, MOVED);
    // What is not given, open and volume, stays as it is stored.
    const bars = { ...barColumns(MOVED), count: moved.length, assetNumber: Uint32Array.from(moved) };
    for (const [i, each] of moved.entries()) {
      const { high, low, close } = await store.bars(each, day, day);
      const range = high[0]! - low[0]!;
      const back = PULL * (low[0]! + range / 2 - close[0]!);
      bars.day[i] = day;
      bars.close[i] = rounded(close[0]! + back + STEP * range * random.normal());
      bars.high[i] = Math.max(high[0]!, bars.close[i]!);
      bars.low[i] = Math.min(low[0]!, bars.close[i]!);
    }
    await store.putBars(bars);
    await recomputePending(store);
  };
}
