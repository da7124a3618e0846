// Closes that a load has replaced, kept until it is published: what is published was made from them, and so is every history that is
// to agree with it.

import type { AssetNumber } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';

export type Closes = Pick<BarColumns, 'day' | 'close'>;

/** Of one asset, by day; NaN where there was none. */
export type ReplacedCloses = ReadonlyMap<number, number>;

/** Of a batch of bars: the close that an asset had on a day. */
export class ReplacedBatch {
  readonly key: AssetNumber[] = [];
  readonly day: number[] = [];
  readonly close: number[] = [];

  add(key: AssetNumber, day: number, close: number): void {
    this.key.push(key);
    this.day.push(day);
    this.close.push(close);
  }
}

/** The closes before any was replaced. Every day of the replaced ones is among them. */
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
