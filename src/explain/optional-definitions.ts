// The definitions of the kernels that only optional columns have.

import { mapInSteps, type Steps } from '../common/steps.ts';
import type { KernelName } from '../domain/kernels.ts';
import {
  type BarField,
  type Days,
  type Definition,
  type Derivation,
  HUNDRED,
  LOGARITHMS,
  lastDays,
  logReturn,
  NOTHING,
  spread,
  step,
  yearly,
} from './derivation.ts';
import {
  absolute,
  add,
  divide,
  fromInteger,
  mean,
  multiply,
  narrowed,
  type Real,
  ratioOf,
  squareRoot,
  subtract,
  sum,
  widened,
  ZERO,
} from './real.ts';

type OptionalKernel = Exclude<KernelName, 'change' | 'sma' | 'var' | 'vol' | 'own'>;

export const OPTIONAL_DEFINITIONS: Readonly<Record<OptionalKernel, Definition>> = {
  bar: (days, _, output) => ({ inputs: [0], steps: [], exact: days.number(output as BarField, 0) }), // its outputs are these fields

  history: days => ({ inputs: [0], steps: [], exact: fromInteger(days.count) }),

  turnover: (days, length) => {
    const inputs = lastDays(Math.min(length, days.count));
    const known = allKnown(inputs.map(i => days.number('volume', i)));
    if (inputs.length < length || known === null) return { inputs, ...NOTHING };
    const turnovers = known.map((volume, i) => multiply(volume, days.close(i)));
    const steps = length === 1 ? [] : [step('sum of turnovers', sum(turnovers))];
    return { inputs, steps, exact: mean(turnovers) };
  },

  *ema(days, length) {
    const inputs = lastDays(days.count);
    return { inputs, ...averaged('EMA', yield* emas(yield* closesOf(days), length)) };
  },

  *macd(days, _, output) {
    const inputs = lastDays(days.count);
    const closes = yield* closesOf(days);
    const [fast, slow] = [yield* emas(closes, 12), yield* emas(closes, 26)];
    const line = slow.map((value, i) => subtract(fast[i + fast.length - slow.length]!, value));
    if (output === 'line') {
      if (line.length === 0) return { inputs, ...NOTHING };
      return { inputs, steps: [step('ema12', fast.at(-1)!), step('ema26', slow.at(-1)!)], exact: line.at(-1)! };
    }
    const signals = yield* emas(line, 9);
    if (output === 'signal') return { inputs, ...averaged('signal', signals) };
    const [macd, signal] = [line.at(-1), signals.at(-1)];
    if (macd === undefined || signal === undefined) return { inputs, ...NOTHING };
    return { inputs, steps: [step('macd', macd), step('macd_signal', signal)], exact: subtract(macd, signal) };
  },

  *rsi(days, length) {
    const inputs = lastDays(days.count);
    const moves = movesOf(yield* closesOf(days));
    if (moves.length < length) return { inputs, ...NOTHING };
    const gains = yield* wilder(
      moves.map(move => larger(move, ZERO)),
      length,
    );
    const losses = yield* wilder(
      moves.map(move => larger(subtract(ZERO, move), ZERO)),
      length,
    );
    const steps = [step('average gain', gains.value), step('average loss', losses.value)];
    const total = gains.precise + losses.precise;
    const exact = total === 0n ? fromInteger(50) : multiply(HUNDRED, ratioOf(gains.precise, total));
    return { inputs, steps, exact };
  },

  bollinger: (days, length, output) => {
    const inputs = lastDays(Math.min(length, days.count));
    const closes = inputs.map(i => days.close(i));
    const { average, squares } = spread(closes);
    if (inputs.length < length || squares === 0n) return { inputs, ...NOTHING };
    const deviation = squareRoot(divide(squares, fromInteger(length)));
    const twice = add(deviation, deviation);
    const [upper, lower] = [add(average, twice), subtract(average, twice)];
    const exact = {
      zscore: () => divide(subtract(days.close(0), average), deviation),
      upper: () => upper,
      lower: () => lower,
      pct: () => divide(subtract(days.close(0), lower), subtract(upper, lower)),
      width: () => divide(subtract(upper, lower), average),
    }[output];
    if (exact === undefined) throw new Error(`no definition of ${output}`);
    const usesBands = output === 'pct' || output === 'width';
    const bands = usesBands ? [step(`bb${length}_upper`, upper), step(`bb${length}_lower`, lower)] : [];
    const steps = [step(`sma${length}`, average), step(`standard deviation`, deviation), ...bands];
    return { inputs, steps, exact: exact() };
  },

  stochastic: (days, length, output) => {
    const range = rangeOf(days, 0, length);
    const own = lastDays(Math.min(length, days.count));
    if (output === 'k') {
      if (range === null) return { inputs: own, ...NOTHING };
      const steps = [step('highest high', range.highest), step('lowest low', range.lowest)];
      return { inputs: own, steps, exact: range.position };
    }
    const inputs = lastDays(Math.min(length + 2, days.count));
    const positions = allKnown([0, 1, 2].map(ago => rangeOf(days, ago, length)?.position ?? null));
    if (positions === null) return { inputs, ...NOTHING };
    const steps = positions.map((position, ago) => step(`stoch${length}, ${ago} days before`, position));
    return { inputs, steps, exact: mean(positions) };
  },

  *atr(days, length) {
    const count = lastDays(days.count).findIndex(
      i => days.number('high', i) === null || days.number('low', i) === null,
    );
    const inputs = lastDays(count < 0 ? days.count : count);
    const ranges = (yield* mapInSteps(inputs.slice(0, -1), i => trueRange(days, i), STEP_DAYS)).reverse();
    if (ranges.length < length) return { inputs, ...NOTHING };
    const averages = yield* movingAverages(ranges, length, 1, length);
    const found = averaged('ATR', averages);
    return { inputs, steps: [...found.steps, step('TR', ranges.at(-1)!)], exact: found.exact };
  },

  drawdown: (days, length) => {
    const inputs = lastDays(Math.min(length, days.count));
    if (inputs.length < length) return { inputs, ...NOTHING };
    const closes = inputs.map(i => days.close(i)).reverse();
    let [peak, deepest, from, to] = [closes[0]!, ZERO, closes[0]!, closes[0]!];
    for (const close of closes) {
      peak = larger(peak, close);
      const fall = percent(close, peak);
      if (fall < deepest) [deepest, from, to] = [fall, peak, close];
    }
    return { inputs, steps: [step('close before the fall', from), step('close after it', to)], exact: deepest };
  },

  *sharpe(days, length) {
    const inputs = lastDays(Math.min(length + 1, days.count));
    if (inputs.length <= length) return { inputs, ...NOTHING };
    const returns = yield* mapInSteps(lastDays(length), i => logReturn(days.close(i), days.close(i + 1)), LOGARITHMS);
    const { average, squares } = spread(returns);
    if (squares === 0n) return { inputs, ...NOTHING };
    const deviation = squareRoot(divide(squares, fromInteger(length - 1)));
    const steps = [step('mean of log returns', average), step('sample standard deviation', deviation)];
    return { inputs, steps, exact: multiply(divide(average, deviation), yearly(days)) };
  },

  *beta(days, length, output) {
    const common = lastDays(days.count).filter(i => days.benchmark(i) !== null);
    const inputs = common.slice(0, length + 1);
    if (inputs.length <= length) return { inputs, ...NOTHING };
    const used = inputs.slice(0, -1);
    const own = yield* mapInSteps(used, i => logReturn(days.close(i), days.close(i + 1)), LOGARITHMS);
    // Days in a row that have one.
    const others = yield* mapInSteps(used, i => logReturn(days.benchmark(i)!, days.benchmark(i + 1)!), LOGARITHMS);
    const [r, b] = [spread(own), spread(others)];
    const products = own.map((value, i) => multiply(subtract(value, r.average), subtract(others[i]!, b.average)));
    const covariance = divide(sum(products), fromInteger(length));
    const [varR, varB] = [divide(r.squares, fromInteger(length)), divide(b.squares, fromInteger(length))];
    const steps = [step('cov(r, b)', covariance), step('var(r)', varR), step('var(b)', varB)];
    if (varB === 0n || (output === 'correlation' && varR === 0n)) return { inputs, steps, exact: null };
    const exact =
      output === 'correlation' ? divide(covariance, squareRoot(multiply(varR, varB))) : divide(covariance, varB);
    return { inputs, steps, exact };
  },

  extremes: (days, length, output) => {
    const inputs = lastDays(Math.min(length, days.count));
    if (inputs.length < length) return { inputs, ...NOTHING };
    const closes = inputs.map(i => days.close(i));
    const isHighest = output === 'highest' || output === 'fromHighest';
    const extreme = closes.reduce(isHighest ? larger : smaller);
    if (output === 'highest' || output === 'lowest') return { inputs, steps: [], exact: extreme };
    const steps = [step(`${isHighest ? 'max' : 'min'}${length}`, extreme)];
    return { inputs, steps, exact: percent(days.close(0), extreme) };
  },

  *allTimeHigh(days, _, output) {
    const inputs = lastDays(days.count);
    const highest = (yield* closesOf(days)).reduce(larger);
    if (output === 'high') return { inputs, steps: [], exact: highest };
    // A day has no decimal digits.
    const exact = output === 'day' ? null : percent(days.close(0), highest);
    return { inputs, steps: [step('ath', highest)], exact };
  },
};

