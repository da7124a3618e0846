import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PlainRow, tableOf } from '../../../test/contract/query/plain-table.ts';
import { TA_CUR, TA_HIST } from '../../domain/datasets.ts';
import { execute } from '../execute/execute.ts';
import { parsePlan } from '../parse/parse-plan.ts';
import { canonicalText } from './canonical.ts';
import { computedValues } from './computed-values.ts';
import { whereSource } from './expression-source.ts';
import { parseExpression } from './parser.ts';

function canonical(text: string): string {
  return canonicalText(parseExpression(whereSource(text)));
}

describe('the canonical form', () => {
  for (const [text, expected] of [
    ['price>1', 'price > 1'],
    ['  ( price )  >  ( 1.0 ) ', 'price > 1'],
    ['[price] >= 1e3', 'price >= 1000'],
    ['a AND b OR NOT c', 'a and b or not c'],
    ['a and (b or c)', 'a and (b or c)'],
    ['(a and b) or c', 'a and b or c'],
    ['a and (b and c)', 'a and (b and c)'],
    ['1 - (2 - 3) > -(-4)', '1 - (2 - 3) > -(-4)'],
    ['(1 - 2) - 3 * 4 > 0', '1 - 2 - 3 * 4 > 0'],
    ['-(a + b) < -a + b', '-(a + b) < -a + b'],
    ['not (a > 1)', 'not a > 1'],
    ['(not a) = b', '(not a) = b'],
    ["symbol not in ('it''s','B')", "not symbol in ('it''s', 'B')"],
    ['x not between 1 and 2+3', 'not x between 1 and 2 + 3'],
    ['(x + 1) is not null', 'x + 1 is not null'],
    ['min( a ,b, c )', 'min(a, b, c)'],
  ] as const) {
    it(`of ${text} is ${expected}`, () => {
      assert.equal(canonical(text), expected);
      assert.equal(canonical(expected), expected);
    });
  }
});

describe('conditions that plain filters can test', () => {
  const after1 = 1 + Number.EPSILON;
  const price = TA_CUR.columns.findIndex(({ name }) => name === 'price');
  const range = (low: number, high: number) => [{ kind: 'range', column: price, low, high }];
  for (const [where, filters] of [
    ['price >= 1', range(1, Infinity)],
    ['price > 1', range(after1, Infinity)],
    ['1 < price', range(after1, Infinity)],
    ['price < 0', range(-Infinity, -5e-324)],
    ['price = 2 * 3', range(6, 6)],
    ['price between 1 and 2', range(1, 2)],
    ['price >= 1 and price <= 2 and 1 = 1', range(1, 2)],
    ['price is not null', [{ kind: 'not_null', column: price }]],
  ] as const) {
    it(`${where} becomes a filter`, () => {
      const plan = parsePlan(TA_CUR, `where=${encodeURIComponent(where)}`);
      assert.deepEqual([plan.filters, plan.where], [filters, null]);
    });
  }

  it('a comparison of columns becomes a comparison, and the rest stays a condition', () => {
    const plan = parsePlan(TA_CUR, `where=${encodeURIComponent('sma50 > sma200 and price > 2 * sma5')}`);
    assert.deepEqual(
      plan.filters.map(({ kind }) => kind),
      ['comparison'],
    );
    assert.equal(plan.where?.node.kind, 'compare');
  });

  it('tickers become a look-up, joined with symbol=', () => {
    assert.deepEqual(parsePlan(TA_CUR, "where=symbol%20in%20('btc','eth')&symbol=ETH,XRP").symbols, ['ETH']);
    assert.equal(parsePlan(TA_HIST, "symbol=BTC&where=symbol='BTC'").symbols, null);
  });

  it('equal conditions in other words have one key', () => {
    const keys = ['price*2>sma5', ' ( price * 2.0 ) > [sma5]'].map(
      where => parsePlan(TA_CUR, `where=${encodeURIComponent(where)}`).canonical,
    );
    assert.equal(keys[0], keys[1]);
  });
});

/** One row with these numbers. */
function computed(expression: string, cells: PlainRow['cells']): number | null {
  const plan = parsePlan(TA_CUR, `calc=${encodeURIComponent(`x:${expression}`)}`);
  const table = tableOf(TA_CUR, [{ cells: { symbol: 'A', ...cells }, history: 1 }]);
  const { rows } = execute(plan, table, 1);
  const value = computedValues(table, plan.computed, rows)[0]![0]!;
  assert.equal(Object.is(value, -0), false, 'no negative zero');
  return Number.isNaN(value) ? null : value;
}

