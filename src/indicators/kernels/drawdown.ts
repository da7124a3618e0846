// Maximum drawdown: the largest fall from a close to a later one within the last n closes, in percent, at most 0.

import { percentChange } from '../arithmetic/percent-change.ts';
import type { Kernel } from '../kernel.ts';

/** More than the rounding errors of a fall, so that no close which falls further is passed over. */
const MARGIN = 1 + 1e-14;

/** Missing without a full window. */
export const kernel: Kernel = ({ closes, end }, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    const values = out[k]![0];
    values.fill(Number.NaN, row, row + end - first);
    maxDrawdown(closes, end, lengths[k]!, first, values, row - first);
  }
};

/**
 * A day is written to the row `shift` further. The largest fall stays the largest while its peak is in the window: closes that leave can only make falls smaller. So a day adds its
 * own fall from the highest close of the window, and the window is searched again only when one of these two peaks has left it.
 */
function maxDrawdown(
  closes: Float64Array,
  end: number,
  length: number,
  first: number,
  out: Float64Array,
  shift: number,
): void {
  let [peakAt, fallFrom, worst] = [-1, -1, 0];
  for (let day = Math.max(first, length - 1); day < end; day++) {
    const from = day - length + 1;
    if (peakAt < from || (fallFrom < from && worst < 0)) {
      [peakAt, fallFrom, worst] = searched(closes, from, day);
    } else if (closes[day]! > closes[peakAt]!) peakAt = day;
    else {
      const fall = percentChange(closes[day]!, closes[peakAt]!);
      if (fall < worst) [fallFrom, worst] = [peakAt, fall];
    }
    out[day + shift] = worst;
  }
}

/** Where the highest close of the days `from … to` is, where the largest fall begins, and that fall. */
function searched(closes: Float64Array, from: number, to: number): [peakAt: number, fallFrom: number, worst: number] {
  let [peakAt, fallFrom, worst, peak] = [from, from, 0, 0];
  /** Only a close below it can be a larger fall: most days need no division. */
  let floor = 0;
  for (let i = from; i <= to; i++) {
    const close = closes[i]!;
    if (close > peak) [peak, peakAt] = [close, i];
    else if (close > floor) continue;
    else {
      const fall = percentChange(close, peak);
      if (fall < worst) [worst, fallFrom] = [fall, peakAt];
    }
    floor = peak * (1 + worst / 100) * MARGIN;
  }
  return [peakAt, fallFrom, worst];
}
