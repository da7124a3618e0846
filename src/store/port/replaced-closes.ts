// Closes that a load has replaced, kept until its rows are published: the published rows were computed from them, and histories must
// agree with the published rows.

import type { AssetNumber } from '../../domain/asset.ts';
import { type BarColumns, barColumns } from '../../domain/bar.ts';

export type Closes = Pick<BarColumns, 'day' | 'close'>;

/** Of one asset, by day; NaN for a day that had no close. */
export type ReplacedCloses = ReadonlyMap<number, number>;

/** Of several assets: the close that an asset had on a day. */
export class ReplacedBatch {
  readonly assetNumber: AssetNumber[] = [];
  readonly day: number[] = [];
  readonly close: number[] = [];

  add(assetNumber: AssetNumber, day: number, close: number): void {
    this.assetNumber.push(assetNumber);
    this.day.push(day);
    this.close.push(close);
  }

  /** The oldest day of each asset. */
  oldestDays(): Map<AssetNumber, number> {
    const oldest = new Map<AssetNumber, number>();
    for (let i = 0; i < this.assetNumber.length; i++) {
      const asset = this.assetNumber[i]!;
      const known = oldest.get(asset);
      if (known === undefined || this.day[i]! < known) oldest.set(asset, this.day[i]!);
    }
    return oldest;
  }
}

/** The closes from a day to another, both included, before any was replaced or removed. `now` are those that are left of them. */
export function beforeReplaced(now: Closes, replaced: ReplacedCloses, from: number, to: number): Closes {
  if (replaced.size === 0) return now;
  const closes = new Map<number, number>();
  for (let i = 0; i < now.day.length; i++) closes.set(now.day[i]!, now.close[i]!);
  let isOrdered = true;
  for (const [day, close] of replaced) {
    if (day < from || day > to) continue;
    if (Number.isNaN(close)) closes.delete(day);
    else {
      if (!closes.has(day)) isOrdered = false;
      closes.set(day, close);
    }
  }
  const days = Int32Array.from(closes.keys());
  // A typed array sorts by number.
  if (!isOrdered) days.sort();
  return { day: days, close: Float64Array.from(days, day => closes.get(day)!) };
}

const OTHER_NUMBERS = ['open', 'high', 'low', 'volume'] as const satisfies readonly (keyof BarColumns)[];

/** The bars before any close was replaced or removed; see `BarStore.publishedBars`. */
export function barsBeforeReplaced(now: BarColumns, replaced: ReplacedCloses, from: number, to: number): BarColumns {
  if (replaced.size === 0) return now;
  const { day, close } = beforeReplaced(now, replaced, from, to);
  const bars = barColumns(day.length);
  bars.day.set(day);
  bars.close.set(close);
  for (let i = 0, at = 0; i < day.length; i++) {
    while (now.day[at]! < day[i]!) at++;
    if (now.day[at] !== day[i] || close[i] !== now.close[at]) continue;
    for (const name of OTHER_NUMBERS) bars[name][i] = now[name][at]!;
  }
  return bars;
}
