// Sharpe ratio: mean / sample standard deviation of the last n daily log returns, times √365.
//
// The mean of log returns is ln(C₀ / Cₙ) / n, which cancels nothing.

import { logReturn } from './log-return.ts';
import { ReturnWindow } from './return-window.ts';

const DAYS_PER_YEAR = 365;

/** Writes the values of the days `first …` to `out[0 …]`; NaN without a full window, or if all returns are equal. */
export function sharpe(
  closes: Float64Array,
  returns: Float64Array,
  window: number,
  first: number,
  out: Float64Array,
): void {
  const used = new ReturnWindow(closes, returns, window);
  out.fill(Number.NaN);
  for (let day = Math.max(first, window); day < closes.length; day++) {
    used.moveTo(day);
    if (used.squares === 0) continue;
    const mean = logReturn(closes[day - window]!, closes[day]!) / window;
    out[day - first] = (mean / Math.sqrt(used.squares / (window - 1))) * Math.sqrt(DAYS_PER_YEAR);
  }
}
