// Schemas of the asset profile and its parts. The types of the record check that no field is missing here.

import { LINK_KEYS, LINK_STATS, type Link, type Profile, type Tag, type TeamMember } from '../../domain/profile.ts';
import { exactly, type JsonObject, listOf, nullable, ref } from '../json-schema.ts';

const time = { format: 'date-time', pattern: 'Z$' };
const count = (description: string): JsonObject => ({ type: 'integer', minimum: 0, description });
const text = (description: string): JsonObject => ({ type: 'string', description });
const flag = (description: string): JsonObject => ({ type: 'boolean', description });

const PROFILE: Readonly<Record<keyof Profile, JsonObject>> = {
  id: text('Slug `<symbol>-<name>` in lower case, with hyphens.'),
  name: text('Name of the asset.'),
  symbol: text('Ticker of the asset.'),
  rank: nullable('integer', 'Rank by market capitalisation, 1 is the largest; null if no source ranks the asset.', {
    minimum: 0,
  }),
  is_new: flag('The first close is at most 5 days old.'),
  is_active: flag(
    'The latest close is at most 7 days older than the newest in the store, and the asset is not delisted.',
  ),
  type: nullable('string', 'Category, such as `coin` or `token`.'),
  tags: listOf(ref('schemas', 'Tag'), 'Tags of the asset.'),
  team: listOf(ref('schemas', 'TeamMember'), 'People behind the asset.'),
  description: nullable('string', 'What the asset is, in free text.'),
  message: nullable('string', 'A notice about the asset, such as a migration.'),
  open_source: nullable('boolean', 'Whether the source code is public.'),
  started_at: nullable('string', 'When the asset started, UTC.', time),
  development_status: nullable('string', 'State of development, in free text.'),
  hardware_wallet: nullable('boolean', 'Whether hardware wallets support it.'),
  proof_type: nullable('string', 'Consensus mechanism, such as proof of work.'),
  org_structure: nullable('string', 'How the project is organised.'),
  hash_algorithm: nullable('string', 'Hash function of the chain.'),
  links: ref('schemas', 'Links'),
  links_extended: listOf(ref('schemas', 'Link'), 'All links, with their type and, if known, statistics.'),
  whitepaper: ref('schemas', 'Whitepaper'),
  first_data_at: nullable('string', 'Start of the UTC day of the first close.', time),
};

const TAG: Readonly<Record<keyof Tag, JsonObject>> = {
  id: text('Slug of the tag.'),
  name: text('Name of the tag.'),
  coin_counter: count('Assets that have the tag.'),
  ico_counter: count('Offerings that have the tag.'),
};

const TEAM_MEMBER: Readonly<Record<keyof TeamMember, JsonObject>> = {
  id: text('Slug of the person.'),
  name: text('Name of the person.'),
  position: text('Role of the person.'),
};

const LINK: Readonly<Record<keyof Link, JsonObject>> = {
  url: text('URL of the link.'),
  type: text('Kind of the link, such as `website`, `reddit` or `source_code`; other types may follow.'),
  stats: ref('schemas', 'LinkStats'),
};

const STATS: Readonly<Record<(typeof LINK_STATS)[number], string>> = {
  subscribers: 'Of a subreddit.',
  contributors: 'Of a source code repository.',
  stars: 'Of a source code repository.',
  members: 'Of a chat group.',
  followers: 'Of an account.',
};

const WHITEPAPER: Readonly<Record<keyof Profile['whitepaper'], JsonObject>> = {
  link: nullable('string', 'URL of the document.'),
  thumbnail: nullable('string', 'URL of a picture of its first page.'),
};

export function profileSchemas(): JsonObject {
  const links = LINK_KEYS.map(key => [key, { type: 'array', items: { type: 'string' } }]);
  const stats = LINK_STATS.map(name => [name, count(STATS[name])]);
  return {
    Profile: {
      ...exactly(PROFILE),
      description: 'The profile of an asset. An unknown value is null or an empty list.',
    },
    Tag: exactly(TAG),
    TeamMember: exactly(TEAM_MEMBER),
    Link: exactly(LINK, ['stats']),
    Links: {
      ...exactly(Object.fromEntries(links)),
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'URLs by type; a type without URLs is an empty list. Further types may follow.',
    },
    LinkStats: {
      ...exactly(Object.fromEntries(stats), LINK_STATS),
      description: 'Statistics, if a source knows them.',
    },
    Whitepaper: exactly(WHITEPAPER),
  };
}
