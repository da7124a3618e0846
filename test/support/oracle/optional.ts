// The definitions of the optional columns in high-precision arithmetic: fixed point, 700 binary digits after the point. Written from
// the contract alone; it shares nothing with the code that it judges, and is slow.

import type { Bars } from './bars.ts';
import { allRatiosEqual, DAYS_PER_YEAR, exactly, type Fraction, logarithm, PRECISION, root, sum } from './exact.ts';

const DIGITS = 700n;
const ONE = 1n << DIGITS;

/** One day of the calendar; null is unknown. */
interface Day {
  readonly day: number;
  readonly open: bigint | null;
  readonly high: bigint | null;
  readonly low: bigint | null;
  readonly close: bigint;
  readonly price: number;
  readonly volume: bigint | null;
}

/** The value on the last day of the bars; null where the definition gives none. */
export function exactOptional(
  name: string,
  bars: Bars,
  benchmark: Bars | null,
  perYear: Fraction = DAYS_PER_YEAR,
): Fraction | null {
  const days = calendar(bars);
  const value = defined(name, days, benchmark === null ? [] : calendar(benchmark), perYear);
  return value === null ? null : { numerator: value, denominator: ONE };
}

const calendars = new WeakMap<Bars, readonly Day[]>();

/** One entry per day: the bar of that day or, carried forward, the close before it. */
function calendar(bars: Bars): readonly Day[] {
  const made = calendars.get(bars);
  if (made !== undefined) return made;
  const days: Day[] = [];
  calendars.set(bars, days);
  let at = 0;
  for (let day = bars.day[0]!; day <= bars.day.at(-1)!; day++) {
    if (bars.day[at + 1] === day) at++;
    const price = bars.close[at]!;
    const close = fixed(price);
    const carried = bars.day[at] !== day;
    const given = (value: number | null) => (value === null ? null : fixed(value));
    days.push({
      day,
      price,
      close,
      open: carried ? close : given(bars.open[at]!),
      high: carried ? close : given(bars.high[at]!),
      low: carried ? close : given(bars.low[at]!),
      volume: carried ? 0n : given(bars.volume[at]!),
    });
  }
  return days;
}

function defined(name: string, days: readonly Day[], benchmark: readonly Day[], perYear: Fraction): bigint | null {
  const last = days.at(-1)!;
  const closes = days.map(({ close }) => close);
  const window = Number(/\d+/.exec(name)?.[0] ?? 0);
  switch (name.replace(/\d+/, '')) {
    case 'open':
      return last.open;
    case 'high':
      return last.high;
    case 'low':
      return last.low;
    case 'volume':
      return last.volume;
    case 'turnover':
      return window === 0 ? turnoverOf(last) : meanOrNull(lastOnes(days, window)?.map(turnoverOf) ?? null);
    case 'history':
      return BigInt(days.length) * ONE;
    case 'ema':
      return average(closes, window, BigInt(window) + 1n, 2n).at(-1) ?? null;
    case 'macd':
      return macdLine(closes).at(-1) ?? null;
    case 'macd_signal':
      return signalLine(closes).at(-1) ?? null;
    case 'macd_hist': {
      const signal = signalLine(closes).at(-1);
      return signal === undefined ? null : macdLine(closes).at(-1)! - signal;
    }
    case 'rsi':
      return rsi(closes, window);
    case 'zscore':
    case 'bb_upper':
    case 'bb_lower':
    case 'bb_pct':
    case 'bb_width':
      return bollinger(name, closes, window);
    case 'stoch':
      return stochastic(days, window);
    case 'stoch_d':
      return meanOrNull([0, 1, 2].map(ago => stochastic(days.slice(0, days.length - ago), window)));
    case 'atr':
      return averageTrueRange(days, window);
    case 'mdd':
      return drawdown(closes, window);
    case 'sharpe':
      return sharpe(days, window, perYear);
    case 'beta':
    case 'corr':
      return against(name.startsWith('beta'), days, benchmark, window);
    case 'max':
      return lastOnes(closes, window)?.reduce(larger) ?? null;
    case 'min':
      return lastOnes(closes, window)?.reduce(smaller) ?? null;
    case 'from_max':
      return percent(last.close, lastOnes(closes, window)?.reduce(larger) ?? null);
    case 'from_min':
      return percent(last.close, lastOnes(closes, window)?.reduce(smaller) ?? null);
    case 'ath':
      return closes.reduce(larger);
    case 'ath_at':
      return BigInt(days[closes.indexOf(closes.reduce(larger))]!.day) * ONE;
    case 'from_ath':
      return percent(last.close, closes.reduce(larger));
    default:
      throw new Error(`no definition of ${name}`);
  }
}

