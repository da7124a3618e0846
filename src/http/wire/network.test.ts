import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf } from './network.ts';

describe('the network of an address', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8::3:4:5:6', '2001:db8:0:0'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2'],
    ['fe80::1', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ];
  for (const [address, network] of cases) {
    it(`${address || '(unknown)'} is ${network || '(unknown)'}`, () => assert.equal(networkOf(address), network));
  }
});
