// A small market, publication after publication: real snapshots for tests of what compares them.

import { buildSnapshot, updateSnapshot } from '../../src/snapshot/build/build.ts';
import type { Snapshot } from '../../src/snapshot/table.ts';
import { asset, NOW, row, rowValues } from './market.ts';

/** By ticker; `A#2` is another asset with the ticker A. */
export type Prices = Readonly<Record<string, number>>;

export class Publications {
  readonly #numbers = new Map<string, number>();
  readonly #delisted = new Set<string>();
  current: Snapshot;

  /** The first publication has version 1. */
  constructor(prices: Prices) {
    this.current = buildSnapshot({ version: 1, ...this.#input(prices) });
  }

  /** The next one: `prices` are published, `delisted` leave the listing. */
  next(prices: Prices, delisted: readonly string[] = []): Snapshot {
    for (const symbol of delisted) this.#delisted.add(symbol);
    this.current = updateSnapshot(this.current, { version: this.current.version + 1, ...this.#input(prices) });
    return this.current;
  }

  #input(prices: Prices) {
    for (const symbol of Object.keys(prices))
      if (!this.#numbers.has(symbol)) this.#numbers.set(symbol, this.#numbers.size + 1);
    return {
      assets: [...this.#numbers].map(([key, assetNumber]) =>
        asset({ assetNumber, symbol: key.replace(/#.*/, ''), delisted: this.#delisted.has(key) }),
      ),
      rows: Object.entries(prices).map(([symbol, price]) =>
        row(this.#numbers.get(symbol)!, { price, values: rowValues(() => 1) }),
      ),
      now: NOW,
    };
  }
}
