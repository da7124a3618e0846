import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsAround, columnsOf } from '../../../test/support/oracle/bars.ts';
import { exactly, logarithm, PRECISION, relativeError } from '../../../test/support/oracle/exact.ts';
import { exactOptional } from '../../../test/support/oracle/optional.ts';
import { uniform } from '../../../test/support/oracle/series.ts';
import { OPTIONAL_COMPUTED } from '../../domain/catalogue.ts';
import type { Day } from '../../domain/day.ts';
import { preciseLogReturn } from '../arithmetic/precise-returns.ts';
import { type DailySeries, dailyBars, NO_BARS } from '../calendar.ts';
import { Series } from '../kernel.ts';
import { KernelGroups } from '../kernel-groups.ts';
import { optionalColumns } from '../optional.ts';
import { benchmarkOf } from '../return-series.ts';

/** Log returns of any size, as a sum of waves. */
function series(firstDay: number, days: number, seed: number): DailySeries {
  const returns = Float64Array.from({ length: days }, (_, i) => (i === 0 ? 0 : Math.sin(seed * i) + Math.cos(i * i)));
  let sum = 0;
  const closes = returns.map(each => {
    sum += each / 100;
    return Math.exp(sum);
  });
  return { firstDay: firstDay as Day, closes };
}

it('after the last day of the benchmark, beta and correlation stay what they were on it', () => {
  const [asset, benchmark] = [series(1005, 130, 3), benchmarkOf(series(1000, 120, 7))];
  const found = new KernelGroups(OPTIONAL_COMPUTED.filter(({ kernel }) => kernel === 'beta'));
  const table = found.table(130);
  found.into(table).write(new Series().set({ ...NO_BARS, ...asset }, benchmark), 0, 0);
  /** The asset's index of day 1119, the benchmark's last. */
  const last = 114;
  for (const values of table) {
    assert.ok(Number.isFinite(values[last]!) && values[last] !== values[last - 1]);
    for (let day = last + 1; day < 130; day++) assert.equal(values[day], values[last], `day ${day}`);
  }
  const alone = found.table(1);
  found.into(alone).write(new Series().set({ ...NO_BARS, ...asset }, benchmark), 129, 0);
  for (const [i, values] of table.entries()) assert.equal(alone[i]![0], values[last]);
});

const DAYS = 91;

/** Closes from log returns. */
function closesOf(start: number, returns: readonly number[]): number[] {
  let price = start;
  return [start, ...returns.map(each => (price *= Math.exp(each)))];
}

/** The returns with one of them changed so that they hardly correlate with the others. */
function uncorrelated(returns: readonly number[], others: readonly number[], left: number): number[] {
  const mean = others.reduce((sum, each) => sum + each, 0) / others.length;
  const y = others.map(each => each - mean);
  const covariance = returns.reduce((sum, each, i) => sum + each * y[i]!, 0);
  const size = Math.hypot(...returns) * Math.hypot(...y);
  const at = y.reduce((best, each, i) => (Math.abs(each) > Math.abs(y[best]!) ? i : best), 0);
  return returns.map((each, i) => (i === at ? each - (covariance - left * size) / y[at]! : each));
}

describe('beta and correlation have a relative error of at most 1e-12 also if the returns hardly correlate:', () => {
  const kinds: Readonly<Record<string, (random: () => number) => number>> = {
    'ordinary returns': random => (random() - 0.5) * 0.1,
    'steady growth with noise of 1e-4 of it': random => 0.01 * (1 + (random() - 0.5) * 1e-4),
    'steady growth with noise of 1e-9 of it': random => 0.003 * (1 + (random() - 0.5) * 1e-9),
    'moves in the last digits': random => (random() - 0.5) * 1e-14,
    'jumps of a factor of thirty': random => (random() < 0.1 ? (random() - 0.5) * 7 : (random() - 0.5) / 100),
    'mostly flat': random => (random() < 0.8 ? 0 : (random() - 0.5) * 0.2),
  };
  /** Correlations; the exact oracle takes long, so that each pair gets some of them. */
  const LEFT = [0, 1e-15, -1e-12, 1e-9, 1e-6, -1e-4, 0.003, 0.012, 0.05];
  for (const [ownIndex, [ownKind, own]] of Object.entries(kinds).entries()) {
    for (const [otherIndex, [otherKind, other]] of Object.entries(kinds).entries()) {
      if (otherIndex % 2 === 1) continue;
      it(`${ownKind}, against ${otherKind}`, () => {
        for (const [seed, left] of LEFT.entries()) {
          if ((seed + ownIndex + otherIndex) % 3 !== 0) continue;
          const random = uniform(1000 + seed);
          const others = Array.from({ length: DAYS - 1 }, () => other(random));
          const returns = Array.from({ length: DAYS - 1 }, () => own(random));
          const [start, otherStart] = [[1e-9, 1, 3e7][seed % 3]!, 61_000];
          const bars = barsAround(closesOf(start, uncorrelated(returns, others, left)), uniform(seed));
          const benchmark = barsAround(closesOf(otherStart, others), uniform(seed + 1));
          const [series, against] = [bars, benchmark].map(each => dailyBars(columnsOf(each)));
          const table = optionalColumns(series!, benchmarkOf(against!), DAYS - 1);
          for (const name of ['beta90', 'corr90']) {
            const exact = exactOptional(name, bars, benchmark);
            const actual = table[OPTIONAL_COMPUTED.findIndex(column => column.name === name)]![0]!;
            if (exact === null) assert.ok(Number.isNaN(actual), `${name} is ${actual} instead of null`);
            else if (exact.numerator === 0n) assert.ok(Math.abs(actual) < 1e-25, `${name} is ${actual} instead of 0`);
            else {
              const error = relativeError(actual, exact);
              assert.ok(error <= 1e-12, `${name} = ${actual} is off by ${error}`);
            }
          }
        }
      });
    }
  }
});

it('a log return in double-double arithmetic has 28 digits', () => {
  const random = uniform(5);
  const [highs, lows] = [new Float64Array(1), new Float64Array(1)];
  for (let i = 0; i < 200; i++) {
    const earlier = 10 ** ((random() - 0.5) * 24);
    const later =
      i % 2 === 0 ? earlier * (1 + (random() - 0.5) * 10 ** -Math.floor(random() * 16)) : 10 ** ((random() - 0.5) * 24);
    if (earlier === later) continue;
    preciseLogReturn(earlier, later, highs, lows, 0);
    const exact = logarithm(later, earlier);
    const fixed = (value: number) => {
      const { numerator, denominator } = exactly(value);
      return (numerator << PRECISION) / denominator;
    };
    const difference = fixed(highs[0]!) + fixed(lows[0]!) - exact;
    const error = Number((difference * 10n ** 40n) / exact) / 1e40;
    assert.ok(Math.abs(error) < 1e-28, `ln(${later} / ${earlier}) is off by ${error}`);
  }
});
