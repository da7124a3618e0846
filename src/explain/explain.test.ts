import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Bars, barsAround, columnsOf, thinned, withoutSome } from '../../test/support/oracle/bars.ts';
import { abs, exactly, exactValue, type Fraction } from '../../test/support/oracle/exact.ts';
import { exactOptional } from '../../test/support/oracle/optional.ts';
import { fixedSeries, SERIES_KINDS, uniform } from '../../test/support/oracle/series.ts';
import { type BarColumns, barColumns } from '../domain/bar.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { isOptional } from '../domain/columns.ts';
import { type Day, dayFromIso } from '../domain/day.ts';
import { dailyBars } from '../indicators/calendar.ts';
import { currentRow } from '../indicators/engine.ts';
import { benchmarkOf } from '../indicators/return-series.ts';
import { EXACT_DIGITS, EXPLAINED_COLUMNS, explain } from './explain.ts';
import { decimalText, divide, fromDouble, fromInteger, logarithm, squareRoot } from './real.ts';

const FIRST: Day = dayFromIso('2024-01-01')!;

/** Bars with closes only. */
function barsOf(days: readonly number[], closes: readonly number[]): BarColumns {
  const bars = barColumns(days.length);
  bars.day.set(days);
  bars.close.set(closes);
  return bars;
}

/** Half a unit in the last of the 40 digits, and a little for the oracle's own last digits. */
function assertDigits(text: string, { numerator, denominator }: Fraction, about: string): void {
  const [whole = '', fraction = ''] = text.split('.');
  const scale = 10n ** BigInt(fraction.length);
  const difference = abs(BigInt(whole + fraction) * denominator - numerator * scale);
  // difference / (scale · denominator) ≤ |exact| · 1e-39
  assert.ok(difference * 10n ** BigInt(EXACT_DIGITS - 1) <= abs(numerator) * scale, `${about}: ${text}`);
}

describe('an explanation', () => {
  for (const [kind, generate] of Object.entries(SERIES_KINDS)) {
    for (const length of [1, 2, 6, 40, 400]) {
      it(`of ${kind} closes, ${length} days, has the exact value to 40 digits and the served one`, () => {
        const closes = fixedSeries(generate, length, 7);
        const delivered = barsOf(
          closes.map((_, i) => FIRST + i),
          closes,
        );
        const row = currentRow(Float64Array.from(closes));
        for (const [i, column] of INDICATORS.entries()) {
          const found = explain(column, delivered, (FIRST + length) as Day)!;
          const exact = exactValue(column, closes);
          const value = row[i]!;
          assert.equal(found.value, Number.isNaN(value) ? null : value + 0, column.name);
          assert.equal(found.exact === null, exact === null, column.name);
          if (exact === null || found.exact === null) continue;
          if (exact.numerator === 0n) assert.equal(found.exact, '0', column.name);
          else assertDigits(found.exact, exact, column.name);
          if (found.relative_error !== null) assert.ok(found.relative_error <= 1e-12, column.name);
        }
      });
    }
  }

  it('lists the closes that it is made of, and which of them were carried forward', () => {
    const sma5 = EXPLAINED_COLUMNS.find(({ name }) => name === 'sma5')!;
    const delivered = barsOf([FIRST, FIRST + 1, FIRST + 4], [1, 2, 4]);
    const found = explain(sma5, delivered, (FIRST + 9) as Day)!;
    const inputs = found.inputs.map(({ influence: _, ...input }) => input);
    assert.deepEqual(inputs, [
      { name: 'C0', day: '2024-01-05', close: 4, carried_forward: false, numbers: {} },
      { name: 'C1', day: '2024-01-04', close: 2, carried_forward: true, numbers: {} },
      { name: 'C2', day: '2024-01-03', close: 2, carried_forward: true, numbers: {} },
      { name: 'C3', day: '2024-01-02', close: 2, carried_forward: false, numbers: {} },
      { name: 'C4', day: '2024-01-01', close: 1, carried_forward: false, numbers: {} },
    ]);
    assert.deepEqual(
      [found.value, found.exact, found.relative_error, found.steps],
      [
        2.2,
        '2.2',
        found.relative_error,
        [
          { name: 'n', value: '5' },
          { name: 'sum of closes', value: '11' },
        ],
      ],
    );
  });

  it('of an earlier day uses no later close', () => {
    const price = EXPLAINED_COLUMNS.find(({ name }) => name === 'price')!;
    const delivered = barsOf([FIRST, FIRST + 1, FIRST + 2], [1, 2, 3]);
    assert.equal(explain(price, delivered, (FIRST + 1) as Day)?.value, 2);
    assert.equal(explain(price, delivered, (FIRST - 1) as Day), null);
  });
});

