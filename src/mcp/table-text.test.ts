import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Publications } from '../../test/support/publications.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { numberText, plainText, tableText } from './table-text.ts';

describe('a number as a model reads it', () => {
  for (const [value, text] of [
    [1234.56789, '1234.57'],
    [-0.000012345678, '-0.0000123457'],
    [1.5e-9, '1.5e-9'],
    [999_999_999, '1e9'],
    [1_234_567_890_123, '1.23457e12'],
    [0, '0'],
    [Number.NaN, ''],
  ] as const) {
    it(`${value} is “${text}”`, () => assert.equal(numberText(value), text));
  }
});

describe('rows as a table', () => {
  it('have a header with units, and texts that cannot look like other cells or rows', () => {
    const { current } = new Publications({ 'A,"1"': 1.23456789, 'B\n2': 2 });
    const place = (name: string) => TA_CUR.columns.findIndex(column => column.name === name);
    const columns = ['symbol', 'price', 'change7', 'datetimeUTC', 'vol30'].map(place);
    const text = tableText(current.tables['ta-cur'], [0, 1], columns);
    assert.deepEqual(text.split('\n'), [
      'symbol,price USD,change7 %,datetimeUTC,vol30 %/year',
      '"A,""1""",1.23457,1,2026-03-10,1',
      'B 2,2,1,2026-03-10,1',
    ]);
  });

  it('have no control characters', () => {
    assert.equal(plainText(' a\u0000\u202eb\t\r\nc '), 'a b c');
  });
});
