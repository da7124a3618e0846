import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LINK_KEYS } from '../../domain/profile.ts';
import { parseProfile } from './parse-profile.ts';

const least = { id: 'abc-alphabet', name: 'Alphabet', symbol: 'ABC' };

const full = {
  id: 'abc-alphabet',
  name: 'Alphabet',
  symbol: 'ABC',
  rank: 7,
  is_new: false,
  is_active: true,
  type: 'coin',
  tags: [{ id: 'letters', name: 'Letters', coin_counter: 26, ico_counter: 0 }],
  team: [{ id: 'ann-author', name: 'Ann Author', position: '' }],
  description: 'First line.\r\nSecond line.',
  message: '',
  open_source: true,
  started_at: '2015-06-01T00:00:00Z',
  development_status: 'Working product',
  hardware_wallet: false,
  proof_type: 'Proof of Work',
  org_structure: 'Flat',
  hash_algorithm: 'None',
  links: {
    explorer: ['https://example.com/explorer'],
    facebook: [],
    reddit: ['https://example.com/r/abc'],
    source_code: ['https://example.com/git'],
    website: ['https://example.com/'],
    youtube: [],
  },
  links_extended: [
    { url: 'https://example.com/r/abc', type: 'reddit', stats: { subscribers: 12 } },
    { url: 'https://example.com/board', type: 'message_board' },
  ],
  whitepaper: { link: 'https://example.com/paper.pdf', thumbnail: null },
  first_data_at: '2015-06-02T10:20:30Z',
};

function accepted(value: unknown) {
  const parsed = parseProfile(value);
  assert.ok('ok' in parsed, `accepted, but: ${JSON.stringify(parsed)}`);
  return parsed.ok;
}

function problems(value: unknown): readonly string[] {
  const parsed = parseProfile(value);
  return 'problems' in parsed ? parsed.problems : [];
}

