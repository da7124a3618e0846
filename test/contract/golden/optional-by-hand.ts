// Cases of the optional columns that anyone can check with pencil and paper.

import type { Bars } from '../../support/oracle/bars.ts';

export interface OptionalCase {
  readonly name: string;
  readonly bars: Bars;
  /** Null: without a benchmark. */
  readonly benchmark: Bars | null;
  readonly expected: Readonly<Record<string, number | null>>;
}

const FIRST_DAY = 19_000;

/** Closes only, one per day. */
function closesOnly(close: readonly number[]): Bars {
  const none = close.map(() => null);
  return { day: close.map((_, i) => FIRST_DAY + i), open: none, high: none, low: none, close, volume: none };
}

function numbers(count: number, value: (i: number) => number): number[] {
  return Array.from({ length: count }, (_, i) => value(i));
}

/** Each day from 1 below its close to 1 above it, 10 units traded. */
function ranged(close: readonly number[]): Bars {
  return {
    ...closesOnly(close),
    open: close,
    high: close.map(price => price + 1),
    low: close.map(price => price - 1),
    volume: close.map(() => 10),
  };
}

const { LN2 } = Math;

export const OPTIONAL_BY_HAND: readonly OptionalCase[] = [
  {
    name: 'one close: it is the all-time high, and nothing else is known',
    bars: closesOnly([42]),
    benchmark: null,
    expected: {
      ...{ open: null, high: null, low: null, volume: null, turnover: null, turnover30: null, history: 1 },
      ...{ ema10: null, ema12: null, ema20: null, ema26: null, ema50: null, ema100: null, ema200: null },
      ...{ macd: null, macd_signal: null, macd_hist: null, rsi7: null, rsi14: null, rsi21: null, zscore20: null },
      ...{ bb20_upper: null, bb20_lower: null, bb20_pct: null, bb20_width: null, stoch14: null, stoch14_d: null },
      ...{ atr14: null, mdd30: null, mdd90: null, mdd365: null, sharpe90: null, sharpe365: null, beta90: null },
      ...{ corr90: null, max365: null, min365: null, from_max365: null, from_min365: null },
      ...{ ath: 42, ath_at: FIRST_DAY, from_ath: 0 },
    },
  },
  {
    name: 'a ramp of one to eleven',
    bars: closesOnly(numbers(11, i => i + 1)),
    benchmark: null,
    // The mean of 1 … 10 is 5.5; 2/11 of the way from there to 11 is 1. All moves are gains.
    expected: { ema10: 6.5, ema12: null, rsi7: 100, rsi14: null, ath: 11, ath_at: FIRST_DAY + 10, from_ath: 0 },
  },
  {
    name: 'a ramp down from sixteen to one has no gains',
    bars: closesOnly(numbers(16, i => 16 - i)),
    benchmark: null,
    expected: { rsi7: 0, rsi14: 0, rsi21: null, ath: 16, ath_at: FIRST_DAY, from_ath: -93.75 },
  },
  {
    name: 'forty equal closes: averages are the close, MACD is 0, RSI is 50, and no spread divides by 0',
    bars: ranged(numbers(40, () => 7)),
    benchmark: closesOnly(numbers(40, i => i + 1)),
    expected: {
      ...{ ema10: 7, ema12: 7, ema20: 7, ema26: 7, ema50: null, macd: 0, macd_signal: 0, macd_hist: 0 },
      ...{ rsi7: 50, rsi14: 50, rsi21: 50, zscore20: null, bb20_upper: null, bb20_pct: null, bb20_width: null },
      ...{ stoch14: 50, stoch14_d: 50, atr14: 2, mdd30: 0, open: 7, high: 8, low: 6, volume: 10, turnover: 70 },
      ...{ turnover30: 70, history: 40, beta90: null, corr90: null },
    },
  },
  {
    name: 'a ramp of forty: MACD is half the distance of its windows, and true ranges are 2',
    bars: ranged(numbers(40, i => 100 + i)),
    benchmark: null,
    // An EMA of n days lags a ramp of slope 1 by (n − 1) / 2, and its seed already does: 139 − 5.5 − (139 − 12.5) = 7.
    // Fourteen days: lowest low 125, highest high 140, so (139 − 125) / 15. The mean of 120 … 139 is 129.5, their variance
    // (20² − 1) / 12 = 33.25.
    expected: {
      ...{
        ema12: 133.5,
        ema26: 126.5,
        macd: 7,
        macd_signal: 7,
        macd_hist: 0,
        stoch14: 1400 / 15,
        stoch14_d: 1400 / 15,
      },
      ...{ atr14: 2, zscore20: 9.5 / Math.sqrt(33.25), bb20_upper: 129.5 + 2 * Math.sqrt(33.25) },
      ...{ bb20_lower: 129.5 - 2 * Math.sqrt(33.25), bb20_pct: 0.5 + 9.5 / (4 * Math.sqrt(33.25)) },
      ...{ bb20_width: (4 * Math.sqrt(33.25)) / 129.5, mdd30: 0, turnover: 1390, turnover30: 1245 },
    },
  },
  {
    name: 'a price that halves and doubles in turn for a year, against itself squared',
    bars: closesOnly(numbers(366, i => (i % 2 === 0 ? 2 : 1))),
    benchmark: closesOnly(numbers(366, i => (i % 2 === 0 ? 4 : 1))),
    // The latest close is 1. Ninety returns ± ln 2 add up to 0. The benchmark's are twice as large.
    expected: {
      ...{ mdd30: -50, mdd90: -50, mdd365: -50, sharpe90: 0, beta90: 0.5, corr90: 1, max365: 2, min365: 1 },
      // 365 returns add up to −ln 2: mean −ln 2 / 365, sum of squares 365 ln² 2.
      ...{ sharpe365: ((-LN2 / 365) * Math.sqrt(365)) / (LN2 * Math.sqrt((365 - 1 / 365) / 364)) },
      ...{ from_max365: -50, from_min365: 0, ath: 2, ath_at: FIRST_DAY, from_ath: -50 },
    },
  },
  {
    name: 'a gap: carried-forward days have the close as high and low, and a volume of 0',
    bars: {
      ...{ day: [FIRST_DAY, FIRST_DAY + 14], open: [3, 3], high: [4, 5], low: [2, 2], close: [3, 4], volume: [1, 2] },
    },
    benchmark: null,
    // Fourteen days: thirteen at 3, then low 2, high 5. True ranges: thirteen of 0, then 3.
    expected: { stoch14: 200 / 3, stoch14_d: null, atr14: 3 / 14, open: 3, volume: 2, turnover: 8, history: 15 },
  },
];
