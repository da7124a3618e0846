import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ASSETS, TA_CUR } from '../../domain/datasets.ts';
import { parsePlan } from '../parse/parse-plan.ts';
import { FilterBitmapCache, filtersKey } from './filter-bitmap-cache.ts';

const WORDS = 4;
const BYTES = 4 * WORDS;
const wordsOf = (value: number) => new Int32Array(WORDS).fill(value);

function keptAfter(maxBytes: number, steps: readonly string[]): string {
  const kept = new FilterBitmapCache(maxBytes);
  for (const step of steps) {
    if (step.startsWith('?')) kept.get(step.slice(1));
    else kept.set(step, wordsOf(step.charCodeAt(0)), step.charCodeAt(0));
  }
  return ['a', 'b', 'c', 'd']
    .filter(name => {
      const found = kept.get(name);
      if (found) assert.deepEqual(found, { words: wordsOf(name.charCodeAt(0)), total: name.charCodeAt(0) });
      return found;
    })
    .join('');
}

describe('cached bitmaps of filters', () => {
  for (const [maxBytes, steps, expected] of [
    [3 * BYTES, ['a', 'b', 'c'], 'abc'],
    [3 * BYTES, ['a', 'b', 'c', 'd'], 'bcd'],
    [3 * BYTES, ['a', 'b', 'c', '?a', 'd'], 'acd'],
    [3 * BYTES, ['a', 'a', 'a', 'b', 'c'], 'abc'],
    [3 * BYTES, ['a', 'b', 'a', 'c', 'd'], 'acd'],
    [2 * BYTES + 1, ['a', 'b', 'c'], 'bc'],
    [2 * BYTES, ['a', 'b', 'c'], 'bc'],
    [2 * BYTES - 1, ['a', 'b'], ''],
    [BYTES - 1, ['a', 'b'], ''],
    [0, ['a'], ''],
  ] as const) {
    it(`of ${steps.join(' ')} within ${maxBytes} bytes are ${expected || 'none'}`, () => {
      assert.equal(keptAfter(maxBytes, steps), expected);
    });
  }

  it('are a copy', () => {
    const kept = new FilterBitmapCache(2 * BYTES);
    const words = wordsOf(1);
    kept.set('a', words, 1);
    words.fill(2);
    assert.deepEqual(kept.get('a')?.words, wordsOf(1));
  });
});

describe('the key of the filters of a plan', () => {
  const keyOf = (query: string) => filtersKey(parsePlan(query.startsWith('q=') ? ASSETS : TA_CUR, query));

  it('is the same for every page, sort and form', () => {
    const queries = ['', '&page=3', '&sort=price', '&order=asc', '&limit=7', '&format=csv', '&excl_cols=sma5'];
    assert.equal(new Set(queries.map(more => keyOf(`[sma5]>:[sma7]&price=1:${more}`))).size, 1);
  });

  it('is another one for other rows', () => {
    const queries = [
      'price=1:',
      'price=:1',
      'price=1',
      'sma5=1:',
      'not_null=price',
      '[sma5]>:[sma7]',
      '[sma5]>=:[sma7]',
      '[sma7]>:[sma5]',
      '[sma5]>:[sma7]&price=1:',
      'min_history=5',
      'min_history=5&price=1:',
      'q=null',
      'q=5',
      'limit=5',
    ];
    assert.equal(new Set(queries.map(keyOf)).size, queries.length);
  });
});
