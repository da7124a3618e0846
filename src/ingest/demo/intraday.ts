// The hours of a simulated day and the minutes of an hour: bars that a bar is made of, exactly. Their first open, highest high, lowest low,
// last close and sum of volumes are those of the bar.

import type { BarColumns } from '../../domain/bar.ts';
import { hash, randomStream, rounded } from './random.ts';

export interface WholeBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** The deviation of one step of the path, as a share of the bar's range. */
const STEP = 0.6;
/** How far a bar reaches beyond its open and close at most, as a share of the range of the whole. */
const REACH = 0.12;

/** Writes `count` bars of the periods from `first` on to `out` from index `at` on, and returns the index after them. */
export function splitBar(
  bar: WholeBar,
  count: number,
  seed: number,
  first: number,
  out: BarColumns,
  at: number,
): number {
  const random = randomStream(seed);
  const { high, low, close } = bar;
  const range = high - low;
  const within = (price: number) => Math.min(high, Math.max(low, rounded(price)));
  let [previous, highest, lowest] = [bar.open, at, at];
  let weights = 0;
  for (let i = 0; i < count; i++) {
    const index = at + i;
    // A walk that ends at the close, whatever it does before.
    const drift = (close - previous) / (count - i);
    const price =
      i === count - 1 ? close : within(previous + drift + ((STEP * range) / Math.sqrt(count)) * random.normal());
    out.day[index] = first + i;
    out.open[index] = previous;
    out.close[index] = price;
    out.high[index] = within(Math.max(previous, price) + REACH * range * random.between(0, 1));
    out.low[index] = within(Math.min(previous, price) - REACH * range * random.between(0, 1));
    out.volume[index] = random.between(0.5, 1.5) + (range === 0 ? 0 : (4 * Math.abs(price - previous)) / range);
    weights += out.volume[index]!;
    if (out.high[index]! > out.high[highest]!) highest = index;
    if (out.low[index]! < out.low[lowest]!) lowest = index;
    previous = price;
  }
  out.high[highest] = high;
  out.low[lowest] = low;
  shareVolume(bar.volume, weights, count, out, at);
  return at + count;
}

/** In whole units of the volume's last binary digit, so that every sum of shares is exact. The last bar gets what is left. */
function shareVolume(volume: number, weights: number, count: number, out: BarColumns, at: number): void {
  let unit = 1;
  while (volume / unit >= 2 ** 53) unit *= 2;
  let left = volume;
  for (let index = at; index < at + count - 1; index++) {
    const share = Math.min(left, Math.floor((volume * (out.volume[index]! / weights)) / unit) * unit);
    out.volume[index] = share;
    left -= share;
  }
  out.volume[at + count - 1] = left;
}

const HOURS = 24;
const MINUTES = 60;

/** The hours of a day; of the running one, the first `count`, which are all of it so far. Returns the index after them. */
export function writeHours(
  seed: number,
  day: number,
  bar: WholeBar,
  out: BarColumns,
  at: number,
  count = HOURS,
): number {
  return splitBar(bar, count, hash(hash(seed, day), count), day * HOURS, out, at);
}

/** The minutes of one of these hours. */
export function writeMinutes(
  seed: number,
  hour: number,
  bar: WholeBar,
  out: BarColumns,
  at: number,
  count = MINUTES,
): number {
  return splitBar(bar, count, hash(hash(seed, hour), count), hour * MINUTES, out, at);
}
