// The newest price of each market, as its tickers report them: what cannot be right is refused and counted, and what is older than
// what is known is ignored. Its size is that of the list of markets, however many ticks come.

import { type Day, dayOfMillis } from '../../domain/day.ts';
import { isPrice } from '../../domain/price.ts';

/** What an exchange says of a market. */
export interface Tick {
  /** Milliseconds since 1970; undefined if the exchange does not say. */
  readonly timestamp: number | undefined;
  readonly price: number | undefined;
}

export interface NewPrice {
  readonly market: string;
  readonly day: Day;
  readonly price: number;
}

/** A tick from further in the future than this is wrong: clocks differ by seconds. */
const MAX_AHEAD_MS = 10 * 60_000;

export interface TickCounts {
  /** Ticks that changed a price. */
  accepted: number;
  /** Not a positive, finite, plausible price, or of the future. */
  refused: number;
  /** Older than the newest tick of the same market. */
  outOfOrder: number;
}

interface Known {
  readonly at: number;
  readonly day: Day;
  readonly price: number;
  isNew: boolean;
}

export class TickBook {
  readonly counts: TickCounts = { accepted: 0, refused: 0, outOfOrder: 0 };
  readonly #known = new Map<string, Known>();
  #newestAt: number | null = null;

  /** Time of the newest tick that was accepted, by the exchange's clock where it tells. */
  get newestAt(): number | null {
    return this.#newestAt;
  }

  /** `now` is the time of this machine, in milliseconds since 1970. Returns whether the tick is newer than what was known. */
  take(market: string, { timestamp, price }: Tick, now: number): boolean {
    const at = timestamp ?? now;
    const day = dayOfMillis(at);
    if (price === undefined || !isPrice(price) || day === null || at > now + MAX_AHEAD_MS) {
      this.counts.refused++;
      return false;
    }
    const known = this.#known.get(market);
    // Two of the same time are in order: some exchanges tell whole seconds.
    if (known !== undefined && at < known.at) {
      this.counts.outOfOrder++;
      return false;
    }
    const same = known !== undefined && known.price === price && known.day === day;
    if (!same) this.counts.accepted++;
    this.#known.set(market, { at, day, price, isNew: known?.isNew === true || !same });
    this.#newestAt = Math.max(this.#newestAt ?? 0, at);
    return true;
  }

  /** Prices of this day that are new since the last call. Those of an earlier day come with the daily candle. */
  drain(today: Day): NewPrice[] {
    const fresh: NewPrice[] = [];
    for (const [market, known] of this.#known) {
      if (!known.isNew) continue;
      known.isNew = false;
      if (known.day >= today) fresh.push({ market, day: known.day, price: known.price });
    }
    return fresh;
  }

  /** Prices that could not be stored are new again, unless newer ones have come. */
  giveBack(prices: readonly NewPrice[]): void {
    for (const { market } of prices) {
      const known = this.#known.get(market);
      if (known !== undefined) known.isNew = true;
    }
  }

  /** Markets that are no longer followed. */
  keepOnly(markets: ReadonlySet<string>): void {
    for (const market of this.#known.keys()) if (!markets.has(market)) this.#known.delete(market);
  }
}
