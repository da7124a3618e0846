import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayFromIso, isoFromDay } from '../../domain/day.ts';
import { LINK_KEYS, LINK_STATS, type Profile } from '../../domain/profile.ts';
import { simulateMarket } from './prices.ts';
import { profilesOf } from './profiles.ts';
import { hasEnded, NETWORKS, universe } from './universe.ts';

const TODAY = dayFromIso('2026-08-20')!;
const assets = universe(TODAY);
const byId = new Map(profilesOf(assets, simulateMarket(TODAY), TODAY).map(({ profile }) => [profile.id, profile]));
const profiles = assets.map(({ id }) => byId.get(id)!);

const isText = (value: unknown) => typeof value === 'string' && value.length > 0;
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isFlag = (value: unknown) => typeof value === 'boolean';
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T00:00:00Z$/.test(value);

/** In the order of the record. */
const FIELDS: Readonly<Record<keyof Profile, (value: unknown) => boolean>> = {
  id: isText,
  name: isText,
  symbol: isText,
  rank: isCount,
  is_new: isFlag,
  is_active: isFlag,
  type: value => value === 'coin' || value === 'token',
  tags: Array.isArray,
  team: Array.isArray,
  description: isText,
  message: isTextOrNull,
  open_source: isFlag,
  started_at: value => value === null || isTime(value),
  development_status: isTextOrNull,
  hardware_wallet: isFlag,
  proof_type: isText,
  org_structure: isTextOrNull,
  hash_algorithm: isTextOrNull,
  links: value => value !== null,
  links_extended: Array.isArray,
  whitepaper: value => value !== null,
  first_data_at: isTime,
};

test('every profile has every field, in order and of its type', () => {
  assert.equal(profiles.length, assets.length);
  for (const profile of profiles) {
    assert.deepEqual(Object.keys(profile), Object.keys(FIELDS));
    for (const [field, isRight] of Object.entries(FIELDS)) {
      const value: unknown = profile[field as keyof Profile]; // The keys of FIELDS are those of a profile.
      assert.ok(isRight(value), `${profile.id}: ${field} is ${JSON.stringify(value)}`);
    }
  }
});

test('what real profiles lack now and then is missing here too', () => {
  const some = (isSo: (profile: Profile) => boolean) => {
    const count = profiles.filter(isSo).length;
    assert.ok(count > 5 && count < profiles.length - 5, `${count} of ${profiles.length}: ${isSo}`);
  };
  some(profile => profile.started_at === null);
  some(profile => profile.development_status === null);
  some(profile => profile.org_structure === null);
  some(profile => profile.hash_algorithm === null);
  some(profile => profile.message === null);
  some(profile => profile.whitepaper.link === null);
  some(profile => profile.links.website.length === 0);
  some(profile => profile.team.length === 0);
  some(profile => profile.open_source === false);
});

test('ranks are 1 to n, best capitalisation first, dead ones last', () => {
  const byRank = profiles.toSorted((a, b) => a.rank! - b.rank!);
  assert.deepEqual(
    byRank.map(profile => profile.rank),
    profiles.map((_, i) => i + 1),
  );
  assert.equal(byRank[0]!.name, 'Aldermoor');
  const firstDead = byRank.findIndex(profile => profile.message !== null);
  assert.ok(firstDead > 500 && byRank.slice(firstDead).every(profile => profile.message !== null));
});

test('every description and every message of an end says that it is simulated', () => {
  for (const { id, description } of profiles) {
    assert.match(description!, /\bsimulated\b/, id);
    assert.match(description!, /\bdemo\b/, id);
    assert.ok(description!.split('. ').length >= 3, `${id}: ${description}`);
  }
  for (const [i, asset] of assets.entries()) {
    const { message } = profiles[i]!;
    if (hasEnded(asset, TODAY)) assert.match(message!, new RegExp(`demo|simulated.*${isoFromDay(asset.ends)}`));
    else assert.equal(message, null);
  }
});

