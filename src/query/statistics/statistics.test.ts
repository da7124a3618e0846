import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { Chance } from '../../../test/contract/query/chance.ts';
import { tableOf } from '../../../test/contract/query/plain-table.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import type { Table } from '../../snapshot/table.ts';
import { histogramOf } from './histogram.ts';
import { parseStatistics, statisticsTable } from './statistics.ts';
import { summaryOf } from './summary.ts';

function histogram(values: readonly number[], bins: number) {
  return histogramOf(Float64Array.from(values).sort(), bins);
}

describe('a histogram', () => {
  for (const [values, bins, edges, counts] of [
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5, [0, 2, 4, 6, 8, 10], [2, 2, 2, 2, 3]],
    [[0.1, 0.2, 0.3], 2, [0.1, 0.2, 0.3], [1, 2]],
    [[-5, 5], 4, [-5, -2.5, 0, 2.5, 5], [1, 0, 0, 1]],
    [[7], 10, [7, 8], [1]],
    [[0, 0], 3, [0, 1], [2]],
    [[1e-12, 3e-12], 2, [1e-12, 2e-12, 3e-12], [1, 1]],
    [[1e12, 9e12], 1, [1e12, 9e12], [2]],
    [[-3, 4.5], 1, [-3, 5], [2]],
  ] as const) {
    it(`of ${values.join()} in ${bins} bins has the edges ${edges.join()}`, () => {
      assert.deepEqual(histogram(values, bins), { edges, counts });
    });
  }

  it('of nothing is null', () => assert.equal(histogram([], 5), null));

  it('of random values covers all of them with at most so many bins, all as wide', () => {
    const chance = new Chance(3);
    for (let i = 0; i < 2000; i++) {
      const scale = 10 ** (chance.below(600) - 300);
      const values = Array.from({ length: 1 + chance.below(50) }, () => (chance.next() - 0.3) * scale);
      const bins = 1 + chance.below(30);
      const { edges, counts } = histogram(values, bins)!;
      assert.ok(counts.length <= Math.max(bins, 1) && edges.length === counts.length + 1, `${bins}: ${edges}`);
      assert.ok(edges[0]! <= Math.min(...values) && edges.at(-1)! >= Math.max(...values), `${edges}`);
      const expected = counts.map((_, bin) => {
        const isLast = bin === counts.length - 1;
        return values.filter(
          each => each >= edges[bin]! && (each < edges[bin + 1]! || (isLast && each <= edges[bin + 1]!)),
        ).length;
      });
      assert.deepEqual(counts, expected);
      for (const edge of edges) assert.equal(Number(edge.toPrecision(8)), edge);
    }
  });

  it('of values that are nearly equal has different edges', () => {
    for (const value of [-1.7543859649122644, 1e12, 3.3, 1e-300, 1e300]) {
      for (const bins of [1, 4, 21, 100]) {
        const values = [value, value * (1 + Number.EPSILON), value * (1 + 5 * Number.EPSILON)];
        const { edges, counts } = histogram(values, bins)!;
        assert.ok(
          edges.every((edge, i) => i === 0 || edge > edges[i - 1]!),
          `${edges}`,
        );
        assert.ok(counts.length <= bins);
        assert.ok(edges[0]! <= Math.min(...values) && edges.at(-1)! >= Math.max(...values), `${edges}`);
      }
    }
  });

  it('of the largest doubles ends', () => {
    for (const values of [[-1.7e308, 1.7e308], [1.7976931348623157e308], [5e-324, 1e-323], [-5e-324]]) {
      const { edges, counts } = histogram(values, 4)!;
      assert.ok(edges.every(Number.isFinite) && edges[0]! <= values[0]! && edges.at(-1)! >= values.at(-1)!, `${edges}`);
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        values.length,
      );
    }
  });
});

