import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { directionOf, formatLarge, formatNumber, formatPercent, formatPrice, formatShare } from './format.ts';
import { numberForm } from './number-form.ts';

type Case = readonly [value: number | null, text: string];

function table(format: (value: number | null) => string, cases: readonly Case[]): void {
  for (const [value, text] of cases) it(`writes ${value} as ${text}`, () => assert.equal(format(value), text));
}

describe('a price', () => {
  table(formatPrice, [
    [1e-9, '0.0₈10000'],
    [1.23456789e-12, '0.0₁₁12346'],
    [0.00001, '0.0₄10000'],
    [0.000099999999, '0.00010000'],
    [0.00012345678, '0.00012346'],
    [0.1, '0.10000'],
    [0.99999999, '1.0000'],
    [1, '1.0000'],
    [9.99999, '10.000'],
    [12.3456789, '12.346'],
    [1234.5678, '1,234.57'],
    [65432.1, '65,432.1'],
    [99999.99, '100,000'],
    [123456.78, '123,457'],
    [1e12, '1.000e12'],
    [0, '0'],
    [-2.5, '−2.5000'],
    [null, '–'],
  ]);
});

describe('a percentage with a direction', () => {
  table(formatPercent, [
    [12.678, '+12.68%'],
    [-4.1709, '−4.17%'],
    [0, '0.00%'],
    [-0.001, '0.00%'],
    [0.001, '0.00%'],
    [200.74, '+200.7%'],
    [12345.6, '+12,346%'],
    [1e9, '+1.000e9%'],
    [null, '–'],
  ]);

  it('is flat where its text is zero, and otherwise goes where its sign says', () => {
    assert.deepEqual([0.004, -0.004, 0.006, -0.006, null].map(directionOf), ['flat', 'flat', 'up', 'down', 'flat']);
  });
});

describe('a volatility', () => {
  table(formatShare, [
    [69.531, '69.53%'],
    [134.51, '134.5%'],
    [0, '0.00%'],
  ]);
});

describe('a variance', () => {
  table(formatNumber, [
    [0, '0'],
    [7.036110463e-9, '7.036e-9'],
    [0.00012345678, '0.0001235'],
    [2.5, '2.5'],
    [123456, '123,456'],
    [1.5e20, '1.500e20'],
  ]);
});

describe('a sum of money', () => {
  table(formatLarge, [
    [1_234_567_890, '1.23 B'],
    [999_960_000, '1.00 B'],
    [123_456_789, '123.5 M'],
    [2_500_000_000_000, '2.50 T'],
    [1500, '1.50 K'],
    [12.345, '12.35'],
    [-1e6, '−1.00 M'],
    [null, '–'],
  ]);
});

describe('numbers in another form', () => {
  const texts = () => [
    formatPrice(1234.5678),
    formatPrice(1.5e-9),
    formatPercent(-4.1709),
    formatNumber(2.5),
    formatLarge(1.5e9),
  ];
  for (const [form, wanted] of [
    [{ locale: 'de-DE' }, ['1.234,57', '0,0₈15000', '−4,17%', '2,5', '1,50 B']],
    [{ locale: 'ar-EG' }, ['1,234.57', '0.0₈15000', '−4.17%', '2.5', '1.50 B']],
    ['plain', ['1234.57', '0.0000000015000', '-4.17%', '2.5', '1500000000']],
  ] as const) {
    it(`are ${wanted[0]} and the like`, () => {
      const before = numberForm.value;
      numberForm.value = form;
      try {
        assert.deepEqual(texts(), wanted);
      } finally {
        numberForm.value = before;
      }
    });
  }
});
