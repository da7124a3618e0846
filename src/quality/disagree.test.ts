import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf } from '../../test/support/source-bars.ts';
import type { SourceBars } from '../domain/source-bars.ts';
import { disagree } from './disagree.ts';
import { DEFAULT_RULE_SETTINGS } from './settings.ts';

function findings(sources: readonly SourceBars[], from = Number.NEGATIVE_INFINITY) {
  return disagree({ served: sources[0]!, sources, newest: null }, from, DEFAULT_RULE_SETTINGS);
}

/** Of one period, by one source per close. */
function found(...closes: readonly number[]): string[] {
  const names = ['a', 'b', 'c', 'd', 'e'];
  return findings(closes.map((close, i) => barsOf({ close: [close] }, [7], names[i]!))).map(
    ({ period, source, value, expected }) => `${period} ${source}: ${value}, not ${expected}`,
  );
}

describe('sources', () => {
  for (const [name, closes, expected] of [
    ['that agree are not a finding', [100, 100], []],
    ['that differ by exactly 5 % are not a finding', [100, 105], []],
    ['that differ by more are, and the second is doubted', [100, 105.1], ['7 b: 105.1, not 100']],
    ['that differ downwards are, too', [105.1, 100], ['7 b: 100, not 105.1']],
    ['of which one is too high: that one is doubted', [120, 100, 101], ['7 a: 120, not 100.5']],
    ['of which one is too low: that one is doubted', [100, 80, 101], ['7 b: 80, not 100.5']],
    ['of which two pairs differ: the last of the farthest is doubted', [100, 100, 144, 144], ['7 b: 100, not 144']],
    ['that are each near the median still differ from each other', [100, 104, 108], ['7 a: 100, not 106']],
    ['without a number are left out', [100, Number.NaN, 101, 0, Number.POSITIVE_INFINITY], []],
    ['of which only one has a number do not differ', [Number.NaN, 100], []],
    ['alone do not differ', [100], []],
  ] as const) {
    it(name, () => assert.deepEqual(found(...closes), expected));
  }

  it('are compared period by period, and corrections are left out', () => {
    const a = barsOf({ close: [1, 1, 1, 1] }, [1, 2, 4, 6], 'a');
    const b = barsOf({ close: [2, 1, 2, 2] }, [2, 3, 4, 7], 'b');
    const corrections = barsOf({ close: [9, 9] }, [1, 6], 'correction');
    const periods = (from?: number) => findings([corrections, a, b], from).map(({ period }) => period);
    assert.deepEqual(periods(), [2, 4]);
    assert.deepEqual(periods(3), [4]);
    assert.deepEqual(periods(5), []);
  });

  it('are listed with their closes and the difference', () => {
    const sources = [barsOf({ close: [100] }, [7], 'kraken'), barsOf({ close: [112.3] }, [7], 'binance')];
    assert.equal(findings(sources)[0]!.detail, 'The sources differ by 12.3 %: kraken 100, binance 112.3.');
  });
});
