// The demo's ticking prices: every tick moves a few simulated prices of the running day, through the same steps as a load.

import type { AssetNumber } from '../../domain/asset.ts';
import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis } from '../../domain/day.ts';
import { recomputePending } from '../../publish/publish-pending.ts';
import type { Store } from '../../store/store.ts';
import { PRICE_DIGITS } from './prices.ts';
import { Random, rounded } from './random.ts';

/** Assets per tick. */
const MOVED = 5;
/** How far a price returns to the middle of its day's range per tick, and the deviation of a tick as a share of that range. */
const PULL = 0.03;
const STEP = 0.04;
const SEED = 20_260_630;

export class DemoTicks {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #random = new Random(SEED);
  #day: Day | null = null;
  /** Those that have a price of the day. */
  #assets: readonly AssetNumber[] = [];

  /** `now` in milliseconds since 1970. Equal stores and days move in the same way. */
  constructor(store: Store, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Moves some prices and publishes them. Does nothing while another process writes, or before the day has prices. */
  async tick(): Promise<void> {
    const day = dayOfMillis(this.#now());
    if (day === null) return;
    if (day !== this.#day || this.#assets.length === 0) {
      const assets = await this.#store.assets();
      this.#assets = assets.filter(({ lastDay }) => lastDay === day).map(({ assetNumber }) => assetNumber);
      this.#day = day;
    }
    if (this.#assets.length === 0) return;
    const lock = await this.#store.lock('load');
    if (lock === null) return;
    try {
      await this.#store.recordTick('demo', this.#now());
      await this.#move(day);
      await recomputePending(this.#store);
    } finally {
      await lock.release();
    }
  }

  async #move(day: Day): Promise<void> {
    const assetNumber = Uint32Array.from(this.#random.pickSome(this.#assets, MOVED));
    const bars = { ...barColumns(assetNumber.length), count: assetNumber.length, assetNumber };
    bars.day.fill(day);
    // What is missing stays as it is stored.
    bars.open.fill(Number.NaN);
    bars.volume.fill(Number.NaN);
    for (const [i, each] of assetNumber.entries()) {
      const stored = await this.#store.bars(each, day, day);
      const [high, low, close] = [stored.high[0]!, stored.low[0]!, stored.close[0]!];
      const middle = (high + low) / 2;
      const moved = close + PULL * (middle - close) + STEP * (high - low) * this.#random.normal();
      bars.close[i] = rounded(moved, PRICE_DIGITS);
      bars.high[i] = Math.max(high, bars.close[i]!);
      bars.low[i] = Math.min(low, bars.close[i]!);
    }
    await this.#store.putBars(bars);
  }
}
