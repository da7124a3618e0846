import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_KEYS, hashOf, isWellFormed, KEY_PATTERN, keyState, keyWithBody, newApiKey, newKeyId } from './api-key.ts';
import { dayFromIso } from './day.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a new key', () => {
  const keys = Array.from({ length: 10_000 }, newApiKey);

  it('has the prefix, 32 random characters and a checksum, and is well-formed', () => {
    for (const key of keys) {
      assert.match(key, KEY_PATTERN);
      assert.equal(key.length, 42);
      assert.ok(isWellFormed(key), key);
    }
  });

  it('is never the same twice', () => assert.equal(new Set(keys).size, keys.length));

  it('uses every character of base62 about equally often', () => {
    const counts = new Map<string, number>();
    for (const key of keys) for (const sign of key.slice(4, 36)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
    assert.equal(counts.size, BASE62.length);
    const expected = (keys.length * 32) / BASE62.length;
    // Seven standard deviations; bytes taken modulo 62 would put the first eight a quarter above the others.
    for (const [sign, count] of counts) assert.ok(Math.abs(count - expected) < expected * 0.1, `${sign}: ${count}`);
  });
});

describe('isWellFormed', () => {
  const key = keyWithBody('0123456789ABCDEFGHIJabcdefghijkl');

  it('finds every replaced character', () => {
    for (let at = 0; at < key.length; at++) {
      for (const sign of BASE62) {
        if (sign === key[at]) continue;
        const typo = key.slice(0, at) + sign + key.slice(at + 1);
        assert.equal(isWellFormed(typo), false, typo);
      }
    }
  });

  it('finds every swap of neighbours', () => {
    for (let at = 0; at + 1 < key.length; at++) {
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      assert.equal(isWellFormed(swapped), swapped === key, swapped);
    }
  });

  for (const [what, text] of [
    ['nothing', ''],
    ['the prefix alone', 'tdm_'],
    ['a key that was cut off', key.slice(0, -1)],
    ['a character too many', `${key}0`],
    ['a space before', ` ${key}`],
    ['a line end behind', `${key}\n`],
    ['another prefix', key.replace('tdm_', 'tdn_')],
    ['other case', key.toLowerCase()],
    ['a sign outside base62', `${key.slice(0, 10)}-${key.slice(11)}`],
  ] as const) {
    it(`refuses ${what}`, () => assert.equal(isWellFormed(text), false));
  }
});

it('a body that is not 32 letters and digits makes no key', () => {
  for (const body of ['', 'short', 'x'.repeat(33), `${'x'.repeat(31)}-`]) {
    assert.throws(() => keyWithBody(body), RangeError);
  }
});

it('the hash of a key is its SHA-256', () => {
  assert.equal(hashOf('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('ids are short, lower-case and never the same twice', () => {
  const ids = Array.from({ length: 2000 }, newKeyId);
  for (const id of ids) assert.match(id, /^key_[0-9a-z]{10}$/);
  assert.equal(new Set(ids).size, ids.length);
});

it('the keys of the demo are what the docs say, for good', () => {
  assert.deepEqual(DEMO_KEYS, {
    free: 'tdm_DemoFreeKeyOfTheSimulatedMarket03FmNkR',
    pro: 'tdm_DemoProKeyOfTheSimulatedMarket001xsmsd',
  });
  for (const key of Object.values(DEMO_KEYS)) assert.ok(isWellFormed(key));
});

describe('the state of a key', () => {
  const today = dayFromIso('2025-06-15')!;
  const revoked = '2025-01-01T00:00:00.000Z';
  for (const [what, revokedAt, expires, state] of [
    ['without an end', null, null, 'active'],
    ['whose last day is tomorrow', null, '2025-06-16', 'active'],
    ['whose last day is today', null, '2025-06-15', 'active'],
    ['whose last day was yesterday', null, '2025-06-14', 'expired'],
    ['that was revoked', revoked, null, 'revoked'],
    ['that was revoked and has expired since', revoked, '2025-06-14', 'revoked'],
  ] as const) {
    it(`${what} is ${state}`, () => {
      assert.equal(keyState({ revokedAt, expires: expires === null ? null : dayFromIso(expires) }, today), state);
    });
  }
});