describe('an explanation of an optional column', () => {
  const walk = (length: number, seed: number): Bars =>
    barsAround(fixedSeries(SERIES_KINDS['a random walk']!, length, seed), uniform(seed), FIRST);
  const benchmark = walk(400, 77);
  const series = benchmarkOf(dailyBars(columnsOf(benchmark)));
  const whole = walk(380, 3);
  const cases: Readonly<Record<string, Bars>> = {
    'with every number': whole,
    'with gaps, without some highs and volumes': thinned(
      withoutSome(
        whole,
        i => i === 300,
        i => i % 50 === 7,
      ),
      i => i % 9 !== 4,
    ),
    'with closes only': withoutSome(
      walk(60, 5),
      () => true,
      () => true,
    ),
    'of one day': walk(1, 6),
    'without any move': barsAround(new Array<number>(120).fill(3.3), () => 0, FIRST),
    'still for years after a move': barsAround([2, ...new Array<number>(1500).fill(3.3)], () => 0, FIRST),
  };
  const computed = EXPLAINED_COLUMNS.filter(column => isOptional(column) && !('current' in column));
  for (const [what, bars] of Object.entries(cases)) {
    it(`of bars ${what} has the exact value to 40 digits, near the served one, and the inputs`, () => {
      const columns = columnsOf(bars);
      for (const column of computed) {
        const found = explain(column, columns, columns.day.at(-1) as Day, { benchmark: series })!;
        const exact = exactOptional(column.name, bars, benchmark);
        if (column.kind === 'time') {
          assert.equal(Date.parse(String(found.value)) / 86_400_000, Number(exact!.numerator / exact!.denominator));
          continue;
        }
        assert.equal(found.exact === null, exact === null, column.name);
        assert.equal(found.value === null, exact === null, column.name);
        if (exact === null || found.exact === null) continue;
        if (exact.numerator === 0n) assert.equal(found.exact, '0', column.name);
        else assertDigits(found.exact, exact, column.name);
        const error = found.relative_error;
        assert.ok((error ?? 0) <= 1e-12, `${column.name}: ${error}`);
        assert.ok(found.inputs.length >= 1, column.name);
      }
    });
  }

  it('of a fact of the asset is that fact, and null on a past day', () => {
    const of = (name: string, facts: { rank: number; supply: number } | null) =>
      explain(EXPLAINED_COLUMNS.find(column => column.name === name)!, barsOf([FIRST], [2.5]), FIRST, {
        facts: () => facts,
      })!;
    const facts = { rank: 7, supply: 1e9 };
    assert.deepEqual(
      [of('rank', facts).value, of('supply', facts).value, of('market_cap', facts).value],
      [7, 1e9, 2.5e9],
    );
    assert.equal(of('market_cap', facts).exact, '2500000000');
    for (const name of ['rank', 'supply', 'market_cap']) assert.equal(of(name, null).value, null);
  });

  const deviation = ['sma20', 'standard deviation'];
  for (const [name, steps] of [
    ['zscore20', deviation],
    ['bb20_upper', deviation],
    ['bb20_pct', [...deviation, 'bb20_upper', 'bb20_lower']],
    ['bb20_width', [...deviation, 'bb20_upper', 'bb20_lower']],
    ['turnover', []],
    ['turnover30', ['sum of turnovers']],
  ] as const) {
    it(`shows the steps of ${name}`, () => {
      const column = EXPLAINED_COLUMNS.find(each => each.name === name)!;
      const found = explain(column, columnsOf(whole), (FIRST + 379) as Day)!;
      assert.deepEqual(
        found.steps.map(step => step.name),
        steps,
      );
    });
  }

  it('of the MACD shows the two averages whose difference it is', () => {
    const macd = EXPLAINED_COLUMNS.find(({ name }) => name === 'macd')!;
    const { steps, exact } = explain(macd, columnsOf(whole), (FIRST + 379) as Day)!;
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['ema12', 'ema26'],
    );
    const [fast = 0, slow = 0] = steps.map(({ value }) => Number(value));
    assert.ok(Math.abs(fast - slow - Number(exact)) <= 1e-12 * fast, `${fast} - ${slow} = ${exact}`);
  });

  it('shows the numbers of the bars that it is made of', () => {
    const atr = EXPLAINED_COLUMNS.find(({ name }) => name === 'atr14')!;
    const found = explain(atr, columnsOf(whole), (FIRST + 379) as Day)!;
    assert.deepEqual(found.inputs[0]!.numbers, { high: whole.high[379], low: whole.low[379] });
    assert.equal(found.inputs.length, 380);
  });
});

describe('decimal text', () => {
  for (const [value, expected] of [
    [fromInteger(0), '0'],
    [fromInteger(100), '100'],
    [fromInteger(-7), '-7'],
    [fromDouble(0.5), '0.5'],
    [fromDouble(0.1), '0.1000000000000000055511151231257827021182'],
    [fromDouble(1e-12), '0.0000000000009999999999999999798866476292556153672528'],
    [divide(fromInteger(2), fromInteger(3)), '0.6666666666666666666666666666666666666667'],
    [divide(fromInteger(-1), fromInteger(3)), '-0.3333333333333333333333333333333333333333'],
    [squareRoot(fromInteger(2)), '1.41421356237309504880168872420969807857'],
    [squareRoot(fromInteger(365)), '19.1049731745428001791682957524966914154'],
    [logarithm(fromInteger(10)), '2.302585092994045684017991454684364207601'],
    [logarithm(fromDouble(0.5)), '-0.6931471805599453094172321214581765680755'],
    [fromInteger(1e15), '1000000000000000'],
  ] as const) {
    it(`of ${expected}`, () => assert.equal(decimalText(value, 40), expected));
  }

  it('rounds up over a power of ten', () => {
    const almost = divide(fromInteger(10 ** 15 - 1), fromInteger(10 ** 15));
    assert.equal(decimalText(almost, 5), '1');
  });

  it('reads a double exactly', () => {
    for (const value of [1e-12, 0.1, 3.3, 1e12, -2.5]) {
      const { numerator, denominator } = exactly(value);
      assert.equal((fromDouble(value) * denominator) >> 512n, numerator);
    }
  });
});