/** In one step. */
const STEP_DAYS = 512;
/** The same with many more digits. */
const STEP_WIDE_DAYS = 128;

/** Oldest first. */
function* closesOf(days: Days): Steps<Real[]> {
  const newestFirst = yield* mapInSteps(lastDays(days.count), i => days.close(i), STEP_DAYS);
  return newestFirst.reverse();
}

function movesOf(closes: readonly Real[]): Real[] {
  return closes.slice(1).map((close, i) => subtract(close, closes[i]!));
}

/** Seeded with the mean of the first `window` values; each next one moves it by `up / down` of the distance. The seed comes first. */
function* movingAverages(values: readonly Real[], window: number, up: number, down: number): Steps<Real[]> {
  if (values.length < window) return [];
  const found = [mean(values.slice(0, window))];
  for (const value of values.slice(window)) {
    const before = found.at(-1)!;
    found.push(add(before, divide(multiply(fromInteger(up), subtract(value, before)), fromInteger(down))));
    if (found.length % STEP_DAYS === 0) yield;
  }
  return found;
}

function emas(values: readonly Real[], window: number): Steps<Real[]> {
  return movingAverages(values, window, 2, window + 1);
}

/** The last of some averages, with what it is computed from. */
function averaged(name: string, averages: readonly Real[]): Omit<Derivation, 'inputs'> {
  const [seed, last] = [averages[0], averages.at(-1)];
  if (seed === undefined || last === undefined) return NOTHING;
  const before = averages.at(-2);
  const steps = [step('seed', seed), ...(before === undefined ? [] : [step(`${name} of the day before`, before)])];
  return { steps, exact: last };
}

