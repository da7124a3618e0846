import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Publications } from '../../test/support/publications.ts';
import { finish } from '../common/steps.ts';
import { countsAlone } from './conditions.ts';

const table = new Publications({ A: 1, B: 2, C: 3, D: 40 }).current.tables['ta-cur'];
const countsOf = (where: string) => finish(countsAlone(where, table, new Map()));

describe('how many rows each condition selects alone', () => {
  for (const [where, expected] of [
    ['price > 1 and price < 3', 'Alone: price > 1 selects 3, price < 3 selects 2.'],
    ['price between 2 and 3 and price > 10', 'Alone: price between 2 and 3 selects 2, price > 10 selects 1.'],
    ["(price > 1 or price < 3) and symbol = 'D'", "Alone: (price > 1 or price < 3) selects 4, symbol = 'D' selects 1."],
    ["symbol = 'A and B' and price > 1", "Alone: symbol = 'A and B' selects 0, price > 1 selects 3."],
  ] as const) {
    it(where, () => assert.equal(countsOf(where), expected));
  }

  for (const [what, where] of [
    ['one condition', 'price > 1'],
    ['conditions that `or` joins', 'price > 1 and price < 3 or price = 40'],
    ['too many of them', Array.from({ length: 7 }, (_, i) => `price > ${i}`).join(' and ')],
  ] as const) {
    it(`is not said of ${what}`, () => assert.equal(countsOf(where), ''));
  }
});
