// The highest and the lowest of the last n closes, and the distances of the latest close from them in percent.

import { percentChange } from '../arithmetic/percent-change.ts';
import type { Kernel, Outputs } from '../kernel.ts';

/** Missing without a full window. */
export const kernel: Kernel = ({ closes, end }, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    for (const values of out[k]!) values.fill(Number.NaN, row, row + end - first);
    extremes(closes, end, lengths[k]!, first, out[k]!, row - first);
  }
};

/** A day is written to the row `shift` further. */
function extremes(closes: Float64Array, end: number, length: number, first: number, out: Outputs, shift: number): void {
  const [highest, lowest, fromHighest, fromLowest] = out;
  let [highAt, lowAt] = [-1, -1];
  for (let day = Math.max(first, length - 1); day < end; day++) {
    const from = day - length + 1;
    // The window is searched again only when an extreme has left it.
    if (highAt < from || lowAt < from) {
      highAt = lowAt = from;
      for (let i = from + 1; i < day; i++) {
        if (closes[i]! >= closes[highAt]!) highAt = i;
        else if (closes[i]! <= closes[lowAt]!) lowAt = i;
      }
    }
    const close = closes[day]!;
    if (close >= closes[highAt]!) highAt = day;
    if (close <= closes[lowAt]!) lowAt = day;
    highest[day + shift] = closes[highAt]!;
    lowest[day + shift] = closes[lowAt]!;
    fromHighest[day + shift] = percentChange(close, closes[highAt]!);
    fromLowest[day + shift] = percentChange(close, closes[lowAt]!);
  }
}
