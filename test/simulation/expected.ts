// What the store of a simulation must hold, kept beside it.

import type { StoredBars } from '../../src/store/store.ts';

export const ACTIVE_DAYS = 7;

export interface PublishedRow {
  readonly price: number;
  readonly sma5: number;
  /** Of each day from the first to the last. */
  readonly closes: readonly number[];
}

export class Expected {
  readonly bars = new Map<number, Map<number, number>>();
  /** By version: the rows of the listing by asset number. */
  readonly published = new Map<number, Map<number, PublishedRow>>();
  readonly keys = new Map<string, 'valid' | 'revoked' | 'unsure'>();

  onDone(name: string, args: readonly unknown[], result: unknown): void {
    if (name === 'putBars') this.#putBars(args[0] as StoredBars); // what the method takes
    if (name === 'publish') this.published.set(Number(result), this.#listing());
  }

  #putBars({ count, assetNumber, day, close }: StoredBars): void {
    for (let i = 0; i < count; i++) {
      const own = this.bars.get(assetNumber[i]!) ?? new Map<number, number>();
      this.bars.set(assetNumber[i]!, own.set(day[i]!, close[i]!));
    }
  }

  #listing(): Map<number, PublishedRow> {
    const lastDays = [...this.bars].map(([asset, own]) => [asset, Math.max(...own.keys())] as const);
    const newest = Math.max(...lastDays.map(([, day]) => day));
    const rows = new Map<number, PublishedRow>();
    for (const [asset, last] of lastDays) {
      if (last < newest - ACTIVE_DAYS) continue;
      const own = this.bars.get(asset)!;
      const first = Math.min(...own.keys());
      const closes: number[] = [];
      for (let day = first; day <= last; day++) closes.push(own.get(day) ?? closes.at(-1)!);
      const window = closes.slice(-5);
      const sma5 = window.reduce((sum, close) => sum + close, 0) / window.length;
      rows.set(asset, { price: closes.at(-1)!, sma5, closes });
    }
    return rows;
  }
}
