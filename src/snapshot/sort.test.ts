import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anyValue, byCodePoint, NASTY_TICKERS, pick, uniform } from '../../test/support/market.ts';
import { rowNumbers } from './columns/shared-memory.ts';
import { sortedByNumber } from './columns/sort-numbers.ts';
import { packTexts, sortedByText, textAt } from './columns/texts.ts';

const SIZES = [0, 1, 2, 23, 24, 511, 512, 5000];

describe('rows sorted by number', () => {
  const naive = (keys: Float64Array) =>
    [...keys.keys()].sort((a, b) => {
      const [x, y] = [keys[a]!, keys[b]!];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
      return x < y ? -1 : x > y ? 1 : a - b;
    });

  for (const [name, value] of [
    ['any doubles', anyValue],
    ['whole numbers', (random: () => number) => Math.floor(random() * 100) - 50],
    ['numbers that differ in their last digits', (random: () => number) => 1 + Math.floor(random() * 2000) * 2 ** -52],
    ['one number', () => 7],
    ['zeros of both signs', (random: () => number) => (random() < 0.5 ? 0 : -0)],
    ['nothing but nulls', () => Number.NaN],
  ] as const) {
    it(`${name}: ascending, NaN last, equal ones in their given order`, () => {
      for (const size of SIZES) {
        const random = uniform(size);
        const keys = Float64Array.from({ length: size }, () => value(random));
        assert.deepEqual([...sortedByNumber(keys)], naive(keys));
      }
    });
  }
});

describe('rows sorted by text', () => {
  const letters = ['a', 'b', '\0', 'é', '𝔞', '\uffee', '-'];
  for (const [name, text] of [
    ['few letters', random => Array.from({ length: random() * 15 }, () => pick(random, letters)).join('')],
    ['one beginning', random => `all-of-them-begin-alike-${Math.floor(random() * 4000)}`],
    ['few texts and nulls', random => pick(random, [null, '', 'coin', 'coin\0', 'cryptocurrency'])],
    ['tickers', random => pick(random, NASTY_TICKERS)],
  ] as const satisfies [string, (random: () => number) => string | null][]) {
    it(`${name}: by code point, null last, equal ones in their given order`, () => {
      for (const size of SIZES) {
        const random = uniform(size);
        const texts = Array.from({ length: size }, () => text(random));
        const data = packTexts(texts);
        const expected = [...texts.keys()].sort((a, b) => {
          const [x, y] = [texts[a] ?? null, texts[b] ?? null];
          if (x === null || y === null) return Number(x === null) - Number(y === null) || a - b;
          return byCodePoint(x, y) || a - b;
        });
        assert.deepEqual([...sortedByText(data, rowNumbers(size))], expected);
        assert.deepEqual(
          texts.map((_, i) => textAt(data, i)),
          texts,
        );
      }
    });
  }
});