describe('null and what is not a number', () => {
  const cells = { price: 4, sma5: 0, sma7: null, sma10: -1, sma20: 1e300 };
  for (const [expression, expected] of [
    ['price + sma7', null],
    ['price * sma7', null],
    ['-sma7', null],
    ['abs(sma7)', null],
    ['min(price, sma7)', null],
    ['max(sma7, price)', null],
    ['price / sma5', null],
    ['sma5 / sma5', null],
    ['price / 0', null],
    ['ln(sma5)', null],
    ['ln(sma10)', null],
    ['ln(0)', null],
    ['sqrt(sma10)', null],
    ['sma20 * sma20', null],
    ['1 / (sma20 * sma20)', null],
    ['sma20 * 1e300 - sma20 * 1e300', null],
    ['1e300 * 1e300', null],
    ['-sma5', 0],
    ['sma5 * -1', 0],
    ['sqrt(price)', 2],
    ['ln(price)', Math.log(4)],
    ['ln(1)', 0],
    ['max(price, 1, 9, 2)', 9],
    ['1 + 2 * 3 - 4 / 2', 5],
    ['(1 + 2) * 3', 9],
    ['2 - 3 - 4', -5],
    ['--price', 4],
  ] as const) {
    it(`${expression} is ${expected}`, () => assert.equal(computed(expression, cells), expected));
  }
});

describe('a function', () => {
  for (const [call, message] of [
    ['abs(price, 2)', /abs\(\) takes one value, not 2\./],
    ['sqrt(1, 2, 3)', /sqrt\(\) takes one value, not 3\./],
    ['min(price)', /min\(\) takes two or more values, not 1\./],
  ] as const) {
    it(`does not take any number of values: ${call}`, () => {
      assert.throws(() => parsePlan(TA_CUR, `where=${encodeURIComponent(`${call} > 1`)}`), { message });
    });
  }
});

describe('a sign of an amount', () => {
  for (const [where, hint] of [
    ['price > $5', 'Write amounts without a sign: price > 5.'],
    ['vol30 < 60%', 'Write percentages without a sign: vol30 < 60. There is no % operator.'],
  ] as const) {
    it(`is refused with the way to write it: ${where}`, () => {
      assert.throws(() => parsePlan(TA_CUR, `where=${encodeURIComponent(where)}`), { hint });
    });
  }
});

describe('a name where a text is expected', () => {
  for (const [where, meant, hint] of [
    ['symbol = ALDM', "'ALDM'", "Write symbol = 'ALDM'."],
    ['symbol != aldm', "'aldm'", "Write symbol != 'aldm'."],
    ['symbol in (ALDM)', "'ALDM'", "Write a text in single quotes: 'ALDM'."],
  ] as const) {
    it(`is answered with its quotes: ${where}`, () => {
      const error = { code: 'unknown_column', hint, meant };
      assert.throws(() => parsePlan(TA_CUR, `where=${encodeURIComponent(where)}`), error);
    });
  }

  it('is answered with what finds an asset by its name', () => {
    const error = { hint: "Write symbol = 'BTC'; the parameter q of assets searches names." };
    assert.throws(() => parsePlan(TA_CUR, `where=${encodeURIComponent('name = Bitcoin')}`), error);
  });

  it('is a column if there is one', () => {
    assert.throws(() => parsePlan(TA_CUR, 'where=symbol=price'), { code: 'invalid_expression' });
  });
});

describe('a comparison with null', () => {
  const table = tableOf(TA_CUR, [{ cells: { symbol: 'A', price: 4, sma7: null }, history: 1 }]);
  for (const [where, rows] of [
    ['price != sma7', 0],
    ['price != 1 / 0', 0],
    ['1 / 0 != price', 0],
    ['1 / 0 != 1', 0],
    ['1 / 0 = 1 / 0', 0],
    ['price < 1 / 0', 0],
    ['not price != 1 / 0', 1],
    ['not 1 / 0 != price', 1],
  ] as const) {
    it(`${where} selects ${rows === 0 ? 'nothing' : 'the row'}`, () => {
      const plan = parsePlan(TA_CUR, `where=${encodeURIComponent(where)}`);
      assert.equal(execute(plan, table, 1).rows.length, rows);
    });
  }
});

describe('computed columns that use each other many times', () => {
  it('cost no more than their operators', () => {
    const calcs = Array.from({ length: 8 }, (_, i) => {
      const used = i === 0 ? 'price' : `c${i - 1}`;
      return `calc=c${i}:${Array(20).fill(used).join('%2B')}`;
    });
    const plan = parsePlan(TA_CUR, `${calcs.join('&')}&sort=c7&c7=1:&where=c7>c6`);
    const table = tableOf(TA_CUR, [{ cells: { symbol: 'A', price: 1 }, history: 1 }]);
    assert.equal(execute(plan, table, 1).rows.length, 1);
    assert.equal(computedValues(table, plan.computed, Uint32Array.of(0))[7]![0], 20 ** 8);
  });
});
