import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COLUMNS, OPTIONAL_COLUMNS, OPTIONAL_COMPUTED } from '../../../src/domain/catalogue.ts';
import { dailyBars } from '../../../src/indicators/calendar.ts';
import { optionalColumns } from '../../../src/indicators/optional.ts';
import { benchmarkOf } from '../../../src/indicators/return-series.ts';
import { OPTIONAL_FIELDS } from '../../support/optional-fields.ts';
import { columnsOf } from '../../support/oracle/bars.ts';
import { OPTIONAL_BY_HAND, type OptionalCase } from './optional-by-hand.ts';

const file = join(import.meta.dirname, 'optional-cases.json');
const written = JSON.parse(readFileSync(file, 'utf8')) as OptionalCase[]; // by write.ts
const cases = [...OPTIONAL_BY_HAND, ...written];

describe('golden cases of optional columns', () => {
  for (const { name, bars, benchmark, expected } of cases) {
    it(`${name}, ${bars.close.length} bars`, () => {
      const series = dailyBars(columnsOf(bars));
      const last = series.closes.length - 1;
      const table = optionalColumns(series, benchmark && benchmarkOf(dailyBars(columnsOf(benchmark))), last);
      for (const [column, value] of Object.entries(expected)) {
        const actual = table[OPTIONAL_COMPUTED.findIndex(each => each.name === column)]?.[0];
        assert.ok(actual !== undefined, `${column} is a computed column`);
        if (value === null) assert.ok(Number.isNaN(actual), `${column} is ${actual} instead of null`);
        else
          assert.ok(Math.abs(actual - value) <= 1e-12 * Math.abs(value), `${column} is ${actual} instead of ${value}`);
      }
    });
  }
});

describe('every optional column that is computed', () => {
  for (const { name, nullable } of OPTIONAL_COMPUTED) {
    it(`${name} has a golden case with a value${nullable ? ' and one without' : ' and none without'}`, () => {
      const values = cases.filter(({ expected }) => name in expected).map(({ expected }) => expected[name]);
      assert.ok(values.some(value => value !== null && value !== 0));
      assert.equal(values.includes(null), nullable);
    });
  }
});

describe('the catalogue of optional columns', () => {
  it('has the columns of the contract in their order', () => {
    assert.deepEqual(
      OPTIONAL_COLUMNS.map(column => column.name),
      OPTIONAL_FIELDS,
    );
  });

  it('has a label of its own for each column of the listing', () => {
    const labels = [...COLUMNS, ...OPTIONAL_COLUMNS].map(({ name, label }) => label ?? assert.fail(`${name} has none`));
    assert.deepEqual([...new Set(labels)], labels);
  });

  it('has each group in one piece', () => {
    const groups = OPTIONAL_COLUMNS.map(column => column.group);
    const turns = groups.filter((group, i) => group !== groups[i - 1]);
    assert.deepEqual(turns, ['market', 'trend', 'momentum', 'risk', 'range', 'quality']);
  });

  it('says when a column is null, exactly where it can be', () => {
    for (const { name, nullable, description } of OPTIONAL_COLUMNS) {
      assert.equal(/; null /.test(description), nullable, `${name}: ${description}`);
    }
  });
});
