import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveTiers, TIERS } from './tiers.ts';

describe('tiers', () => {
  it('are the four built-in ones: free 5, basic 100, pro 1,000, unlimited 100,000 rows a page', () => {
    const rows = [...resolveTiers('')].map(([name, tier]) => [name, tier.maxRows, tier.defaultRows]);
    assert.deepEqual(rows, [
      ['free', 5, 5],
      ['basic', 100, 100],
      ['pro', 1000, 100],
      ['unlimited', 100_000, 100],
    ]);
  });

  it('allow exports from pro upwards, and the list of alerts to none', () => {
    const tiers = [...resolveTiers('').values()];
    assert.deepEqual(
      tiers.filter(tier => tier.export).map(tier => tier.name),
      ['pro', 'unlimited'],
    );
    assert.ok(tiers.every(tier => !tier.alerts));
  });

  it('can be changed and added to', () => {
    const tiers = resolveTiers(' free: rate=0.5 quota=500 ; team: rows=500, default=50, rate=20;');
    assert.deepEqual(tiers.get('free'), { ...TIERS.free, rate: 0.5, quota: 500 });
    assert.deepEqual(tiers.get('team'), { ...TIERS.basic, name: 'team', maxRows: 500, defaultRows: 50, rate: 20 });
    assert.deepEqual(tiers.get('pro'), TIERS.pro);
  });

  it('never give more rows by default than at most', () => {
    assert.equal(resolveTiers('basic: rows=10').get('basic')?.defaultRows, 10);
  });

  for (const [key, low, high, step] of [
    ['rows', 1, 1_000_000, 1],
    ['default', 1, 1_000_000, 1],
    ['rate', 0.001, 1_000_000, 0.0001],
    ['burst', 1, 1_000_000, 1],
    ['quota', 1, 2_000_000_000, 1],
    ['streams', 0, 1_000_000, 1],
    ['weight', 1, 1000, 1],
  ] as const) {
    it(`take ${key} from ${low} to ${high}`, () => {
      for (const value of [low, high]) assert.ok(resolveTiers(`free: ${key}=${value}`));
      for (const value of [low - step, high + step]) {
        assert.throws(() => resolveTiers(`free: ${key}=${value}`), new RegExp(`is a number from ${low} to ${high}`));
      }
    });
  }

  for (const [text, message] of [
    ['free', /'free' is not a tier; write NAME: rows=/],
    ['FREE: rows=1', /is not a tier/],
    ['free: row=1', /has no 'row'; did you mean rows\?/],
    ['free: rows=0', /rows of the tier free is a number from 1 to 1000000, not '0'/],
    ['free: rows=1.5', /not '1\.5'/],
    ['free: rate=', /rate of the tier free is a number/],
    ['free: rate=fast', /not 'fast'/],
    ['free: constructor=1', /has no 'constructor'/],
  ] as const) {
    it(`are refused with what would be right: ${text}`, () => assert.throws(() => resolveTiers(text), message));
  }
});
