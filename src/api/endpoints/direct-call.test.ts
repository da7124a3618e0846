import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { directCall } from './direct-call.ts';

const KEY = 'io.modelcontextprotocol/';
const META = {
  [`${KEY}protocolVersion`]: '2026-07-28',
  [`${KEY}clientInfo`]: { name: 'a', version: '1' },
  [`${KEY}clientCapabilities`]: {},
};
const HEADERS = {
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get_asset',
};

function call(meta: unknown, headers: Readonly<Record<string, string>> = {}) {
  const params = { name: 'get_asset', arguments: { asset: 'btc' }, _meta: meta };
  return directCall({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { ...HEADERS, ...headers });
}

describe('a call of a tool by revision 2026-07-28', () => {
  it('needs no library if it says nothing unusual', () => {
    assert.deepEqual(call(META), { id: 1, name: 'get_asset', values: { asset: 'btc' }, isModern: true });
  });

  for (const [name, change] of [
    ['another version', { protocolVersion: '2025-11-25' }],
    ['no version', { protocolVersion: undefined }],
    ['no capabilities', { clientCapabilities: undefined }],
    ['capabilities that are a list', { clientCapabilities: [] }],
    ['a capability', { clientCapabilities: { sampling: {} } }],
    ['no client', { clientInfo: undefined }],
    ['a client without a name', { clientInfo: { version: '1' } }],
    ['a client without a version', { clientInfo: { name: 'a' } }],
    ['a client with a title', { clientInfo: { name: 'a', version: '1', title: 'A' } }],
    ['more', { other: 1 }],
  ] as const) {
    it(`is left to the library with ${name}`, () => {
      const changes = Object.entries(change).map(([key, value]) => [KEY + key, value]);
      assert.equal(call({ ...META, ...Object.fromEntries(changes) }), null);
    });
  }

  for (const header of ['mcp-method', 'mcp-name']) {
    it(`is left to the library with another ${header}`, () => assert.equal(call(META, { [header]: 'other' }), null));
  }
});
