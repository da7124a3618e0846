import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyRing } from '../../access/key-ring.ts';
import { Penalties } from '../../access/penalties.ts';
import { SharedLimits } from '../../access/shared-limits.ts';
import { newApiKey } from '../../domain/api-key.ts';
import { keysAccess } from './by-api-key.ts';

const HOLD_MS = 700;
/** Refusals at once before an address is slowed down. */
const BURST = 20;

/** The codes of the refusals and how long each is held back, of one address at one moment. */
function refusals(headers: Readonly<Record<string, string>>, count: number): [string, number][] {
  const { authenticate } = keysAccess({
    ring: new KeyRing(),
    limits: new SharedLimits(),
    penalties: new Penalties(),
    servers: () => 1,
    now: () => 1_700_000_000_000,
    micros: () => 5_000_000n,
    holdMs: HOLD_MS,
  });
  return Array.from({ length: count }, () => {
    const grant = authenticate({ headers, url: '/v1/ta-cur', connection: {}, address: '192.0.2.7' });
    assert.ok('refusal' in grant);
    return [grant.refusal.code, grant.holdMs];
  });
}

describe('a request without a valid API key', () => {
  for (const [name, headers, code, later] of [
    ['no API key', {}, 'missing_key', 'missing_key'],
    ['an unknown API key', { 'x-api-key': newApiKey() }, 'unknown_key', 'too_many_bad_keys'],
  ] as const) {
    it(`is refused at once ${BURST} times, and held back from then on: ${name}`, () => {
      const expected = Array.from({ length: BURST + 2 }, (_, i) => (i < BURST ? [code, 0] : [later, HOLD_MS]));
      assert.deepEqual(refusals(headers, BURST + 2), expected);
    });
  }
});
