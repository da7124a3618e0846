import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeyRing, RingKey } from '../../access/key-ring.ts';
import { hashTextOf } from '../../domain/api-key.ts';
import { KnownConnections } from './connection-keys.ts';
import { KEY_HEADERS } from './credentials.ts';

const KEY = { id: 'k1' } as unknown as RingKey; // only its identity is compared
const RING = {
  generation: 1,
  find: (hash: string) => (hash === hashTextOf('K1') ? KEY : null),
} as unknown as KeyRing; // what KnownConnections uses

describe('the API key of a connection', () => {
  for (const name of ['authorization', ...KEY_HEADERS]) {
    it(`is recalled for the next request with the same ${name}, and for no other`, () => {
      const known = new KnownConnections(RING);
      const connection = {};
      const headers = { [name]: name === 'authorization' ? 'Bearer K1' : 'K1' };
      const caller = { headers, url: '/', connection, address: '' };
      assert.equal(known.find(caller), KEY);
      assert.equal(known.recall(caller), KEY);
      assert.equal(known.recall({ ...caller, headers: {} }), null);
      assert.equal(known.recall({ ...caller, headers: { ...headers, 'x-cg-pro-api-key': 'K2' } }), null);
      assert.equal(known.recall({ ...caller, connection: {} }), null);
    });
  }
});
