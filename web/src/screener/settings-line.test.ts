import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDefinition } from '../../../src/domain/own/parse.ts';
import { settingsLine } from './settings-line.ts';

describe('the line for the settings file', () => {
  for (const [expression, definition] of [
    ['sma50 / sma200', 'sma(close, 50) / sma(close, 200)'],
    ['price - ema12', 'close - ema(close, 12)'],
    ['(price-lag(price, 7))/atr14', '(close-lag(close, 7))/atr(14)'],
    ['turnover / turnover30', 'turnover / sma(turnover, 30)'],
    ['max(abs(change1), sqrt(var20))', 'max(abs(change(close, 1)), sqrt(var(close, 20)))'],
    ['100 * (price / max365 - 1) + 1e3', '100 * (close / max(close, 365) - 1) + 1e3'],
  ] as const) {
    it(`of ${expression} is a definition over bars`, () => {
      assert.deepEqual(settingsLine('x', expression), { line: `"x": ${JSON.stringify(definition)}` });
      parseDefinition(definition);
    });
  }

  for (const [expression, unknown] of [
    ['change30 / vol30', 'vol30'],
    ['market_cap / 2', 'market_cap'],
    ['crosses_above(price, sma5)', 'crosses_above'],
  ] as const) {
    it(`is not there for ${expression}, because of ${unknown}`, () => {
      assert.deepEqual(settingsLine('x', expression), { unknown });
    });
  }
});
