// Maximum drawdown: the largest fall from a close to a later one within the last n closes, in percent, at most 0.

import { percentChange } from '../arithmetic/percent-change.ts';
import type { Kernel, Series } from '../kernel.ts';

/** More than the rounding errors of a share and a product, so that no larger fall is passed over; most days need no division. */
const MARGIN = 1 + 1e-14;

/** Missing without a full window. */
export const kernel: Kernel = (series, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    const values = out[k]![0];
    values.fill(Number.NaN, row, row + series.end - first);
    maxDrawdown(series, lengths[k]!, first, values, row - first);
  }
};

/** Of the ends of a block, by their length: the largest fall, and the highest close. */
let tailFalls = new Float64Array(0);
let tailPeaks = new Float64Array(0);

/**
 * A day is written to the row `shift` further. The two parts of a window are those of `windowProducts`: the largest fall is in one of
 * them, or from the highest close of the first to the lowest of the second.
 */
function maxDrawdown(series: Series, length: number, first: number, out: Float64Array, shift: number): void {
  const { closes, firstDay, end } = series;
  for (let day = Math.max(first, length - 1); day < end; ) {
    const boundary = day - ((firstDay + day) % length);
    fallsBefore(closes, boundary, length - 1 - (day - boundary));
    let peak = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let worst = 0;
    let share = 1;
    const blockEnd = Math.min(boundary + length, end);
    for (let i = boundary; i < blockEnd; i++) {
      const close = closes[i]!;
      lowest = Math.min(lowest, close);
      if (close > peak) peak = close;
      else if (close < peak * share * MARGIN) {
        worst = Math.min(worst, percentChange(close, peak));
        share = Math.min(share, close / peak);
      }
      if (i < day) continue;
      const tail = boundary + length - 1 - i;
      const across = tail > 0 ? percentChange(lowest, tailPeaks[tail]!) : 0;
      out[i + shift] = Math.min(worst, tailFalls[tail]!, across);
    }
    day = blockEnd;
  }
}

function fallsBefore(closes: Float64Array, boundary: number, longest: number): void {
  if (tailFalls.length <= longest)
    [tailFalls, tailPeaks] = [new Float64Array(longest + 1), new Float64Array(longest + 1)];
  let peak = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let worst = 0;
  let share = 1;
  for (let length = 1; length <= longest; length++) {
    const close = closes[boundary - length]!;
    peak = Math.max(peak, close);
    if (close < lowest) lowest = close;
    else if (lowest < close * share * MARGIN) {
      worst = Math.min(worst, percentChange(lowest, close));
      share = Math.min(share, lowest / close);
    }
    tailFalls[length] = worst;
    tailPeaks[length] = peak;
  }
}
