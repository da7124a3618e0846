// Maximum drawdown: the largest fall from a close to a later one within the last n closes, in percent, at most 0.

import { percentChange } from './change.ts';

/** More than the rounding errors of a fall, so that no close which falls further is passed over. */
const MARGIN = 1 + 1e-14;

/** Writes the values of the days `first …` to `out[0 …]`; NaN without a full window. */
export function maxDrawdown(closes: Float64Array, window: number, first: number, out: Float64Array): void {
  out.fill(Number.NaN);
  for (let day = Math.max(first, window - 1); day < closes.length; day++) {
    let peak = 0;
    let worst = 0;
    /** Only a close below it can be a larger fall: most days need no division. */
    let floor = 0;
    for (let i = day - window + 1; i <= day; i++) {
      const close = closes[i]!;
      if (close > peak) peak = close;
      else if (close > floor) continue;
      else worst = Math.min(worst, percentChange(close, peak));
      floor = peak * (1 + worst / 100) * MARGIN;
    }
    out[day - first] = worst;
  }
}
