import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asWords, factsOf, isDescribed, isWebAddress, linkGroups, type Profile, shortAddress } from './profile.ts';

/** What the service answers for an asset that has prices and no profile. */
const BARE: Profile = {
  id: 'abc-abacus',
  name: 'Abacus',
  symbol: 'ABC',
  rank: null,
  is_new: false,
  is_active: true,
  type: null,
  tags: [],
  team: [],
  description: null,
  message: null,
  open_source: null,
  started_at: null,
  development_status: null,
  hardware_wallet: null,
  proof_type: null,
  org_structure: null,
  hash_algorithm: null,
  links: { explorer: [], facebook: [], reddit: [], source_code: [], website: [], youtube: [] },
  links_extended: [],
  whitepaper: { link: null, thumbnail: null },
  first_data_at: '2024-01-02T00:00:00Z',
};

describe('the links of a profile', () => {
  it('come once each, with their statistics, by type, the website first', () => {
    const code = { url: 'https://code.example/abc', type: 'source_code', stats: { stars: 7 } };
    const groups = linkGroups({
      ...BARE,
      links: {
        ...BARE.links,
        source_code: [code.url],
        website: ['https://abc.example/'],
        medium: ['https://m.example'],
      },
      links_extended: [code],
      whitepaper: { link: 'https://abc.example/paper.pdf', thumbnail: null },
    });
    assert.deepEqual(groups, [
      { type: 'website', links: [{ url: 'https://abc.example/', type: 'website' }] },
      { type: 'medium', links: [{ url: 'https://m.example', type: 'medium' }] },
      { type: 'source_code', links: [code] },
      { type: 'whitepaper', links: [{ url: 'https://abc.example/paper.pdf', type: 'whitepaper' }] },
    ]);
  });

  for (const [url, opens, shown] of [
    ['https://www.abc.example/', true, 'abc.example'],
    ['http://code.example/abc/node/', true, 'code.example/abc/node'],
    ['https://video.example/watch?v=1', true, 'video.example/watch?v=1'],
    ['javascript:alert(1)', false, 'javascript:alert(1)'],
    ['data:text/html,x', false, 'data:text/html,x'],
    ['https://', false, 'https://'],
    ['abc.example', false, 'abc.example'],
  ] as const) {
    it(`shows ${url} as ${shown}, ${opens ? 'to open' : 'as plain text'}`, () => {
      assert.equal(isWebAddress(url), opens);
      assert.equal(shortAddress(url), shown);
    });
  }
});

describe('the facts of a profile', () => {
  it('leave out what is not known', () => {
    assert.deepEqual(factsOf(BARE), [
      { label: 'First price', value: '2024-01-02' },
      { label: 'Id', value: 'abc-abacus' },
    ]);
    assert.equal(isDescribed(BARE), false);
  });

  it('tell no from unknown', () => {
    const facts = factsOf({ ...BARE, open_source: false, hardware_wallet: true });
    assert.deepEqual(
      facts.filter(fact => fact.value === 'No' || fact.value === 'Yes'),
      [
        { label: 'Open source', value: 'No' },
        { label: 'Hardware wallet', value: 'Yes' },
      ],
    );
  });

  it('write names as words', () => assert.equal(asWords('source_code'), 'Source code'));
});
