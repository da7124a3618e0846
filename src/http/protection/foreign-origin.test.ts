import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { refuseForeign } from './foreign-origin.ts';

interface Call {
  readonly origin?: string;
  readonly host?: string;
  /** Address at which the connection arrived. */
  readonly at: string;
  readonly publicUrl?: string;
}

function call({ at, publicUrl = null, ...headers }: { publicUrl?: string | null } & Omit<Call, 'publicUrl'>): void {
  // Only these members are read.
  const request = { headers, socket: { localAddress: at, localPort: 8080 } } as unknown as IncomingMessage;
  refuseForeign({ publicUrl, trustProxy: null }, request);
}

const LOCAL = '127.0.0.1';
const NETWORK = '10.0.0.5';

describe('a call is allowed', () => {
  for (const [who, given] of [
    ['of a local program', { at: LOCAL, host: '127.0.0.1:8080' }],
    ['of a local program that names localhost', { at: LOCAL, host: 'localhost:8080' }],
    ['of a program without Host', { at: LOCAL }],
    ['of a program in the network, by any name', { at: NETWORK, host: 'prices.lan' }],
    ['of a local page, by name', { at: LOCAL, host: 'localhost:8080', origin: 'http://localhost:3000' }],
    [
      'of a local page, by another loopback address',
      { at: LOCAL, host: '127.0.0.1:8080', origin: 'http://127.5.0.1:9' },
    ],
    ['of a local page, over IPv6', { at: '::1', host: '[::1]:8080', origin: 'http://[::1]:3000' }],
    [
      'of a local page, over mapped IPv4',
      { at: `::ffff:${LOCAL}`, host: '127.0.0.1:8080', origin: 'http://localhost' },
    ],
    ['of a page of the service', { at: NETWORK, host: '10.0.0.5:8080', origin: 'http://10.0.0.5:8080' }],
    [
      'of a page of the public address',
      { at: NETWORK, host: 'data.example', origin: 'https://data.example', publicUrl: 'https://data.example' },
    ],
  ] as const satisfies readonly (readonly [string, Call])[]) {
    it(who, () => call(given));
  }
});

describe('a call is refused', () => {
  for (const [who, given] of [
    [
      'of a page elsewhere, to the local service',
      { at: LOCAL, host: '127.0.0.1:8080', origin: 'https://evil.example' },
    ],
    ['of a page whose name begins like a local address', { at: LOCAL, host: LOCAL, origin: 'http://127.evil.example' }],
    ['of a page of another address', { at: LOCAL, host: '127.0.0.1:8080', origin: 'http://128.0.0.1' }],
    ['of a page without an origin', { at: LOCAL, host: '127.0.0.1:8080', origin: 'null' }],
    ['of a local page of another machine', { at: NETWORK, host: '10.0.0.5:8080', origin: 'http://localhost:3000' }],
    ['under the name of a page, locally', { at: LOCAL, host: 'evil.example' }],
    ['under the name of a page, in the network', { at: NETWORK, host: 'evil.example', origin: 'http://evil.example' }],
    [
      'under another name than the public one',
      { at: NETWORK, host: 'evil.example', origin: 'https://data.example', publicUrl: 'https://data.example' },
    ],
  ] as const satisfies readonly (readonly [string, Call])[]) {
    it(who, () => assert.throws(() => call(given), { code: 'foreign_origin' }));
  }
});
