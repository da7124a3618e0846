// The dense bars of several assets, one after the other, as a store gives them.

import type { BarColumns } from '../domain/bar.ts';
import { dailyBars } from '../indicators/calendar.ts';
import type { DailyBarBatch, DailyCloses } from '../store/store.ts';

const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;

/** The latest closes of one asset, one per period. */
export interface DenseCloses {
  /** Of all its closes, also of those before these. */
  readonly first: number;
  readonly last: number;
  readonly close: Float64Array;
}

export interface DenseBars extends DenseCloses, Readonly<Record<(typeof NAMES)[number], Float64Array>> {}

const NONE = new Float64Array();

/** Of an asset without bars. */
export const NO_DENSE_BARS: DenseBars = {
  ...{ first: 0, last: 0 },
  ...{ open: NONE, high: NONE, low: NONE, close: NONE, volume: NONE },
};

/** Of the asset that is in this place of them. */
export function partOf({ starts, close, firstDay, lastDay }: DailyCloses, i: number): DenseCloses {
  return { first: firstDay[i]!, last: lastDay[i]!, close: close.subarray(starts[i], starts[i + 1]) };
}

/** From all delivered bars of an asset: of the newest period, and of so many before it. */
export function denseBars(delivered: BarColumns, periods: number): DenseBars {
  if (delivered.day.length === 0) return NO_DENSE_BARS;
  const { firstDay, closes, opens, highs, lows, volumes } = dailyBars(delivered);
  const cut = (values: Float64Array) => values.subarray(Math.max(0, values.length - periods - 1));
  return {
    ...{ first: firstDay, last: firstDay + closes.length - 1 },
    ...{ open: cut(opens), high: cut(highs), low: cut(lows), close: cut(closes), volume: cut(volumes) },
  };
}

export function joinedCloses(found: readonly DenseCloses[]): DailyCloses {
  const starts = new Uint32Array(found.length + 1);
  for (const [i, { close }] of found.entries()) starts[i + 1] = starts[i]! + close.length;
  return {
    starts,
    close: flat(found.map(({ close }) => close)),
    firstDay: Int32Array.from(found, ({ first }) => first),
    lastDay: Int32Array.from(found, ({ last }) => last),
  };
}

export function joinedBars(found: readonly DenseBars[]): DailyBarBatch {
  const numbers = NAMES.map(name => [name, flat(found.map(bars => bars[name]))]);
  return { ...joinedCloses(found), ...(Object.fromEntries(numbers) as Pick<DailyBarBatch, (typeof NAMES)[number]>) }; // by these names
}

function flat(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