/** Seeded with the mean of the first `window` values, then moved by `up / down` of the distance. The first entry is the seed. */
function average(values: readonly bigint[], window: number, down: bigint, up: bigint): bigint[] {
  if (values.length < window) return [];
  const averages = [mean(values.slice(0, window))];
  for (const value of values.slice(window)) {
    const before = averages.at(-1)!;
    averages.push(before + ((value - before) * up) / down);
  }
  return averages;
}

function macdLine(closes: readonly bigint[]): bigint[] {
  const [fast, slow] = [average(closes, 12, 13n, 2n), average(closes, 26, 27n, 2n)];
  return slow.map((value, i) => fast[i + 14]! - value);
}

function signalLine(closes: readonly bigint[]): bigint[] {
  return average(macdLine(closes), 9, 10n, 2n);
}

function rsi(closes: readonly bigint[], window: number): bigint | null {
  const changes = closes.slice(1).map((close, i) => close - closes[i]!);
  const wilder = (values: readonly bigint[]) => average(values, window, BigInt(window), 1n).at(-1);
  const gains = wilder(changes.map(change => larger(change, 0n)));
  const losses = wilder(changes.map(change => larger(-change, 0n)));
  if (gains === undefined || losses === undefined) return null;
  return changes.every(change => change === 0n) ? 50n * ONE : divide(100n * gains, gains + losses);
}

function bollinger(name: string, closes: readonly bigint[], window: number): bigint | null {
  const used = lastOnes(closes, window);
  if (used === null || used.every(close => close === used[0])) return null;
  const middle = mean(used);
  const deviation = squareRoot(mean(used.map(close => multiply(close - middle, close - middle))));
  const [latest, upper, lower] = [closes.at(-1)!, middle + 2n * deviation, middle - 2n * deviation];
  if (name.endsWith('upper')) return upper;
  if (name.endsWith('lower')) return lower;
  if (name.endsWith('pct')) return divide(latest - lower, upper - lower);
  if (name.endsWith('width')) return divide(upper - lower, middle);
  return divide(latest - middle, deviation);
}

function stochastic(days: readonly Day[], window: number): bigint | null {
  const used = lastOnes(days, window);
  if (used === null) return null;
  const [highs, lows] = [used.map(({ high }) => high), used.map(({ low }) => low)];
  if (!known(highs) || !known(lows)) return null;
  const [highest, lowest] = [highs.reduce(larger), lows.reduce(smaller)];
  return highest === lowest ? null : divide(100n * (used.at(-1)!.close - lowest), highest - lowest);
}

function averageTrueRange(days: readonly Day[], window: number): bigint | null {
  const start = days.findLastIndex(({ high, low }) => high === null || low === null) + 1;
  const ranges = days.slice(start + 1).map(({ high, low }, i) => {
    const before = days[start + i]!.close;
    return [high! - low!, magnitude(high! - before), magnitude(low! - before)].reduce(larger);
  });
  return average(ranges, window, BigInt(window), 1n).at(-1) ?? null;
}

