import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress, forwardedOrigin, parseTrustedProxy } from './trusted-proxy.ts';

const REMOTE = '10.0.0.1';
const addressOf = (setting: string, headers: Record<string, string>) =>
  clientAddress({ trustProxy: parseTrustedProxy(setting) }, headers, REMOTE);

describe('the setting of trusted proxies', () => {
  it('names the kind of header and the number of hops', () => {
    assert.deepEqual(parseTrustedProxy('x-forwarded:1'), { kind: 'x-forwarded', hops: 1 });
    assert.deepEqual(parseTrustedProxy('forwarded:2'), { kind: 'forwarded', hops: 2 });
  });
  for (const text of ['', 'true', 'x-forwarded', 'x-forwarded:0', 'x-forwarded:10', 'forwarded:1,x-forwarded:1']) {
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(parseTrustedProxy(text), null));
  }
});

describe("the client's address", () => {
  const chain = { 'x-forwarded-for': '6.6.6.6, 192.0.2.1, 192.0.2.2' };
  for (const [name, setting, headers, expected] of [
    ['without a setting is that of the connection', '', { ...chain, forwarded: 'for=6.6.6.6' }, REMOTE],
    ['with one hop is the last element', 'x-forwarded:1', chain, '192.0.2.2'],
    ['with two hops is the last but one', 'x-forwarded:2', chain, '192.0.2.1'],
    ['is that of the connection when there are fewer elements than hops', 'x-forwarded:4', chain, REMOTE],
    ['ignores Forwarded with x-forwarded', 'x-forwarded:1', { ...chain, forwarded: 'for=6.6.6.6' }, '192.0.2.2'],
    ['ignores X-Forwarded-For with forwarded', 'forwarded:1', chain, REMOTE],
    ['is never text that is not an address', 'x-forwarded:1', { 'x-forwarded-for': 'root\u00e9 =1+1' }, REMOTE],
    ['has no port: IPv4', 'x-forwarded:1', { 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
    ['has no port: IPv6', 'x-forwarded:1', { 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1'],
    ['may be IPv6 without brackets', 'x-forwarded:1', { 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1'],
    [
      'is read from Forwarded',
      'forwarded:1',
      { forwarded: 'for=6.6.6.6, For="[2001:db8::1]:5";proto=http' },
      '2001:db8::1',
    ],
    [
      'of two hops is read from Forwarded',
      'forwarded:2',
      { forwarded: 'for=6.6.6.6, for=192.0.2.1,for=192.0.2.2' },
      '192.0.2.1',
    ],
    ['is not hidden by an open quote', 'forwarded:1', { forwarded: 'for="6.6.6.6, for=192.0.2.1' }, '192.0.2.1'],
    [
      'is not forged by a host with a comma',
      'forwarded:1',
      { forwarded: 'for=192.0.2.1;host="a,for=6.6.6.6;z="' },
      REMOTE,
    ],
    ['of an obfuscated element is that of the connection', 'forwarded:1', { forwarded: 'for=_hidden' }, REMOTE],
    ['of a broken element is that of the connection', 'forwarded:1', { forwarded: 'for=192.0.2.1;;' }, REMOTE],
  ] as const) {
    it(name, () => assert.equal(addressOf(setting, headers), expected));
  }
});

describe('the protocol and host that the client used', () => {
  for (const [name, setting, headers, expected] of [
    ['are unknown without a setting', '', { 'x-forwarded-proto': 'https' }, {}],
    [
      'are those of the outermost trusted hop',
      'x-forwarded:2',
      { 'x-forwarded-proto': 'ftp, HTTPS, http', 'x-forwarded-host': 'evil, api.example, inner' },
      { proto: 'https', host: 'api.example' },
    ],
    [
      'may have been set once by one of several hops',
      'x-forwarded:2',
      { 'x-forwarded-proto': 'https' },
      { proto: 'https', host: undefined },
    ],
    [
      'are read from one element of Forwarded',
      'forwarded:1',
      {
        forwarded: 'host=evil;proto=ftp, for=192.0.2.1;Host="api.example:444";Proto=HTTPS',
        'x-forwarded-host': 'evil',
      },
      { proto: 'https', host: 'api.example:444' },
    ],
  ] as const) {
    it(name, () => assert.deepEqual(forwardedOrigin(parseTrustedProxy(setting), headers), expected));
  }
});
