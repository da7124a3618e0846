import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TIERS, type Tier } from '../domain/tiers.ts';
import { SharedLimits } from './shared-limits.ts';

const TIER: Tier = { ...TIERS.free, name: 'test', rate: 2, burst: 5, quota: 1000 };
const DAY = 20_000;
const SECOND = 1_000_000n;
const MIDNIGHT_MS = 3_600_000;

function taker(tier: Tier = TIER, servers = 1) {
  const limits = new SharedLimits();
  return { limits, take: (micros: bigint, day = DAY) => limits.take(7, tier, micros, day, MIDNIGHT_MS, servers) };
}

/** How many of `count` requests at one moment are let in. */
function accepted(take: (micros: bigint) => { accepted: boolean }, micros: bigint, count: number): number {
  return Array.from({ length: count }, () => take(micros)).filter(verdict => verdict.accepted).length;
}

describe('the rate of a key', () => {
  it('lets a burst in at once, and then as many as grow back', () => {
    const { take } = taker();
    assert.equal(accepted(take, 0n, 20), 5);
    assert.equal(accepted(take, SECOND / 2n - 1n, 20), 0);
    assert.equal(accepted(take, SECOND / 2n, 20), 1);
    assert.equal(accepted(take, 2n * SECOND, 20), 3);
    assert.equal(accepted(take, 1000n * SECOND, 20), 5, 'never more than the burst, however long the pause');
  });

  it('says how long to wait, exactly: a moment less is too early', () => {
    const { take } = taker();
    accepted(take, 0n, 5);
    const refused = take(100_000n);
    assert.deepEqual(refused, {
      accepted: false,
      by: 'rate',
      retryInMs: 400,
      tokens: 0,
      fullInMs: 2400,
      quotaLeft: 995,
    });
    assert.equal(take(499_999n).accepted, false);
    assert.equal(take(500_000n).accepted, true);
  });

  it('says what is left', () => {
    const { take } = taker();
    const first = take(0n);
    assert.deepEqual(first, { accepted: true, tokens: 4, quotaLeft: 999, fullInMs: 500 });
    const last = [take(0n), take(0n), take(0n), take(0n)].at(-1);
    assert.deepEqual(last, { accepted: true, tokens: 0, quotaLeft: 995, fullInMs: 2500 });
  });

  it('is that of a plain token bucket, for any arrivals', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 1_500_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(arrivals, gaps => {
        const { take } = taker();
        let [tokens, before, now] = [TIER.burst, 0, 0];
        for (const gap of gaps) {
          now += gap;
          tokens = Math.min(TIER.burst, tokens + ((now - before) / 1e6) * TIER.rate);
          before = now;
          // Where the bucket holds a whole token to within a millionth, rounding may decide either way.
          const undecided = Math.abs(tokens - 1) < 1e-5;
          const verdict = take(BigInt(now)).accepted;
          if (!undecided) assert.equal(verdict, tokens >= 1);
          if (verdict) tokens -= 1;
        }
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('is shared out among servers', () => {
    const { take } = taker({ ...TIER, rate: 10, burst: 10 }, 2);
    assert.equal(accepted(take, 0n, 20), 5);
    assert.equal(accepted(take, SECOND, 20), 5);
    const many = taker({ ...TIER, burst: 2 }, 50);
    assert.equal(accepted(many.take, 0n, 5), 1, 'each server lets at least one in');
  });
});

describe('the quota of a key', () => {
  const tier = { ...TIER, rate: 1000, burst: 1000, quota: 10 };

  it('ends at its number, and starts anew with the day', () => {
    const { take } = taker(tier);
    assert.equal(accepted(take, 0n, 20), 10);
    const refused = take(0n);
    assert.deepEqual(refused, {
      accepted: false,
      by: 'quota',
      retryInMs: MIDNIGHT_MS,
      tokens: 990,
      fullInMs: 10,
      quotaLeft: 0,
    });
    assert.equal(take(SECOND, DAY + 1).accepted, true);
  });

  for (const days of [1, -1, 365]) {
    it(`is not given out again when the clock jumps ${days} days and back, over and over`, () => {
      const { limits, take } = taker(tier);
      assert.equal(accepted(take, 0n, 20), 10);
      for (let i = 0; i < 3; i++) {
        assert.equal(take(SECOND, DAY + days * (i + 1)).accepted, true);
        assert.equal(take(SECOND).accepted, false);
      }
      assert.deepEqual(limits.use(7), { day: DAY, accepted: 10, refused: 13 });
      assert.deepEqual(
        limits.uses(7).find(({ day }) => day === DAY + 3 * days),
        { day: DAY + 3 * days, accepted: 1, refused: 0 },
      );
    });

    it(`is not given out again when the clock jumps ${days} days three times in a row, and back`, () => {
      const { limits, take } = taker(tier);
      assert.equal(accepted(take, 0n, 20), 10);
      for (const jumps of [1, 2, 3]) assert.equal(take(SECOND, DAY + jumps * days).accepted, true);
      assert.equal(take(SECOND).accepted, false);
      assert.deepEqual(limits.use(7), { day: DAY, accepted: 10, refused: 11 });
    });
  }

  it('is not used up by what is refused, nor is the rate', () => {
    const { limits, take } = taker({ ...TIER, quota: 6 });
    assert.equal(accepted(take, 0n, 50), 5);
    assert.equal(accepted(take, 10n * SECOND, 50), 1);
    assert.deepEqual(limits.use(7), { day: DAY, accepted: 6, refused: 94 });
  });

  it('counts what was answered before a restart and elsewhere', () => {
    const { limits, take } = taker(tier);
    limits.addElsewhere(7, DAY, 8);
    assert.equal(accepted(take, 0n, 20), 2);
  });

  it('of one key does not touch another', () => {
    const limits = new SharedLimits();
    for (let i = 0; i < 20; i++) limits.take(1, tier, 0n, DAY, MIDNIGHT_MS);
    assert.equal(limits.take(2, tier, 0n, DAY, MIDNIGHT_MS).accepted, true);
    assert.deepEqual(limits.use(2), { day: DAY, accepted: 1, refused: 0 });
  });
});
