// Columns of one's own against the built-in ones, bit for bit, and against exact arithmetic and DuckDB.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { duckRows } from '../../../test/support/duckdb.ts';
import { uniform } from '../../../test/support/market.ts';
import { type Bars, barsAround, columnsOf, withoutSome } from '../../../test/support/oracle/bars.ts';
import {
  atrOf,
  binaryOf,
  type Generated,
  recursionOf,
  relativeError,
  seriesOf,
  windowOf,
} from '../../../test/support/oracle/own-columns.ts';
import { INDICATORS, OPTIONAL_COMPUTED } from '../../domain/catalogue.ts';
import type { OwnNode } from '../../domain/own/language.ts';
import { parseDefinition } from '../../domain/own/parse.ts';
import { dailyBars } from '../calendar.ts';
import { dailyRows } from '../engine.ts';
import { Series } from '../kernel.ts';
import { optionalColumns } from '../optional.ts';
import { ownProgram } from './program.ts';

/** A walk of prices, with bars around it. */
function walk(days: number, seed: number, gaps = false): Bars {
  const random = uniform(seed);
  let price = 10 ** (6 * random() - 3);
  const closes = Array.from({ length: days }, () => {
    price *= 1 + 0.1 * (random() - 0.5);
    return price;
  });
  const bars = barsAround(closes, random);
  return gaps
    ? withoutSome(
        bars,
        () => random() < 0.01,
        () => random() < 0.01,
      )
    : bars;
}

function computed(node: OwnNode, bars: Bars, step = bars.close.length): Float64Array {
  const program = ownProgram(node);
  const series = new Series(program.stateSize).set(dailyBars(columnsOf(bars)), null);
  const out = new Float64Array(bars.close.length);
  const { end } = series;
  for (let first = 0; first < end; first += step) {
    series.next = first;
    series.end = Math.min(first + step, end);
    program.run(series, first, out, first, 0);
  }
  return out;
}

describe('of equal values', () => {
  const bars = barsAround(
    Array.from({ length: 9 }, () => 0.1),
    () => 0.5,
  );
  for (const [text, value] of [
    ['var(close, 5)', 0],
    ['stdev(close, 5)', 0],
    ['zscore(close, 5)', Number.NaN], // 0 / 0
  ] as const) {
    it(`${text} is ${value}`, () => {
      const unknown = Array.from({ length: 4 }, () => Number.NaN);
      const known = Array.from({ length: 5 }, () => value);
      assert.deepEqual([...computed(parseDefinition(text), bars)], [...unknown, ...known]);
    });
  }
});

describe('a definition that says the same as a built-in column', () => {
  const same: readonly (readonly [text: string, column: string])[] = [
    ...[5, 7, 10, 20, 30, 50, 100, 200, 365].map(n => [`sma(close, ${n})`, `sma${n}`] as const),
    ...[5, 7, 10, 20, 30, 50].map(n => [`var(close, ${n})`, `var${n}`] as const),
    ...[1, 5, 7, 10, 20, 30, 50, 90, 180, 365].map(n => [`change(close, ${n})`, `change${n}`] as const),
    ...[10, 12, 20, 26, 50, 100, 200].map(n => [`ema(close, ${n})`, `ema${n}`] as const),
    ...[7, 14, 21].map(n => [`rsi(close, ${n})`, `rsi${n}`] as const),
    ['atr(14)', 'atr14'],
    ['zscore(close, 20)', 'zscore20'],
    ['max(close, 365)', 'max365'],
    ['min(close, 365)', 'min365'],
    ['turnover', 'turnover'],
    ['sma(turnover, 30)', 'turnover30'],
    ['open', 'open'],
    ['high', 'high'],
    ['low', 'low'],
    ['volume', 'volume'],
  ];
  for (const [seed, gaps] of [
    [1, false],
    [2, true],
  ] as const) {
    const bars = walk(900, seed, gaps);
    const dense = dailyBars(columnsOf(bars));
    const tables = [
      [INDICATORS, dailyRows(dense.closes)],
      [OPTIONAL_COMPUTED, optionalColumns(dense, null)],
    ] as const;
    for (const [text, name] of same) {
      it(`${text} has the bits of ${name}${gaps ? ', with unknown numbers' : ''}`, () => {
        const [columns, table] = tables.find(([each]) => each.some(column => column.name === name))!;
        const place = columns.findIndex(column => column.name === name);
        const { minHistory } = columns[place] as { minHistory?: number };
        const found = computed(parseDefinition(text), bars);
        let known = 0;
        for (let day = 0; day < found.length; day++) {
          const expected = day + 1 < (minHistory ?? 1) ? Number.NaN : table[place]![day]!;
          assert.ok(Object.is(found[day], expected), `day ${day}: ${found[day]} instead of ${expected}`);
          known += Number.isNaN(expected) ? 0 : 1;
        }
        assert.ok(known > 100);
      });
    }
  }
});