describe('a summary', () => {
  it('does not lose small values beside large ones', () => {
    const { mean } = summaryOf(Float64Array.of(-1e16, 1, 1, 1, 1, 1e16).sort());
    assert.equal(mean, 4 / 6);
  });

  it('of no values is null, and of one has no deviation', () => {
    assert.ok(Object.values(summaryOf(new Float64Array())).every(value => value === null));
    assert.deepEqual(
      { ...summaryOf(Float64Array.of(3)) },
      { ...{ min: 3, max: 3, mean: 3, stdev: null }, ...quantiles(3) },
    );
  });
});

function quantiles(value: number) {
  return { p5: value, p25: value, p50: value, p75: value, p95: value };
}

/** More than a step of a computed column has. */
const ROWS = 150_000;

describe('the statistics of a query', () => {
  it('agree with DuckDB, of columns and of computed columns', async () => {
    const chance = new Chance(9);
    const prices = numbers(() => (chance.happens(0.1) ? Number.NaN : Math.round(1e6 * chance.next()) / 1e3));
    const averages = numbers(() => chance.next());
    const table = withNumbers({ price: prices, sma5: averages });
    const plan = parseStatistics(
      'cols=price,ratio&calc=ratio:price/sma5&where=price>100%20or%20price%20is%20null&bins=10',
    );
    const found = run(plan, table);
    const duckdb = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await duckdb.run('CREATE TABLE t (price DOUBLE, sma5 DOUBLE)');
    const appender = await duckdb.createAppender('t');
    for (let row = 0; row < ROWS; row++) {
      if (Number.isNaN(prices[row])) appender.appendNull();
      else appender.appendDouble(prices[row]!);
      appender.appendDouble(averages[row]!);
      appender.endRow();
    }
    appender.closeSync();
    for (const [row, sql] of [
      [0, 'price'],
      [1, 'price / sma5'],
    ] as const) {
      const reader = await duckdb.runAndReadAll(
        `SELECT count(*)::DOUBLE, count_if(x IS NULL)::DOUBLE, min(x), max(x), favg(x), stddev_samp(x),
           quantile_cont(x, 0.05), quantile_cont(x, 0.25), quantile_cont(x, 0.5), quantile_cont(x, 0.75), quantile_cont(x, 0.95)
         FROM (SELECT ${sql} AS x FROM t WHERE price > 100 OR price IS NULL)`,
      );
      const expected = reader.getRowsJS()[0] as number[];
      const actual = found.columns.slice(1, -1).map(data => (data.kind === 'number' ? data.values[row]! : Number.NaN));
      assert.equal(actual.length, expected.length);
      for (const [i, value] of expected.entries()) {
        const difference = Math.abs(actual[i]! - value);
        assert.ok(difference <= 1e-12 * Math.abs(value), `${sql}, figure ${i}: ${actual[i]} instead of ${value}`);
      }
    }
    duckdb.closeSync();
  });
});

function run(plan: ReturnType<typeof parseStatistics>, table: Table): Table {
  const steps = statisticsTable(plan, table);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function numbers(value: () => number): Float64Array<SharedArrayBuffer> {
  const values = new Float64Array(new SharedArrayBuffer(8 * ROWS));
  for (let row = 0; row < ROWS; row++) values[row] = value();
  return values;
}

/** A table with these columns, and nothing in the others. */
function withNumbers(columns: Readonly<Record<string, Float64Array<SharedArrayBuffer>>>): Table {
  const none = numbers(() => Number.NaN);
  const data = TA_CUR.columns.map(({ name }) => ({ kind: 'number', values: columns[name] ?? none }) as const);
  const order = (column: number) => {
    const { values } = data[column]!;
    const rows = Array.from({ length: ROWS }, (_, row) => row).sort((a, b) => {
      const nulls = Number(Number.isNaN(values[a])) - Number(Number.isNaN(values[b]));
      return nulls || (Number.isNaN(values[a]) ? 0 : values[a]! - values[b]!);
    });
    const shared = new Uint32Array(new SharedArrayBuffer(4 * ROWS));
    shared.set(rows);
    return shared;
  };
  return { ...tableOf(TA_CUR, []), rows: ROWS, columns: data, order };
}
