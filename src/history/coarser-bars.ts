// The bars of a longer interval, made of those of the base that it is read from: the open of the first bar, the highest high, the lowest
// low, the close of the last, the sum of the volumes. What is unknown in one of the bars is unknown in the longer one.

import { type BarColumns, barColumns } from '../domain/bar.ts';
import { baseOf, coarserPeriod, type Interval } from '../domain/interval.ts';

/** `bars` are delivered ones of the base, oldest first: bars that carry a close forward would change highs and lows. */
export function coarserBars(bars: BarColumns, interval: Interval): BarColumns {
  const base = baseOf(interval);
  if (base === interval) return bars;
  const periods = bars.day.map(coarserPeriod(base, interval));
  const found = barColumns(countDifferent(periods));
  const { day, open, high, low, close, volume } = found;
  for (let i = 0, row = 0; i < periods.length; row++) {
    day[row] = periods[i]!;
    open[row] = bars.open[i]!;
    high[row] = Number.NEGATIVE_INFINITY;
    low[row] = Number.POSITIVE_INFINITY;
    volume[row] = 0;
    for (; periods[i] === day[row]; i++) {
      // NaN, an unknown number, makes each of these NaN.
      high[row] = Math.max(high[row]!, bars.high[i]!);
      low[row] = Math.min(low[row]!, bars.low[i]!);
      volume[row]! += bars.volume[i]!;
      close[row] = bars.close[i]!;
    }
  }
  return found;
}

type Closes = Pick<BarColumns, 'day' | 'close'>;

/** The same of closes alone. */
export function coarserCloses(closes: Closes, interval: Interval): Closes {
  const base = baseOf(interval);
  if (base === interval) return closes;
  const periods = closes.day.map(coarserPeriod(base, interval));
  const count = countDifferent(periods);
  const found = { day: new Int32Array(count), close: new Float64Array(count) };
  for (let i = 0, row = -1; i < periods.length; i++) {
    if (i === 0 || periods[i] !== periods[i - 1]) row++;
    found.day[row] = periods[i]!;
    found.close[row] = closes.close[i]!;
  }
  return found;
}

/** `periods` ascend. */
function countDifferent(periods: Int32Array): number {
  let count = 0;
  for (let i = 0; i < periods.length; i++) if (i === 0 || periods[i] !== periods[i - 1]) count++;
  return count;
}