test('every link leads to a host that is reserved for documentation', () => {
  for (const { id, links, links_extended, whitepaper } of profiles) {
    const urls = [...links_extended.map(link => link.url), ...Object.values(links).flat()];
    if (whitepaper.link !== null) urls.push(whitepaper.link);
    if (whitepaper.thumbnail !== null) urls.push(whitepaper.thumbnail);
    for (const url of urls) {
      const { protocol, hostname } = new URL(url);
      assert.equal(protocol, 'https:');
      assert.match(hostname, /^[a-z0-9.-]+\.example$/, id);
    }
  }
});

test('the grouped links are those of the list, and only known stats occur, where they belong', () => {
  const owners = {
    subscribers: 'reddit',
    contributors: 'source_code',
    stars: 'source_code',
    members: 'telegram',
    followers: 'twitter',
  };
  for (const { links, links_extended } of profiles) {
    assert.deepEqual(Object.keys(links), [...LINK_KEYS]);
    for (const key of LINK_KEYS) {
      assert.deepEqual(
        links[key],
        links_extended.filter(link => link.type === key).map(link => link.url),
      );
    }
    for (const { type, stats = {} } of links_extended) {
      for (const [stat, value] of Object.entries(stats)) {
        const known = LINK_STATS.find(name => name === stat);
        assert.ok(known !== undefined && owners[known] === type && isCount(value), `${type} ${stat} ${value}`);
      }
    }
  }
});

test('tag counters count the assets that carry the tag', () => {
  const carried = new Map<string, number>();
  for (const { id } of profiles.flatMap(profile => profile.tags)) carried.set(id, (carried.get(id) ?? 0) + 1);
  assert.ok(carried.size > 30, `${carried.size} tags`);
  const soldPublicly = (profile: Profile) => /public sale/.test(profile.description!);
  for (const { tags } of profiles) {
    assert.equal(new Set(tags.map(tag => tag.id)).size, tags.length);
    for (const tag of tags) assert.equal(tag.coin_counter, carried.get(tag.id), tag.id);
  }
  const tokens = profiles.filter(profile => profile.tags.some(tag => tag.id === 'veloria-token'));
  const { name, ico_counter } = tokens[0]!.tags.find(tag => tag.id === 'veloria-token')!;
  assert.deepEqual({ name, ico_counter }, { name: 'Veloria Token', ico_counter: tokens.filter(soldPublicly).length });
});

test('a team has up to eight different people, the first of whom began it', () => {
  for (const { team } of profiles) {
    assert.ok(team.length <= 8);
    assert.equal(new Set(team.map(member => member.id)).size, team.length);
    for (const member of team) assert.match(member.id, /^[a-z]+-[a-z]+$/);
    if (team.length > 0) assert.match(team[0]!.position, /founder|author/i);
  }
  assert.equal(new Set(profiles.map(profile => profile.team.length)).size, 9);
});

test('how an asset is secured agrees with its type, and no token is older than its network', () => {
  const starts = new Map(profiles.map(profile => [profile.name, profile.started_at]));
  for (const { id, type, proof_type, hash_algorithm, started_at, first_data_at, description } of profiles) {
    assert.equal(type === 'token', proof_type === 'Not mineable', id);
    assert.equal(hash_algorithm !== null, proof_type === 'Proof of Work', id);
    assert.ok(started_at === null || started_at < first_data_at!, id);
    const network = NETWORKS.find(name => description!.includes(`a token on ${name},`));
    assert.equal(network !== undefined, type === 'token', id);
    if (network && started_at) assert.ok(started_at > starts.get(network)!, id);
  }
});

test('what is new, delisted and first seen agrees with the calendar', () => {
  for (const [i, asset] of assets.entries()) {
    const { is_new, is_active, first_data_at } = profiles[i]!;
    assert.equal(first_data_at, `${isoFromDay(asset.listed)}T00:00:00Z`);
    assert.equal(is_new, TODAY - asset.listed <= 5);
    assert.equal(is_active, !(asset.delisted && hasEnded(asset, TODAY)));
  }
  assert.ok(profiles.some(profile => profile.is_new));
});
