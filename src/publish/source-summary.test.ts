import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SourceBars, sourceBars } from '../domain/source-bars.ts';
import { summarize } from './source-summary.ts';

function bars(source: string, closes: Readonly<Record<number, number>>): SourceBars {
  const made = sourceBars(source, Object.keys(closes).length);
  for (const [i, [period, close]] of Object.entries(closes).entries()) {
    made.period[i] = Number(period);
    made.close[i] = close;
  }
  return made;
}

describe('the summary of sources', () => {
  const sources = [bars('a', { 1: 100, 2: 100, 3: 100 }), bars('b', { 2: 110, 3: 150, 4: 7, 5: 7 }), bars('c', {})];

  it('says what each has, how often it decided, and how far its closes are from the served ones', () => {
    assert.deepEqual(summarize({ sources, rule: { kind: 'priority', order: [] } }), [
      { source: 'a', first: 1, last: 3, bars: 3, decided: 0.6, medianDistance: 0, largestDistance: 0 },
      {
        ...{ source: 'b', first: 2, last: 5, bars: 4, decided: 0.4 },
        ...{ medianDistance: (110 / 100 - 1) / 2, largestDistance: 0.5 },
      },
    ]);
  });

  it('counts a period for both if two decided', () => {
    const [a, b] = summarize({ sources, rule: { kind: 'median', order: [] } });
    assert.deepEqual([a!.decided, b!.decided], [0.6, 0.8]);
    assert.equal(b!.largestDistance, 150 / 125 - 1);
  });

  it('is empty without sources', () => {
    assert.deepEqual(summarize({ sources: [], rule: { kind: 'median', order: [] } }), []);
  });
});
