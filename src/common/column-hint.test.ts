import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnHint } from './column-hint.ts';

describe('the hint for an unknown column', () => {
  const known = ['price', 'sma5', 'sma20', 'ema10', 'ema12', 'ema200', 'beta90', 'bb20_upper'];
  for (const [typed, hint] of [
    ['ema9', 'Did you mean ema10? The windows of ema are 10, 12, 200 days.'],
    ['EMA11', 'Did you mean ema10? The windows of ema are 10, 12, 200 days.'],
    ['ema99999', 'Did you mean ema200? The windows of ema are 10, 12, 200 days.'],
    // A digit too many.
    ['sma50', 'Did you mean sma5? The windows of sma are 5, 20 days.'],
    ['beta30', 'Did you mean beta90? The only window of beta is 90 days.'],
    // The name of the indicator is wrong, not its window.
    ['smq20', 'Did you mean sma20?'],
    ['all2', 'Did you mean all?'],
    ['zzzzzzzz', `Columns: all, ${known.join(', ')}.`],
  ] as const) {
    it(`${typed}: ${hint}`, () => assert.equal(columnHint(typed, known, ['all']).hint, hint));
  }
});
