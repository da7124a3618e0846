// Maximum drawdown: the largest fall from a close to a later one within the last n closes, in percent, at most 0.

import { percentChange } from './change.ts';

/** Writes the values of the days `first …` to `out[0 …]`; NaN without a full window. */
export function maxDrawdown(closes: Float64Array, window: number, first: number, out: Float64Array): void {
  out.fill(Number.NaN);
  for (let day = Math.max(first, window - 1); day < closes.length; day++) {
    let peak = 0;
    let worst = 0;
    for (let i = day - window + 1; i <= day; i++) {
      const close = closes[i]!;
      if (close >= peak) peak = close;
      else worst = Math.min(worst, percentChange(close, peak));
    }
    out[day - first] = worst;
  }
}
