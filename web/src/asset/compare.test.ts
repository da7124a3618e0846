import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basePeriod, rebased } from './compare.ts';

const asset = (id: string, values: Readonly<Record<number, number>>) => ({
  id,
  symbol: id.toUpperCase(),
  values: new Map(Object.entries(values).map(([start, value]) => [Number(start), value])),
});

/** Starts of periods. */
const DAYS = [86_400, 172_800, 259_200] as const;

const OLD = asset('old', { [DAYS[0]]: 4, [DAYS[1]]: 5, [DAYS[2]]: 6 });
const YOUNG = asset('young', { [DAYS[1]]: 0.02, [DAYS[2]]: 0.01 });

describe('a comparison', () => {
  it('begins with the first period that all assets have', () => {
    assert.equal(basePeriod(DAYS, [OLD, YOUNG]), DAYS[1]);
    assert.equal(basePeriod([DAYS[0]], [OLD, YOUNG]), null);
  });

  it('has each asset at 100 in that period', () => {
    const values = (each: typeof OLD) => [...rebased(each, DAYS[1]).values];
    assert.deepEqual(values(OLD), [
      [DAYS[0], 80],
      [DAYS[1], 100],
      [DAYS[2], 120],
    ]);
    assert.deepEqual(values(YOUNG), [
      [DAYS[1], 100],
      [DAYS[2], 50],
    ]);
  });

  it('draws nothing without a common period', () => assert.equal(rebased(OLD, null).values.size, 0));
});