function drawdown(closes: readonly bigint[], window: number): bigint | null {
  const used = lastOnes(closes, window);
  if (used === null) return null;
  let worst = 0n;
  for (const [i, earlier] of used.entries()) {
    const lowest = used.slice(i).reduce(smaller);
    worst = smaller(worst, percent(lowest, earlier)!);
  }
  return worst;
}

function sharpe(days: readonly Day[], window: number, perYear: Fraction): bigint | null {
  const prices = lastOnes(days, window + 1)?.map(({ price }) => price) ?? null;
  if (prices === null || allRatiosEqual(prices)) return null;
  const returns = returnsOf(prices);
  // The returns add up to one logarithm, which is exactly 0 when the price is where it was.
  const middle = (logarithm(prices.at(-1)!, prices[0]!) << (DIGITS - PRECISION)) / BigInt(window);
  const squares = sum(returns.map(value => multiply(value - middle, value - middle)));
  return multiply(
    divide(middle, squareRoot(squares / BigInt(window - 1))),
    squareRoot((perYear.numerator * ONE) / perYear.denominator),
  );
}

function against(isBeta: boolean, days: readonly Day[], benchmark: readonly Day[], window: number): bigint | null {
  const others = new Map(benchmark.map(({ day, price }) => [day, price]));
  // A day has a return if the day before has a close too.
  const common = days.filter(({ day }, i) => i > 0 && others.has(day) && others.has(day - 1)).map(({ day }) => day);
  const used = lastOnes(common, window);
  if (used === null) return null;
  const own = new Map(days.map(({ day, price }) => [day, price]));
  const pricesOf = (all: ReadonlyMap<number, number>) => [used[0]! - 1, ...used].map(day => all.get(day)!);
  const [prices, otherPrices] = [pricesOf(own), pricesOf(others)];
  if (allRatiosEqual(otherPrices) || (!isBeta && allRatiosEqual(prices))) return null;
  const deviations = (values: readonly number[]) => {
    const returns = returnsOf(values);
    const middle = mean(returns);
    return returns.map(value => value - middle);
  };
  const [a, b] = [deviations(prices), deviations(otherPrices)];
  const products = (x: readonly bigint[], y: readonly bigint[]) => sum(x.map((value, i) => multiply(value, y[i]!)));
  if (isBeta) return divide(products(a, b), products(b, b));
  return divide(products(a, b), squareRoot(multiply(products(a, a), products(b, b))));
}

const logarithms = new Map<string, bigint>();

function returnsOf(prices: readonly number[]): bigint[] {
  return prices.slice(1).map((later, i) => {
    const key = `${later} ${prices[i]!}`;
    const known = logarithms.get(key) ?? logarithm(later, prices[i]!);
    logarithms.set(key, known);
    return known << (DIGITS - PRECISION);
  });
}

function turnoverOf({ volume, close }: Day): bigint | null {
  return volume === null ? null : multiply(volume, close);
}

function lastOnes<T>(values: readonly T[], count: number): readonly T[] | null {
  return values.length < count ? null : values.slice(-count);
}

function known<T>(values: readonly (T | null)[]): values is readonly T[] {
  return values.every(value => value !== null);
}

function meanOrNull(values: readonly (bigint | null)[] | null): bigint | null {
  return values !== null && known(values) ? mean(values) : null;
}

function mean(values: readonly bigint[]): bigint {
  return sum(values) / BigInt(values.length);
}

function percent(latest: bigint, reference: bigint | null): bigint | null {
  return reference === null ? null : divide(100n * (latest - reference), reference);
}

function fixed(value: number): bigint {
  const { numerator, denominator } = exactly(value);
  return (numerator << DIGITS) / denominator;
}

function multiply(a: bigint, b: bigint): bigint {
  return (a * b) >> DIGITS;
}

function divide(a: bigint, b: bigint): bigint {
  return (a << DIGITS) / b;
}

function squareRoot(value: bigint): bigint {
  return root(value << DIGITS);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