/** Forty definitions: every function over every kind of operand. */
function generated(bars: Bars, seed: number): Generated[] {
  const random = uniform(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const length = () => 2 + Math.floor(random() * 40);
  const series = () => seriesOf(bars, pick(['open', 'high', 'low', 'close', 'volume', 'turnover'] as const));
  const windows = ['sma', 'wma', 'sum', 'min', 'max', 'var', 'stdev', 'zscore', 'lag', 'change'];
  const ofWindow = (x: Generated) => windowOf(pick(windows), x, length());
  const found: Generated[] = windows.flatMap(name => [
    windowOf(name, series(), length()),
    windowOf(name, binaryOf('*', series(), series()), length()),
  ]);
  for (let i = 0; i < 4; i++) {
    found.push(binaryOf('/', windowOf('sma', series(), length()), windowOf('sma', series(), 20 + length())));
    found.push(binaryOf('/', windowOf('stdev', seriesOf(bars, 'close'), length()), atrOf(bars, 14)));
    found.push(recursionOf(pick(['ema', 'rsi']), series(), length()));
    found.push(recursionOf(pick(['ema', 'rsi']), windowOf('sma', series(), 5), length()));
    found.push(ofWindow(recursionOf('ema', series(), length())));
  }
  return found;
}

describe('a definition at random', () => {
  for (const gaps of [false, true]) {
    const bars = walk(260, gaps ? 12 : 11, gaps);
    for (const [i, { text, values }] of generated(bars, 5).entries()) {
      it(`${i}: ${text} is exact to 1e-12${gaps ? ', with unknown numbers' : ''}`, () => {
        const found = computed(parseDefinition(text), bars);
        let known = 0;
        for (const [day, exact] of values.entries()) {
          const value = found[day]!;
          assert.equal(Number.isNaN(value), exact === null, `day ${day}: ${value}`);
          if (exact === null) continue;
          known++;
          // What cancels to nothing has no relative error.
          if (Math.abs(value) > 1e-300) assert.ok(relativeError(value, exact) <= 1e-12, `day ${day}: ${value}`);
        }
        assert.ok(known > 0 || gaps);
      });

      it(`${i}: ${text} is the same when it is continued day by day${gaps ? ', with unknown numbers' : ''}`, () => {
        const node = parseDefinition(text);
        assert.deepEqual(computed(node, bars, 1), computed(node, bars));
      });
    }
  }
});

describe('a definition that SQL can say', () => {
  const bars = walk(260, 13);
  const inSql = generated(bars, 5).flatMap(({ text, sql }) => (sql === null ? [] : [{ text, sql }]));

  it('is what the windows of DuckDB give, to 1e-12', async () => {
    assert.ok(inSql.length >= 8, `${inSql.length} definitions`);
    const rows = bars.day.map((day, i) => {
      const numbers = [bars.open[i], bars.high[i], bars.low[i], bars.close[i], bars.volume[i]];
      return `(${day}, ${numbers.map(value => `CAST('${value}' AS DOUBLE)`).join(', ')})`;
    });
    const table = `CREATE TABLE bars AS SELECT * FROM (VALUES ${rows.join(', ')}) AS t(day, open, high, low, close, volume)`;
    const columns = inSql.map(({ sql }, i) => `${sql} AS c${i}`).join(', ');
    const found = await duckRows(`SELECT ${columns} FROM bars ORDER BY day`, table);
    for (const [i, { text }] of inSql.entries()) {
      const ours = computed(parseDefinition(text), bars);
      for (const [day, row] of found.entries()) {
        const [value, theirs] = [ours[day]!, row[`c${i}`]];
        if (theirs === null) assert.ok(Number.isNaN(value), `${text}, day ${day}`);
        else {
          const error = Math.abs(value - Number(theirs)) / Math.abs(value);
          assert.ok(error <= 1e-12, `${text}, day ${day}: ${value} and ${theirs}`);
        }
      }
    }
  });
});
