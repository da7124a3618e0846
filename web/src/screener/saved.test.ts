import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

type Module = typeof import('./saved.ts');
let module: Module;
const slots = new Map<string, string>();
before(async () => {
  // The part of a browser that the module needs.
  Object.assign(globalThis, {
    localStorage: {
      getItem: (name: string) => slots.get(name) ?? null,
      setItem: (n: string, v: string) => slots.set(n, v),
    },
  });
  module = await import('./saved.ts');
});

describe('saved screens and watchlists', () => {
  it('come back as they were exported', () => {
    const { saveScreen, toggleStar, savedJson, parseSaved } = module;
    saveScreen({ name: 'Cheap', address: '/?where=price%20%3C%201' });
    toggleStar('BTC');
    toggleStar('ETH');
    toggleStar('BTC');
    const wanted = {
      screens: [{ name: 'Cheap', address: '/?where=price%20%3C%201' }],
      watchlists: [{ name: 'Watchlist', symbols: ['ETH'] }],
    };
    assert.deepEqual(parseSaved(savedJson()), wanted);
    assert.deepEqual(parseSaved([...slots.values()][0]!), wanted);
  });

  it('that are imported replace those of the same name only', () => {
    const { importSaved, saved } = module;
    const text = JSON.stringify({
      screens: [{ name: 'Cheap', address: '/' }],
      watchlists: [{ name: 'Two', symbols: ['A'] }],
    });
    assert.equal(importSaved(text), 2);
    assert.deepEqual(saved.value, {
      screens: [{ name: 'Cheap', address: '/' }],
      watchlists: [
        { name: 'Watchlist', symbols: ['ETH'] },
        { name: 'Two', symbols: ['A'] },
      ],
    });
  });

  for (const text of ['', 'null', '[]', '{"screens":[]}', '{"screens":1,"watchlists":[]}']) {
    it(`are not in ${text || 'an empty file'}`, () => assert.equal(module.parseSaved(text), null));
  }

  it('never lead to another site', () => {
    for (const address of ['https://elsewhere.example/', '//elsewhere.example', 'javascript:alert(1)', '/docs']) {
      const text = JSON.stringify({ screens: [{ name: 'x', address }], watchlists: [] });
      assert.deepEqual(module.parseSaved(text)?.screens, [], address);
    }
  });
});
