import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { resolveConfig } from '../config.ts';
import { banner } from './banner.ts';

const STORE = 'postgres://u@h/d';

function bannerOf(
  facts: {
    readonly away: boolean;
    readonly rows: number;
    readonly keys: number;
    readonly inactive?: number;
    readonly missing?: boolean;
    readonly readOnly?: boolean;
  },
  flags = {},
): string {
  const config = resolveConfig(flags, {}, {});
  return stripVTControlCharacters(
    banner({
      address: 'http://x:1',
      store: STORE,
      threads: 2,
      config,
      inactive: 0,
      missing: false,
      readOnly: false,
      ...facts,
    }),
  );
}

describe('the banner', () => {
  for (const [what, facts, ...expected] of [
    [
      'nothing where there is no store yet',
      { away: false, missing: true, rows: 0, keys: 0 },
      'There is no store postgres://u@h/d. The server uses it as soon as a load creates it.',
      'tidemark ingest csv FILE',
      'tidemark serve --demo',
    ],
    [
      'a store that can only be read',
      { away: false, readOnly: true, rows: 5, keys: 1 },
      'READ-ONLY',
      'may not write to the store',
    ],
    [
      'rows of a store',
      { away: false, rows: 1234, keys: 1 },
      'serves 1,234 assets from postgres://u@h/d',
      'X-API-Key: KEY',
    ],
    [
      'inactive assets',
      { away: false, rows: 26, inactive: 10, keys: 1 },
      "serves 26 assets (and leaves out 10 inactive, see 'tidemark status') from postgres://u@h/d",
    ],
    [
      'inactive assets only',
      { away: false, rows: 0, inactive: 1, keys: 1 },
      "serves 0 assets (and leaves out 1 inactive, see 'tidemark status') from postgres://u@h/d",
    ],
    [
      'an empty store',
      { away: false, rows: 0, keys: 0 },
      'postgres://u@h/d, which is empty',
      'there is none yet. Create one:\n  tidemark keys create --tier pro --name me\n',
    ],
    [
      'a store that is away, with what was kept',
      { away: true, rows: 5, keys: 1 },
      'serves 5 assets from its own copy',
      'postgres://u@h/d is unreachable',
      'X-API-Key: KEY',
    ],
    [
      'a store that is away, with no key kept',
      { away: true, rows: 5, keys: 0 },
      'postgres://u@h/d is unreachable',
      'When the store is back, create one:',
    ],
    [
      'a store that is away, with nothing',
      { away: true, rows: 0, keys: 0 },
      'serves nothing yet',
      'postgres://u@h/d is unreachable',
      'http://x:1/readyz',
    ],
  ] as const) {
    it(`says what there is: ${what}`, () => {
      const text = bannerOf(facts);
      for (const words of expected) assert.ok(text.includes(words), text);
      if (facts.away) assert.doesNotMatch(text, /empty|yet\. Create one/);
      else assert.doesNotMatch(text, /unreachable/);
    });
  }

  it('says that a scheduled load will fill an empty store', () => {
    const text = bannerOf({ away: false, rows: 0, keys: 0 }, { schedule: '1h coinpaprika' });
    assert.ok(text.includes('which is empty until the first scheduled load ends'), text);
  });

  it('names the store in the command that makes a key, without its password', () => {
    const text = bannerOf({ away: false, rows: 5, keys: 0 }, { store: "postgres://u:se:cret@h/d b'" });
    assert.ok(
      text.includes(`  tidemark keys create --tier pro --name me --store 'postgres://u:PASSWORD@h/d b'\\'''`),
      text,
    );
  });

  it('names the store in the command that lists inactive assets', () => {
    const text = bannerOf({ away: false, rows: 5, inactive: 2, keys: 1 }, { store: 'sqlite:other.db' });
    assert.ok(text.includes("(and leaves out 2 inactive, see 'tidemark status --store sqlite:other.db')"), text);
  });

  it('does not suggest a request for data that is not there', () => {
    assert.match(bannerOf({ away: false, rows: 5, keys: 0 }, { open: true }), /Try:\n {2}curl 'http/);
    assert.doesNotMatch(bannerOf({ away: true, rows: 0, keys: 0 }, { open: true }), /Try:/);
  });
});
