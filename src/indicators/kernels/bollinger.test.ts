import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Fraction, relativeError, root } from '../../../test/support/oracle/exact.ts';
import { uniform } from '../../../test/support/oracle/series.ts';
import { OPTIONAL_COMPUTED } from '../../domain/catalogue.ts';
import type { Day } from '../../domain/day.ts';
import { NO_BARS } from '../calendar.ts';
import { Series } from '../kernel.ts';
import { KernelGroups } from '../kernel-groups.ts';

const TOLERANCE = 1e-12;
const SCALE = 10n ** 40n;
const COLUMNS = OPTIONAL_COMPUTED.filter(({ kernel }) => kernel === 'bollinger');

/** The columns of the last day by their output, of a window of all closes. */
function computed(closes: readonly number[], firstDay: number): Map<string, number> {
  const groups = new KernelGroups(COLUMNS.map(column => ({ ...column, length: closes.length })));
  const table = groups.table(1);
  const bars = { ...NO_BARS, firstDay: firstDay as Day, closes: Float64Array.from(closes) };
  groups.into(table).write(new Series().set(bars, null), closes.length - 1, 0);
  return new Map(groups.columns.map(({ output }, i) => [output, table[i]![0]!]));
}

/** The same of whole numbers, by the definition. */
function exact(closes: readonly number[]): Record<string, Fraction> {
  const n = BigInt(closes.length);
  const whole = closes.map(BigInt);
  const sum = whole.reduce((total, each) => total + each, 0n);
  const squares = whole.reduce((total, each) => total + each * each, 0n);
  /** n · σ */
  const deviation = root((n * squares - sum * sum) * SCALE * SCALE);
  const above = (n * whole.at(-1)! - sum) * SCALE;
  return {
    zscore: { numerator: above, denominator: deviation },
    upper: { numerator: sum * SCALE + 2n * deviation, denominator: n * SCALE },
    lower: { numerator: sum * SCALE - 2n * deviation, denominator: n * SCALE },
    pct: { numerator: above + 2n * deviation, denominator: 4n * deviation },
    width: { numerator: 4n * deviation, denominator: sum * SCALE },
  };
}

/** The whole number below which `isBelow` holds. */
function boundary(least: number, most: number, isBelow: (value: number) => boolean): number {
  let [from, to] = [least, most];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (isBelow(middle)) from = middle;
    else to = middle;
  }
  return to;
}

const KINDS: Readonly<Record<string, (before: readonly number[]) => number[]>> = {
  'the last close is next to the mean': before => {
    const mean = before.reduce((total, each) => total + each, 0) / before.length;
    return [...before, Math.round(mean) + 1];
  },
  'the last close is next to the lower band': before => {
    const last = boundary(1, before[0]!, close => exact([...before, close])['pct']!.numerator < 0n);
    return [...before, last];
  },
  'the lower band is next to 0': before => {
    const among = (high: number) => [high, ...before];
    return among(boundary(before[0]!, 1e12, high => exact(among(high))['lower']!.numerator > 0n));
  },
  'one close is far from all others': before => [...before, before[0]!].map((close, i) => (i === 3 ? 1e12 : close)),
};

describe('Bollinger bands have a relative error of at most 1e-12, however digits cancel:', () => {
  for (const [kind, closesOf] of Object.entries(KINDS)) {
    it(kind, () => {
      for (const length of [20, 1000]) {
        const random = uniform(length);
        assertExact(closesOf(Array.from({ length: length - 1 }, () => 1e9 + Math.floor(random() * 3e8))));
      }
    });
  }

  it('one close is far below all others, and the last one just above the lower band', () => {
    const closes = [
      [67.3937858197353, 90.95440232113651, 90.74066865237592, 90.55243159229612, 90.60941091285729],
      [90.97057382195788, 91.00436194435514, 90.57629157663791, 90.44436878533361, 90.78280835215493],
      [91.00480107931493, 91.1539641294218, 90.32973215135938, 90.43315983636226, 90.95725952020199],
      [90.76174171649119, 90.81797691513565, 90.96338865588712, 90.62070236854298, 77.60970535146224],
    ];
    // Whole numbers with the same digits.
    assertExact(closes.flat().map(close => close * 2 ** 46));
  });
});

/** Wherever the window is cut into two parts. */
function assertExact(closes: readonly number[]): void {
  const wanted = exact(closes);
  for (let day = 19_000; day < 19_000 + closes.length; day++) {
    for (const [output, value] of computed(closes, day)) {
      const error = relativeError(value, wanted[output]!);
      assert.ok(error <= TOLERANCE, `${output} of ${closes.length} closes from day ${day} is off by ${error}`);
    }
  }
}
