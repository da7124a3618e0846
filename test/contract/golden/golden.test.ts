import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COLUMNS, INDICATORS } from '../../../src/domain/catalogue.ts';
import { currentRow } from '../../../src/indicators/engine.ts';
import { BY_HAND, type HandCase } from './by-hand.ts';

const written = JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')) as HandCase[]; // by write.ts
const cases = [...BY_HAND, ...written];

describe('golden cases', () => {
  for (const { name, closes, expected } of cases) {
    it(`${name}, ${closes.length} closes`, () => {
      const row = currentRow(Float64Array.from(closes));
      for (const [column, value] of Object.entries(expected)) {
        const actual = row[INDICATORS.findIndex(indicator => indicator.name === column)];
        assert.ok(actual !== undefined, `${column} is a computed column`);
        if (value === null) assert.ok(Number.isNaN(actual), `${column} is ${actual} instead of null`);
        else
          assert.ok(Math.abs(actual - value) <= 1e-12 * Math.abs(value), `${column} is ${actual} instead of ${value}`);
      }
    });
  }
});

describe('every computed column of the catalogue', () => {
  for (const { name, nullable, minHistory } of INDICATORS) {
    it(`${name} has a golden case with a full window and one with a short history`, () => {
      const having = cases.filter(item => name in item.expected);
      const full = having.filter(item => item.closes.length >= minHistory);
      const short = having.filter(item => item.closes.length < minHistory);
      assert.ok(full.some(item => item.expected[name] !== null && item.expected[name] !== 0));
      assert.ok(short.length > 0 && short.every(item => (item.expected[name] === null) === nullable));
    });
  }
});

describe('the catalogue', () => {
  it('has the 34 columns of the indicator row in their order', () => {
    const row =
      'datetimeUTC symbol price ' +
      'change1 change5 change7 change10 change20 change30 change50 change90 change180 change365 ' +
      'sma5 sma7 sma10 sma20 sma30 sma50 sma100 sma200 sma365 ' +
      'var5 var7 var10 var20 var30 var50 vol5 vol7 vol10 vol20 vol30 vol50';
    assert.deepEqual(
      COLUMNS.map(column => column.name),
      row.split(' '),
    );
  });

  it('lets only changes be null', () => {
    for (const column of COLUMNS) assert.equal(column.nullable, column.kind === 'change', column.name);
  });

  it('names each indicator after its kind and window, and says how much history fills the window', () => {
    for (const { name, kind, window, minHistory } of INDICATORS) {
      assert.equal(name, `${kind}${window}`);
      assert.equal(minHistory, kind === 'change' || kind === 'vol' ? window + 1 : window);
    }
  });
});
