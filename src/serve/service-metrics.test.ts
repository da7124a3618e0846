import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TIERS, type Tier } from '../domain/tiers.ts';
import { MetricText } from '../observe/metric-text.ts';
import { writeKeyUse } from './service-metrics.ts';

const key = (number: number, tier: Tier = TIERS.free) => ({
  id: `key_${number}`,
  hash: new Uint8Array(32),
  tier,
  slot: number,
  revoked: false,
  expires: null,
});

function linesFor(keys: readonly ReturnType<typeof key>[], maxListed: number): string[] {
  const text = new MetricText();
  const limits = { use: (slot: number) => ({ day: 1, accepted: slot, refused: 100 * slot }) };
  writeKeyUse(text, { all: () => [...keys] }, limits, maxListed);
  return text
    .toString()
    .split('\n')
    .filter(line => line.startsWith('tidemark_key'));
}

describe('the use of API keys in the metrics', () => {
  it('lists the first ones, and sums up the rest per tier', () => {
    assert.deepEqual(linesFor([key(1), key(2), key(3), key(4, TIERS.pro), key(5)], 2), [
      'tidemark_key_requests_today{key="key_1",tier="free",outcome="accepted"} 1',
      'tidemark_key_requests_today{key="key_1",tier="free",outcome="refused"} 100',
      'tidemark_key_requests_today{key="key_2",tier="free",outcome="accepted"} 2',
      'tidemark_key_requests_today{key="key_2",tier="free",outcome="refused"} 200',
      'tidemark_key_requests_today{key="other",tier="free",outcome="accepted"} 8',
      'tidemark_key_requests_today{key="other",tier="free",outcome="refused"} 800',
      'tidemark_key_requests_today{key="other",tier="pro",outcome="accepted"} 4',
      'tidemark_key_requests_today{key="other",tier="pro",outcome="refused"} 400',
    ]);
  });

  it('sums up nothing while all are listed', () => {
    assert.equal(linesFor([key(1), key(2)], 2).length, 4);
  });
});
