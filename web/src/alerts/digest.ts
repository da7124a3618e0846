// What a watch has to tell: collected, so that assets which flutter around a limit do not become a message each.

import type { WatchDirection } from '../watches.ts';

/** Milliseconds between two messages of one watch. */
export const BETWEEN = 60_000;
/** Milliseconds in which an asset is reported once. */
export const PER_ASSET = 3_600_000;

export interface News<Row> {
  readonly entered: readonly Row[];
  /** Tickers. */
  readonly left: readonly string[];
}

export class Digest<Row extends { readonly symbol: string }> {
  readonly #on: WatchDirection;
  readonly #entered = new Map<string, Row>();
  readonly #left = new Set<string>();
  /** By ticker, when it was last reported. */
  readonly #reported = new Map<string, number>();
  #last = Number.NEGATIVE_INFINITY;

  constructor(on: WatchDirection) {
    this.#on = on;
  }

  add({ entered, left }: News<Row>): void {
    for (const row of entered) if (!this.#left.delete(row.symbol)) this.#entered.set(row.symbol, row);
    for (const symbol of left) if (!this.#entered.delete(symbol)) this.#left.add(symbol);
  }

  /** Milliseconds until `take` may have something; null: nothing is waiting. */
  wait(now: number): number | null {
    return this.#entered.size + this.#left.size === 0 ? null : Math.max(0, this.#last + BETWEEN - now);
  }

  /** What to report now; null: nothing that is worth a message. */
  take(now: number): News<Row> | null {
    if (this.wait(now) !== 0) return null;
    for (const [symbol, at] of this.#reported) if (now - at >= PER_ASSET) this.#reported.delete(symbol);
    const isNews = (symbol: string) => !this.#reported.has(symbol);
    const entered = this.#on === 'leave' ? [] : [...this.#entered.values()].filter(row => isNews(row.symbol));
    const left = this.#on === 'enter' ? [] : [...this.#left].filter(isNews);
    this.#entered.clear();
    this.#left.clear();
    if (entered.length + left.length === 0) return null;
    for (const symbol of [...entered.map(row => row.symbol), ...left]) this.#reported.set(symbol, now);
    this.#last = now;
    return { entered, left };
  }
}
