// Closes that a load has replaced, kept until its rows are published: the published rows were computed from them, and histories must
// agree with the published rows.

import type { AssetNumber } from '../domain/asset.ts';
import { type BarColumns, barColumns } from '../domain/bar.ts';

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
}

/** The closes before any was replaced. `now` has every day of `replaced`. */
export function beforeReplaced(now: Closes, replaced: ReplacedCloses): Closes {
  if (replaced.size === 0) return now;
  const [day, close] = [now.day.slice(), now.close.slice()];
  let count = 0;
  for (let i = 0; i < day.length; i++) {
    const was = replaced.get(day[i]!) ?? close[i]!;
    if (Number.isNaN(was)) continue;
    day[count] = day[i]!;
    close[count++] = was;
  }
  return { day: day.subarray(0, count), close: close.subarray(0, count) };
}

const OTHER_NUMBERS = ['open', 'high', 'low', 'volume'] as const satisfies readonly (keyof BarColumns)[];

/** The bars before any close was replaced; see `BarStore.publishedBars`. */
export function barsBeforeReplaced(now: BarColumns, replaced: ReplacedCloses): BarColumns {
  if (replaced.size === 0) return now;
  const { day, close } = beforeReplaced(now, replaced);
  const bars = barColumns(day.length);
  bars.day.set(day);
  bars.close.set(close);
  for (let i = 0, from = 0; i < day.length; i++) {
    while (now.day[from] !== day[i]) from++;
    if (close[i] !== now.close[from]) continue;
    for (const name of OTHER_NUMBERS) bars[name][i] = now[name][from]!;
  }
  return bars;
}
