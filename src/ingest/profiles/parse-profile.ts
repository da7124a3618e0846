// From any JSON value to a profile, field by field: tolerant of what is missing, strict about what is there.
//
// Nothing is lost: a member that the record has no place for goes to `extra` under its path (`logo`,
// `links_extended[3].stats.views`). Nothing is invented: unknown texts and times are null, unknown lists are []. An empty
// text is kept as the source gave it; an empty time becomes null.

import { MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH } from '../../domain/asset.ts';
import {
  LINK_KEYS,
  LINK_STATS,
  type Link,
  type LinkStats,
  type Links,
  linksByKey,
  MAX_PROFILE_BYTES,
  type Profile,
  type SourcedProfile,
  type Tag,
  type TeamMember,
} from '../../domain/profile.ts';
import { FieldReader, got, isObject, type Json, type Unchecked } from '../field-reader.ts';
import { unstorable } from './storable.ts';

export type ParsedProfile = { readonly ok: SourcedProfile } | { readonly problems: readonly string[] };

export function parseProfile(value: unknown): ParsedProfile {
  if (!isObject(value)) return { problems: [`expected an object with id, name and symbol, got ${got(value)}`] };
  const broken = unstorable(value);
  if (broken !== null) return { problems: [broken] };

  const reader = new FieldReader();
  const profile = readProfile(reader, value);
  if (reader.problems.length > 0) return { problems: reader.problems };
  const sourced = { profile, extra: reader.extra() };
  const bytes = Buffer.byteLength(JSON.stringify(sourced));
  if (bytes <= MAX_PROFILE_BYTES) return { ok: sourced };
  const size = `expected a profile of at most ${MAX_PROFILE_BYTES / 1024} kB, got ${Math.ceil(bytes / 1024)} kB`;
  return { problems: [`${size} (largest member: ${largestMember(value)})`] };
}

function largestMember(value: Json): string {
  const sizes = Object.entries(value).map(([name, member]) => ({ name, size: JSON.stringify(member)?.length ?? 0 }));
  return sizes.reduce((largest, each) => (each.size > largest.size ? each : largest)).name.slice(0, 60);
}

function readProfile(reader: FieldReader, value: Unchecked<Profile>): Profile {
  const profile: Profile = {
    id: readId(reader, value.id),
    name: reader.text(value.name, 'name', MAX_NAME_LENGTH),
    symbol: reader.text(value.symbol, 'symbol', MAX_SYMBOL_LENGTH),
    rank: readRank(reader, value.rank),
    is_new: reader.flag(value.is_new, 'is_new'),
    is_active: reader.flag(value.is_active, 'is_active'),
    type: reader.optionalText(value.type, 'type'),
    tags: reader.list(value.tags, 'tags', readTag),
    team: reader.list(value.team, 'team', readTeamMember),
    description: reader.optionalText(value.description, 'description'),
    message: reader.optionalText(value.message, 'message'),
    open_source: reader.flag(value.open_source, 'open_source'),
    started_at: reader.time(value.started_at, 'started_at'),
    development_status: reader.optionalText(value.development_status, 'development_status'),
    hardware_wallet: reader.flag(value.hardware_wallet, 'hardware_wallet'),
    proof_type: reader.optionalText(value.proof_type, 'proof_type'),
    org_structure: reader.optionalText(value.org_structure, 'org_structure'),
    hash_algorithm: reader.optionalText(value.hash_algorithm, 'hash_algorithm'),
    links: readLinks(reader, value.links),
    links_extended: reader.list(value.links_extended, 'links_extended', readLink),
    whitepaper: readWhitepaper(reader, value.whitepaper),
    first_data_at: reader.time(value.first_data_at, 'first_data_at'),
  };
  reader.keepOthers(value, '', Object.keys(profile));
  return profile;
}

/** The id is a path segment and is looked up without regard to case, so it must be unambiguous as both. */
function readId(reader: FieldReader, value: unknown): string {
  const id = reader.text(value, 'id', MAX_NAME_LENGTH);
  if (/[\s/?#%\\]/.test(id) || id !== id.toLowerCase()) {
    reader.problem('id', 'a slug such as "btc-bitcoin" (lower case, without spaces and slashes)', value);
  }
  return id;
}

/** CoinPaprika ranks from 1 and writes 0 for what it does not rank. */
function readRank(reader: FieldReader, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const rank = reader.count(value, 'rank');
  return rank === 0 ? null : rank;
}

function readTag(reader: FieldReader, value: Unchecked<Tag>, path: string): Tag {
  const tag: Tag = {
    id: reader.text(value.id, `${path}.id`),
    name: reader.text(value.name, `${path}.name`),
    coin_counter: reader.count(value.coin_counter, `${path}.coin_counter`),
    ico_counter: reader.count(value.ico_counter, `${path}.ico_counter`),
  };
  reader.keepOthers(value, `${path}.`, Object.keys(tag));
  return tag;
}

function readTeamMember(reader: FieldReader, value: Unchecked<TeamMember>, path: string): TeamMember {
  const member: TeamMember = {
    id: reader.text(value.id, `${path}.id`),
    name: reader.text(value.name, `${path}.name`),
    position: reader.anyText(value.position, `${path}.position`),
  };
  reader.keepOthers(value, `${path}.`, Object.keys(member));
  return member;
}

function readLinks(reader: FieldReader, value: unknown): Links {
  const given = reader.object(value, 'links');
  const list = (key: string) => reader.texts(given[key], `links.${key}`);
  const isList = (key: string) => Array.isArray(given[key]) && given[key].every(url => typeof url === 'string');
  const others = Object.keys(given).filter(key => !LINK_KEYS.some(known => known === key) && isList(key));
  const links = { ...linksByKey(list), ...Object.fromEntries(others.map(key => [key, list(key)])) };
  reader.keepOthers(given, 'links.', [...LINK_KEYS, ...others]);
  return links;
}

function readLink(reader: FieldReader, value: Unchecked<Link>, path: string): Link {
  const url = reader.text(value.url, `${path}.url`);
  const type = reader.text(value.type, `${path}.type`);
  const stats = readStats(reader, value.stats, `${path}.stats`);
  reader.keepOthers(value, `${path}.`, ['url', 'type', 'stats']);
  return stats === null ? { url, type } : { url, type, stats };
}

/** Null where none of the numbers is known: then the link has no `stats` at all. */
function readStats(reader: FieldReader, value: unknown, path: string): LinkStats | null {
  const given = reader.object(value, path);
  const known = LINK_STATS.filter(name => given[name] !== undefined && given[name] !== null);
  reader.keepOthers(given, `${path}.`, LINK_STATS);
  if (known.length === 0) return null;
  return Object.fromEntries(known.map(name => [name, reader.count(given[name], `${path}.${name}`)]));
}

function readWhitepaper(reader: FieldReader, value: unknown): Profile['whitepaper'] {
  const given: Unchecked<Profile['whitepaper']> = reader.object(value, 'whitepaper');
  reader.keepOthers(given, 'whitepaper.', ['link', 'thumbnail']);
  return {
    link: reader.optionalText(given.link, 'whitepaper.link'),
    thumbnail: reader.optionalText(given.thumbnail, 'whitepaper.thumbnail'),
  };
}
