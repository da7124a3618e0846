import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Period } from '../domain/interval.ts';
import type { Span } from './known-spans.ts';
import { historySpan, MAX_PERIODS } from './published-series.ts';

const span = (first: number, last: number): Span => ({ first: first as Period, last: last as Period });

describe('the periods of a history', () => {
  // Hours; a period of four hours begins at every fourth.
  const last = 4 * (MAX_PERIODS + 100) + 1;
  const oldest = 4 * 101;
  for (const [name, first, expected] of [
    ['are all, if they are not too many', oldest + 9, oldest + 9],
    ['begin within the oldest one', oldest + 2, oldest + 2],
    ['begin with it', oldest, oldest],
    ['begin with the start of the oldest one if there are more', oldest - 1, oldest],
  ] as const) {
    it(name, () => assert.deepEqual(historySpan('4h', span(first, last)), span(expected, last)));
  }

  it('are those of a base interval itself', () => {
    const day = MAX_PERIODS + 5;
    assert.deepEqual(historySpan('1d', span(0, day)), span(6, day));
    assert.deepEqual(historySpan('1d', span(6, day)), span(6, day));
  });
});