describe('a profile', () => {
  for (const [what, value, expected] of [
    ['id', { ...least, id: 'x'.repeat(257) }, /^id: expected at most 256 characters, got "x{59}…$/],
    ['name', { ...least, name: 'x'.repeat(257) }, /^name: expected at most 256 characters/],
    ['symbol', { ...least, symbol: 'X'.repeat(65) }, /^symbol: expected at most 64 characters/],
    ['description', { ...least, description: 'x'.repeat(300_000) }, /at most 256 kB, got 294 kB \(.*: description\)$/],
    ['text beyond ASCII', { ...least, description: '青'.repeat(100_000) }, /at most 256 kB, got 294 kB/],
    ['other member', { ...least, tickers: Array(200_000).fill(1) }, /largest member: tickers/],
  ] as const) {
    it(`with a ${what} that is too long is refused`, () => {
      assert.equal(problems(value).length, 1);
      assert.match(problems(value)[0]!, expected);
    });
  }

  it('of nearly the largest size is accepted', () => {
    accepted({ ...least, description: 'x'.repeat(260_000) });
  });

  it('that is complete comes through unchanged, in the order of the record', () => {
    const { profile, extra } = accepted(full);
    assert.equal(JSON.stringify(profile), JSON.stringify(full));
    assert.deepEqual(extra, {});
  });

  it('whose members come in another order is put into the order of the record', () => {
    const reversed = Object.fromEntries(Object.entries(full).reverse());
    assert.equal(JSON.stringify(accepted(reversed).profile), JSON.stringify(full));
  });

  for (const [name, unknown] of [
    ['missing', undefined],
    ['null', null],
  ] as const) {
    it(`has null, [] and the six keys of links where everything else is ${name}`, () => {
      const keys = Object.keys(full).filter(key => !(key in least));
      const given = { ...least, ...Object.fromEntries(keys.map(key => [key, unknown])) };
      const { profile, extra } = accepted(given);
      assert.deepEqual(profile.links, Object.fromEntries(LINK_KEYS.map(key => [key, []])));
      assert.deepEqual(profile.whitepaper, { link: null, thumbnail: null });
      for (const key of ['tags', 'team', 'links_extended'] as const) assert.deepEqual(profile[key], []);
      for (const key of ['rank', 'is_new', 'type', 'description', 'message', 'started_at'] as const) {
        assert.equal(profile[key], null);
      }
      assert.deepEqual(extra, {});
    });
  }

  it('keeps the members that the record has no place for, with their paths', () => {
    const { profile, extra } = accepted({
      ...full,
      logo: 'https://example.com/logo.png',
      contracts: [{ contract: '0x1', platform: 'eth' }],
      tags: [{ ...full.tags[0], type: 'functional' }],
      links: { website: ['https://example.com/'], medium: ['https://example.com/m'], count: 3 },
      links_extended: [{ url: 'u', type: 'chat', stats: { members: 3, online: 1.5 }, title: 'Chat' }],
      whitepaper: { link: null, thumbnail: null, pages: 9 },
    });
    assert.deepEqual(extra, {
      logo: 'https://example.com/logo.png',
      contracts: [{ contract: '0x1', platform: 'eth' }],
      'tags[0].type': 'functional',
      'links.count': 3,
      'links_extended[0].stats.online': 1.5,
      'links_extended[0].title': 'Chat',
      'whitepaper.pages': 9,
    });
    assert.deepEqual(profile.links_extended, [{ url: 'u', type: 'chat', stats: { members: 3 } }]);
    assert.deepEqual(Object.keys(profile.links), [...LINK_KEYS, 'medium'], 'kinds of links pass through');
  });

  it('may have a member that is called __proto__, which changes no prototype', () => {
    const { extra } = accepted(JSON.parse('{"id":"a-a","name":"A","symbol":"A","__proto__":{"polluted":true}}'));
    assert.deepEqual(Object.keys(extra), ['__proto__']);
    assert.equal(Object.getPrototypeOf(extra), Object.prototype);
  });

  for (const stats of [null, {}, { stars: null }, { views: 3 }]) {
    it(`has no stats where they say nothing known: ${JSON.stringify(stats)}`, () => {
      const { profile } = accepted({ ...least, links_extended: [{ url: 'u', type: 't', stats }] });
      assert.deepEqual(profile.links_extended, [{ url: 'u', type: 't' }]);
    });
  }

  it('of rank 0 is not ranked', () => assert.equal(accepted({ ...least, rank: 0 }).profile.rank, null));

  for (const [given, expected] of [
    ['', null],
    ['2015-06-01', '2015-06-01T00:00:00Z'],
    ['2015-06-01T12:30:00', '2015-06-01T12:30:00Z'],
    ['2015-06-01 12:30', '2015-06-01T12:30:00Z'],
    ['2015-06-01T12:30:00.250Z', '2015-06-01T12:30:00Z'],
    ['2015-06-01T12:30:00+02:00', '2015-06-01T10:30:00Z'],
    ['2015-06-01T12:30:00-0130', '2015-06-01T14:00:00Z'],
  ] as const) {
    it(`with the time ${JSON.stringify(given)} has ${expected}`, () => {
      assert.equal(accepted({ ...least, started_at: given }).profile.started_at, expected);
    });
  }
});

describe('a refused profile names the place, what was expected and what was found', () => {
  for (const [change, problem] of [
    [{ id: undefined }, 'id: expected a text that is not empty, got nothing'],
    [
      { id: 'ABC Alphabet' },
      'id: expected a slug such as "btc-bitcoin" (lower case, without spaces and slashes), got "ABC Alphabet"',
    ],
    [{ name: 5 }, 'name: expected a text that is not empty, got 5'],
    [{ symbol: '  ' }, 'symbol: expected a text that is not empty, got "  "'],
    [{ rank: '1' }, 'rank: expected an integer (0 or more), got "1"'],
    [{ rank: 1.5 }, 'rank: expected an integer (0 or more), got 1.5'],
    [{ is_active: 'yes' }, 'is_active: expected true, false or null, got "yes"'],
    [{ description: ['a'] }, 'description: expected a text or null, got a list'],
    [{ started_at: 'soon' }, 'started_at: expected a time such as "2009-01-03T00:00:00Z" or null, got "soon"'],
    [
      { started_at: '2023-02-30' },
      'started_at: expected a time such as "2009-01-03T00:00:00Z" or null, got "2023-02-30"',
    ],
    [{ first_data_at: 1234 }, 'first_data_at: expected a time such as "2009-01-03T00:00:00Z" or null, got 1234'],
    [{ tags: 'coin' }, 'tags: expected a list or null, got "coin"'],
    [{ tags: [null] }, 'tags[0]: expected an object, got null'],
    [{ team: [{ id: 'x', name: 'X', position: null }] }, 'team[0].position: expected a text, got null'],
    [{ links: [] }, 'links: expected an object or null, got a list'],
    [{ links: { reddit: 'r' } }, 'links.reddit: expected a list or null, got "r"'],
    [{ links: { reddit: ['r', 2] } }, 'links.reddit[1]: expected a text, got 2'],
    [{ whitepaper: { link: false } }, 'whitepaper.link: expected a text or null, got false'],
    [{ message: 'a\0b' }, 'message: expected a text without NUL characters'],
    [{ logo: { deep: ['\ud800'] } }, 'logo.deep[0]: expected whole Unicode characters, got half of a surrogate pair'],
  ] as const) {
    it(problem, () => assert.deepEqual(problems({ ...least, ...change }), [problem]));
  }

  it('inside a long list', () => {
    const link = { url: 'u', type: 't' };
    const links_extended = [link, link, link, { ...link, stats: { stars: '12' } }];
    assert.deepEqual(problems({ ...least, links_extended }), [
      'links_extended[3].stats.stars: expected an integer (0 or more), got "12"',
    ]);
  });

  it('all of them at once', () => {
    assert.equal(problems({ id: 1, name: 2, symbol: 3, rank: 'x', links: { website: 4 } }).length, 5);
  });

  for (const value of [null, 'text', 3, [least], undefined]) {
    it(`when it is ${JSON.stringify(value)}`, () => assert.match(problems(value)[0] ?? '', /^expected an object/));
  }

  it('when it is nested without end', () => {
    const bottomless = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    assert.match(problems({ ...least, other: bottomless })[0] ?? '', /levels of nesting$/);
  });
});
