import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAllowedAddress } from './allowed-address.ts';

const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
];
PUBLIC.push(
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2600::1',
  '2a00:1450::1',
);
const PRIVATE = [
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '172.16.0.1',
];
PRIVATE.push('172.31.255.255', '192.168.0.1', '::1', 'fc00::1', 'fdff:ffff::1', '0:0:0:0:0:0:0:1');
const NEVER = [
  ...['0.0.0.0', '0.1.2.3', '169.254.169.254', '169.254.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...[
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
  ],
  ...['255.255.255.255', '192.88.99.1', '::', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'fd00:ec2::254'],
  // These contain an IPv4 address, even a public one: mapped, compatible, NAT64, local NAT64, 6to4, Teredo, ISATAP.
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:1.1.1.1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::1.1.1.1'],
  ...[
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2002:101:101::1',
    '2001:0:1::1',
    'fe80::5efe:7f00:1',
    '2001:db8::1',
    '3fff::1',
  ],
  'fd20:ce::254',
];

describe('an address', () => {
  for (const address of PUBLIC) {
    it(`${address} is public`, () => assert.equal(isAllowedAddress(address, false), true));
  }
  for (const address of PRIVATE) {
    it(`${address} is allowed by the setting only`, () =>
      assert.deepEqual([isAllowedAddress(address, false), isAllowedAddress(address, true)], [false, true]));
  }
  for (const address of NEVER) {
    it(`${address} is never allowed`, () =>
      assert.deepEqual([isAllowedAddress(address, false), isAllowedAddress(address, true)], [false, false]));
  }
});
