import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { baseDay, rebased } from './compare.ts';

const asset = (id: string, values: Readonly<Record<string, number>>) => ({
  id,
  symbol: id.toUpperCase(),
  values: new Map(Object.entries(values)),
});

const OLD = asset('old', { '2026-01-01': 4, '2026-01-02': 5, '2026-01-03': 6 });
const YOUNG = asset('young', { '2026-01-02': 0.02, '2026-01-03': 0.01 });

describe('a comparison', () => {
  it('begins on the first day that all assets have', () => {
    assert.equal(baseDay(['2026-01-01', '2026-01-02', '2026-01-03'], [OLD, YOUNG]), '2026-01-02');
    assert.equal(baseDay(['2026-01-01'], [OLD, YOUNG]), null);
  });

  it('has each asset at 100 on that day', () => {
    const values = (each: typeof OLD) => [...rebased(each, '2026-01-02').values];
    assert.deepEqual(values(OLD), [
      ['2026-01-01', 80],
      ['2026-01-02', 100],
      ['2026-01-03', 120],
    ]);
    assert.deepEqual(values(YOUNG), [
      ['2026-01-02', 100],
      ['2026-01-03', 50],
    ]);
  });

  it('draws nothing without a common day', () => assert.equal(rebased(OLD, null).values.size, 0));
});
