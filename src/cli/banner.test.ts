import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { resolveConfig } from '../config.ts';
import { banner } from './banner.ts';

const STORE = 'postgres://u@h/d';

function said(facts: { readonly away: boolean; readonly rows: number; readonly keys: number }, flags = {}): string {
  const config = resolveConfig(flags, {}, {});
  return stripVTControlCharacters(banner({ address: 'http://x:1', store: STORE, threads: 2, config, ...facts }));
}

describe('the banner', () => {
  for (const [what, facts, ...expected] of [
    [
      'rows of a store',
      { away: false, rows: 1234, keys: 1 },
      'serves 1,234 assets from postgres://u@h/d',
      'X-API-Key: KEY',
    ],
    [
      'an empty store',
      { away: false, rows: 0, keys: 0 },
      'postgres://u@h/d, which is empty',
      'Nobody can ask yet. Make a key:',
    ],
    [
      'a store that is away, with what was kept',
      { away: true, rows: 5, keys: 1 },
      'serves 5 assets that were kept',
      'AWAY: postgres://u@h/d',
      'X-API-Key: KEY',
    ],
    [
      'a store that is away, with no key kept',
      { away: true, rows: 5, keys: 0 },
      'AWAY: postgres://u@h/d',
      'When the store is back, make a key:',
    ],
    [
      'a store that is away, with nothing',
      { away: true, rows: 0, keys: 0 },
      'serves nothing yet',
      'AWAY: postgres://u@h/d',
      'http://x:1/readyz',
    ],
  ] as const) {
    it(`says what there is: ${what}`, () => {
      const text = said(facts);
      for (const words of expected) assert.ok(text.includes(words), text);
      if (facts.away) assert.doesNotMatch(text, /empty|yet\. Make a key/);
      else assert.doesNotMatch(text, /AWAY/);
    });
  }

  it('invites nobody to ask for data that is not there', () => {
    assert.match(said({ away: false, rows: 5, keys: 0 }, { open: true }), /Try:\n {2}curl 'http/);
    assert.doesNotMatch(said({ away: true, rows: 0, keys: 0 }, { open: true }), /Try:/);
  });
});
