import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { compact, count, table } from './terminal.ts';

describe('a table for people', () => {
  it('has columns as wide as their widest cell', () => {
    const text = table(
      ['id', '>n'],
      [
        ['a', '1'],
        ['long', '22'],
      ],
    );
    assert.equal(stripVTControlCharacters(text), 'id     n\na      1\nlong  22');
  });

  it('may have more rows than a call can have arguments', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
    assert.ok(table(['n'], rows).endsWith('\n199999'));
  });
});

describe('a number for people', () => {
  const numbers = [
    0, 1, 9, 10, 99, 100, 999, 1000, 1234, 9995, 12_345, 99_950, 123_456, 999_499, 999_500, 1e6, 1_234_567, 87_654_321,
  ];
  const large = [999_499_999, 1e9, 12_345_678_901, 1e12, 123_456_789_012_345];

  it('has its digits in groups', () => {
    const grouped = new Intl.NumberFormat('en-US');
    for (const number of [...numbers, ...large]) assert.equal(count(number), grouped.format(number));
  });

  it('has three digits and a unit where it need not be exact', () => {
    const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
    const rates = [0.123456, 0.5, 5.4321, 141.42, 1414.2];
    for (const number of [...rates, ...numbers, ...large]) assert.equal(compact(number), short.format(number));
  });

  it('is a dash if it is a rate of no time', () => {
    assert.deepEqual([compact(0 / 0), compact(5 / 0)], ['–', '–']);
  });
});
