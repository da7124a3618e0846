import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayFromIso } from '../domain/day.ts';
import { MAX_PROFILE_BYTES, type Profile } from '../domain/profile.ts';
import { type ProfiledAsset, renderProfile } from './profile.ts';

/** The record's fields, as the contract lists them. */
const FIELDS =
  'id name symbol rank is_new is_active type tags team description message open_source started_at development_status ' +
  'hardware_wallet proof_type org_structure hash_algorithm links links_extended whitepaper first_data_at';

const profile: Profile = {
  first_data_at: '2011-01-02T03:04:05Z',
  id: 'xmp-example',
  name: 'Example "quoted" 🚀',
  symbol: 'XMP',
  rank: 12,
  is_new: true,
  is_active: true,
  type: 'coin',
  tags: [{ ico_counter: 2, coin_counter: 1, name: 'Tag', id: 'tag' }],
  team: [{ position: '', name: 'N', id: 'n' }],
  description: 'Line\r\nbreak',
  message: '',
  open_source: true,
  started_at: '2009-01-03T00:00:00Z',
  development_status: null,
  hardware_wallet: false,
  proof_type: 'Proof of Work',
  org_structure: null,
  hash_algorithm: null,
  links: {
    youtube: ['https://y.example'],
    website: [],
    source_code: [],
    reddit: [],
    facebook: [],
    explorer: ['https://e.example'],
  },
  links_extended: [
    { type: 'reddit', url: 'https://r.example', stats: { subscribers: 3 } },
    { type: 'unheard-of', url: 'https://u.example' },
  ],
  whitepaper: { thumbnail: null, link: 'https://w.example' },
};

const priced: ProfiledAsset = {
  id: 'xmp-example',
  name: 'XMP',
  symbol: 'XMP',
  rank: 3,
  type: null,
  isNew: false,
  isActive: false,
  firstDay: dayFromIso('2020-05-06'),
  lastDay: dayFromIso('2021-01-01'),
};
const unpriced: ProfiledAsset = { ...priced, rank: null, firstDay: null, lastDay: null };

const served = (given: Profile | null, asset: ProfiledAsset) => JSON.parse(renderProfile(given, asset).toString());

describe('a profile', () => {
  it('that is larger than any load accepts is served without what makes it large', () => {
    const large = { ...profile, description: 'x'.repeat(600_000) };
    assert.deepEqual(served(large, priced), served(null, priced));
    assert.equal(served({ ...profile, description: 'x'.repeat(500_000) }, priced).description.length, 500_000);
  });

  it('has the fields of the contract in its order, at every level', () => {
    for (const record of [served(profile, priced), served(null, unpriced)]) {
      assert.deepEqual(Object.keys(record), FIELDS.split(' '));
      assert.deepEqual(Object.keys(record.links), [
        'explorer',
        'facebook',
        'reddit',
        'source_code',
        'website',
        'youtube',
      ]);
      assert.deepEqual(Object.keys(record.whitepaper), ['link', 'thumbnail']);
    }
    const record = served(profile, priced);
    assert.deepEqual(Object.keys(record.tags[0]), ['id', 'name', 'coin_counter', 'ico_counter']);
    assert.deepEqual(Object.keys(record.team[0]), ['id', 'name', 'position']);
    assert.deepEqual(record.links_extended.map(Object.keys), [
      ['url', 'type', 'stats'],
      ['url', 'type'],
    ]);
  });

  it('takes its rank and its state from the store, and all else from the source', () => {
    assert.deepEqual(served(profile, priced), {
      ...profile,
      rank: 3,
      is_new: false,
      is_active: false,
      first_data_at: '2020-05-06T00:00:00Z',
    });
  });

  it('is what the source said as long as there are no prices', () =>
    assert.deepEqual(served(profile, unpriced), profile));

  it('holds no member that the record has no place for', () => {
    const more = { ...profile, logo: 'x' };
    assert.deepEqual(served(more, unpriced), profile);
  });

  it('passes kinds of links through that are not in the contract, after those that are', () => {
    const more = { ...profile, links: { medium: ['x'], ...profile.links } };
    const { links } = served(more, unpriced);
    assert.deepEqual(Object.keys(links).at(-1), 'medium');
    assert.deepEqual(links, more.links);
  });

  it('of an asset that has prices alone says what is known and invents nothing', () => {
    assert.deepEqual(served(null, { ...priced, rank: null, isNew: true, isActive: true }), {
      id: 'xmp-example',
      name: 'XMP',
      symbol: 'XMP',
      rank: null,
      is_new: true,
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
      first_data_at: '2020-05-06T00:00:00Z',
    });
  });

  it('without prices and without a source, an asset is neither new nor active', () => {
    const { is_new, is_active } = served(null, unpriced);
    assert.deepEqual({ is_new, is_active }, { is_new: false, is_active: false });
  });

  it('a body of exactly the bound is served whole, and a longer one without its profile', () => {
    const described = (length: number) => renderProfile({ ...profile, description: 'x'.repeat(length) }, priced);
    const room = 2 * MAX_PROFILE_BYTES - described(0).length;
    assert.equal(described(room).length, 2 * MAX_PROFILE_BYTES);
    assert.equal(JSON.parse(described(room + 1).toString()).description, null);
  });
});
