// The demo's ticking prices: every tick moves a few simulated prices of the running day, through the same steps as a load.

import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis } from '../../domain/day.ts';
import { recomputePending } from '../../publish/publish-pending.ts';
import type { Store } from '../../store/store.ts';
import { growth, Random, rounded } from './random.ts';
import { universe } from './universe.ts';

/** Assets per tick. */
const MOVED = 5;
/** Of the logarithm of a price: how much of its distance from the day's simulated close stays, and how far one tick goes. */
const STAYS = 0.97;
const STEP = 0.004;
const DIGITS = 6;
const SEED = 20_260_630;

interface Moving {
  readonly assetNumber: number;
  /** As the demo's load stored it. */
  readonly close: number;
  high: number;
  low: number;
  /** The logarithm of price / close. */
  distance: number;
}

export class DemoTicks {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #random = new Random(SEED);
  #day: Day | null = null;
  #assets: readonly Moving[] = [];

  /** `now` in milliseconds since 1970. Equal stores and days move in the same way. */
  constructor(store: Store, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Moves some prices and publishes them. Does nothing while another process writes, or before the day has prices. */
  async tick(): Promise<void> {
    const day = dayOfMillis(this.#now());
    if (day === null) return;
    if (day !== this.#day || this.#assets.length === 0) this.#assets = await this.#pricesOf(day);
    this.#day = day;
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
    const bars = { ...barColumns(MOVED), count: MOVED, assetNumber: new Uint32Array(MOVED) };
    for (let i = 0; i < MOVED; i++) {
      const asset = this.#assets[this.#random.whole(0, this.#assets.length - 1)]!;
      asset.distance = STAYS * asset.distance + STEP * this.#random.normal();
      const close = rounded(asset.close * growth(asset.distance), DIGITS);
      asset.high = Math.max(asset.high, close);
      asset.low = Math.min(asset.low, close);
      bars.assetNumber[i] = asset.assetNumber;
      bars.day[i] = day;
      bars.high[i] = asset.high;
      bars.low[i] = asset.low;
      bars.close[i] = close;
      // What is missing stays as it is stored.
      [bars.open[i], bars.volume[i]] = [Number.NaN, Number.NaN];
    }
    await this.#store.putBars(bars);
  }

  /** The assets whose price floats and that have a bar of the day. */
  async #pricesOf(day: Day): Promise<Moving[]> {
    const floating = new Set(universe(day).flatMap(({ id, behaviour }) => (behaviour.kind === 'floating' ? [id] : [])));
    const found: Moving[] = [];
    for (const { assetNumber, id } of await this.#store.assets()) {
      if (!floating.has(id)) continue;
      const { close, high, low } = await this.#store.bars(assetNumber, day, day);
      if (close[0] !== undefined)
        found.push({ assetNumber, close: close[0], high: high[0]!, low: low[0]!, distance: 0 });
    }
    return found;
  }
}
