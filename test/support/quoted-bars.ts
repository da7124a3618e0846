// Bars in another quote, from the definition alone: every price is divided by the quote's close of the same period of the base, or by the
// newest one before it, if that is at most seven days older. Bars without such a close do not exist. Longer bars are made of these.

import type { Bars } from './oracle/bars.ts';

const DAY = 86_400_000;

/** `millis`: length of a period. Of the quote, only periods and closes count. */
export function barsInQuote(bars: Bars, quote: Pick<Bars, 'day' | 'close'>, millis: number): Bars {
  const divisors = bars.day.map(period => {
    let found: number | null = null;
    for (const [i, at] of quote.day.entries()) {
      if (at > period) break;
      found = (period - at) * millis <= 7 * DAY ? quote.close[i]! : null;
    }
    return found;
  });
  const kept = [...bars.day.keys()].filter(i => divisors[i] !== null);
  const divided = (values: readonly (number | null)[]) =>
    kept.map(i => (values[i] === null || values[i] === undefined ? null : values[i] / divisors[i]!));
  return {
    day: kept.map(i => bars.day[i]!),
    open: divided(bars.open),
    high: divided(bars.high),
    low: divided(bars.low),
    close: divided(bars.close).map(Number),
    volume: kept.map(i => bars.volume[i] ?? null),
  };
}

/** First open, highest high, lowest low, last close, sum of volumes; unknown if any of them is. `periodOf`: the longer one of each. */
export function longerBars(bars: Bars, periodOf: (period: number) => number): Bars {
  const groups = [...Map.groupBy(bars.day.keys(), i => periodOf(bars.day[i]!)).entries()];
  const all = (values: readonly (number | null)[], join: (known: number[]) => number) =>
    groups.map(([, places]) => {
      const found = places.map(i => values[i] ?? null);
      return found.includes(null) ? null : join(found.map(Number));
    });
  return {
    day: groups.map(([period]) => period),
    open: groups.map(([, places]) => bars.open[places[0]!] ?? null),
    high: all(bars.high, known => Math.max(...known)),
    low: all(bars.low, known => Math.min(...known)),
    close: groups.map(([, places]) => bars.close[places.at(-1)!]!),
    volume: all(bars.volume, known => known.reduce((sum, each) => sum + each, 0)),
  };
}