/** Without moves the averages decay towards 0, and only their ratio counts: it keeps its digits. */
function* wilder(values: readonly Real[], window: number): Steps<{ readonly value: Real; readonly precise: bigint }> {
  const n = BigInt(window);
  let precise = widened(sum(values.slice(0, window))) / n;
  for (let day = window; day < values.length; day++) {
    precise += (widened(values[day]!) - precise) / n;
    if (day % STEP_WIDE_DAYS === 0) yield;
  }
  return { value: narrowed(precise), precise };
}

/** Where the close lies between the lowest low and the highest high of some days; null if these are unknown or equal. */
function rangeOf(days: Days, ago: number, window: number): { highest: Real; lowest: Real; position: Real } | null {
  if (days.count < ago + window) return null;
  const used = lastDays(window).map(i => i + ago);
  const highs = allKnown(used.map(i => days.number('high', i)));
  const lows = allKnown(used.map(i => days.number('low', i)));
  if (highs === null || lows === null) return null;
  const [highest, lowest] = [highs.reduce(larger), lows.reduce(smaller)];
  if (highest === lowest) return null;
  const above = subtract(days.close(ago), lowest);
  return { highest, lowest, position: multiply(divide(above, subtract(highest, lowest)), HUNDRED) };
}

/** Of a day with a high and a low. */
function trueRange(days: Days, i: number): Real {
  const [high, low, before] = [days.number('high', i)!, days.number('low', i)!, days.close(i + 1)];
  return [absolute(subtract(high, before)), absolute(subtract(low, before))].reduce(larger, subtract(high, low));
}

function percent(close: Real, base: Real): Real {
  return multiply(subtract(divide(close, base), fromInteger(1)), HUNDRED);
}

/** Null if any is. */
function allKnown(values: readonly (Real | null)[]): Real[] | null {
  const known = values.filter(value => value !== null);
  return known.length === values.length ? known : null;
}

function larger(a: Real, b: Real): Real {
  return a > b ? a : b;
}

function smaller(a: Real, b: Real): Real {
  return a < b ? a : b;
}
