// The profile records of a simulated universe. What is made up of an asset is decided once for its whole life, so that its
// description, tags and links agree with each other. Every link ends in `.example`, a reserved name: no click can reach a real site.

import { slug } from '../../domain/asset.ts';
import { NEW_DAYS } from '../../domain/asset-state.ts';
import { type Day, isoFromDay, MILLIS_PER_DAY, profileTimeFromDay } from '../../domain/day.ts';
import {
  LINK_KEYS,
  type Link,
  type LinkStats,
  type Links,
  type Profile,
  type Tag,
  type TeamMember,
} from '../../domain/profile.ts';
import { NETWORKS } from './cast.ts';
import { EPOCH, type Market } from './market.ts';
import { priceOn } from './prices.ts';
import { hash, Random } from './random.ts';
import { type DemoAsset, hasEnded, hostOf, isDelisted } from './universe.ts';
import { FAMILY_ENDS, FAMILY_STEMS, GIVEN_NAMES } from './words.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const ALGORITHMS = ['Tidehash', 'Granite-512', 'Mossroll', 'Kelp-R', 'Anvil3', 'Lodestone', 'Fjordmix'];
const STATUSES = ['Working product', 'Working product', 'Working product', 'Beta version', 'Alpha version', 'On hold'];
const STRUCTURES = ['Decentralized', 'Decentralized', 'Semi-centralized', 'Centralized', null];
const FOUNDERS = ['Founder', 'Founder & CEO', 'Co-founder', 'Author'];
// biome-ignore format: a list of words is easier to read in one line
const POSITIONS = ['Advisor', 'Designer', 'Economist', 'Cryptographer', 'Lead Developer', 'Legal Counsel', 'Head of Research', 'Protocol Engineer', 'Technical Writer'];
const DISCLAIMERS = [
  'Everything about it, from its prices to its people, is invented for the demo.',
  'It exists in the demo only: its prices, people and links are invented.',
];

/** Type, how often an asset has one, and the address; ordered by type, as vendors deliver them. */
const LINKS: readonly (readonly [type: string, often: number, url: string])[] = [
  ['announcement', 0.3, 'news.example/HOST'],
  ['blog', 0.6, 'blog.HOST.example/'],
  ['explorer', 0.95, 'EXPLORER'],
  ['facebook', 0.35, 'friends.example/HOST'],
  ['reddit', 0.6, 'boards.example/b/HOST'],
  ['source_code', 0.85, 'code.example/HOST/main'],
  ['telegram', 0.7, 'messages.example/HOST'],
  ['twitter', 0.9, 'short.example/HOST'],
  ['website', 0.97, 'HOST.example/'],
  ['youtube', 0.3, 'videos.example/HOST'],
];

const NO_LINKS: Links = { explorer: [], facebook: [], reddit: [], source_code: [], website: [], youtube: [] };

type Facts = ReturnType<typeof factsOf>;

/** One profile per asset, in the same order. */
export function profilesOf(assets: readonly DemoAsset[], market: Market, today: Day): Profile[] {
  const ranks = ranksOf(assets, market, today);
  const facts = assets.map(factsOf);
  const tags = countTags(facts);
  return facts.map(each => profileOf(each, ranks.get(each.asset)!, tags, today));
}

function profileOf(facts: Facts, rank: number, tags: ReadonlyMap<string, Tag>, today: Day): Profile {
  const { asset } = facts;
  const random = new Random(hash(asset.seed, 2));
  const isMeme = asset.sector.id === 'memes';
  const isKnown = !isMeme || random.chance(0.3);
  const oneOf = <T>(choices: readonly T[]) => (asset.cast ? choices[0]! : isKnown ? random.pick(choices) : null);
  const links = linksOf(facts, random);
  const urls = (type: string) => links.filter(link => link.type === type).map(link => link.url);
  const paper = random.chance(isMeme ? 0.15 : 0.8) ? `https://${asset.host}.example/whitepaper` : null;
  const ended = hasEnded(asset, today) ? isoFromDay(asset.ends!) : null;
  return {
    id: asset.id,
    name: asset.name,
    symbol: asset.symbol,
    rank,
    is_new: today - asset.listed <= NEW_DAYS,
    // What has merely stopped trading is still on the list of the source: its prices show that it is dead.
    is_active: !isDelisted(asset, today),
    type: asset.type,
    tags: facts.tagIds.map(id => tags.get(id)!),
    team: teamOf(random, isMeme ? Math.max(0, random.whole(-3, 2)) : random.whole(1, 8)),
    description: descriptionOf(facts, ended, random),
    message: ended && `No longer traded: its last simulated price is of ${ended}.`,
    open_source: urls('source_code').length > 0,
    started_at: facts.started && profileTimeFromDay(facts.started),
    development_status: ended ? 'Discontinued' : oneOf(STATUSES),
    hardware_wallet: random.chance(asset.type === 'coin' ? 0.5 : 0.2),
    proof_type: facts.proof,
    org_structure: asset.sector.id === 'stable' ? 'Centralized' : oneOf(STRUCTURES),
    hash_algorithm: facts.algorithm,
    links: { ...NO_LINKS, ...Object.fromEntries(LINK_KEYS.map(key => [key, urls(key)])) },
    links_extended: links,
    whitepaper: { link: paper && `${paper}.pdf`, thumbnail: paper && `${paper}.png` },
    first_data_at: profileTimeFromDay(asset.listed),
  };
}

/** By market capitalisation on the day; what is no longer traded comes after all that is. */
function ranksOf(assets: readonly DemoAsset[], market: Market, today: Day): ReadonlyMap<DemoAsset, number> {
  const caps = new Map(assets.map(asset => [asset, asset.supply * priceOn(asset, market, today)]));
  const ended = (asset: DemoAsset) => Number(hasEnded(asset, today));
  const ranked = assets.toSorted((a, b) => ended(a) - ended(b) || caps.get(b)! - caps.get(a)!);
  return new Map(ranked.map((asset, position) => [asset, position + 1]));
}

function factsOf(asset: DemoAsset) {
  const random = new Random(hash(asset.seed, 1));
  // Each network has about twice the tokens of the next.
  const network = asset.type === 'token' ? (NETWORKS.find(() => random.chance(0.5)) ?? NETWORKS[0]!) : null;
  const isMined = asset.cast?.mined ?? random.chance(asset.sector.id === 'payments' ? 0.65 : 0.15);
  const algorithm = network === null && isMined ? random.pick(ALGORITHMS) : null;
  const proof = network ? 'Not mineable' : algorithm ? 'Proof of Work' : 'Proof of Stake';
  const isForgotten = asset.cast === null && random.chance(asset.sector.id === 'memes' ? 0.4 : 0.06);
  const [main, ...others] = asset.sector.tags;
  const more = random.pickSome(others, random.whole(0, 2));
  return {
    asset,
    network,
    algorithm,
    proof,
    /** Null for an unknown start. */
    started: isForgotten ? null : startOf(asset, random),
    publicSale: asset.sector.id !== 'stable' && random.chance(algorithm ? 0.05 : 0.45),
    tagIds: [main!, ...more, network ? `${slug(network.name)}-token` : slug(proof)],
  };
}

/** Work begins before the first price: years before, for the founders, and no token is older than its network. */
function startOf(asset: DemoAsset, random: Random): Day {
  const [least, most] = asset.cast?.type === 'coin' ? [2_400, 2_900] : asset.listed === EPOCH ? [60, 2_300] : [10, 500];
  return (asset.listed - random.whole(least!, most!)) as Day; // none reaches back to 1970
}

function countTags(all: readonly Facts[]): ReadonlyMap<string, Tag> {
  const ids = [...new Set(all.flatMap(facts => facts.tagIds))];
  const words = (id: string) =>
    id
      .split('-')
      .map(word => (/^(of|to)$/.test(word) ? word : word[0]!.toUpperCase() + word.slice(1).replace('efi', 'eFi')));
  return new Map(
    ids.map(id => {
      const carriers = all.filter(facts => facts.tagIds.includes(id));
      const sold = carriers.filter(facts => facts.publicSale).length;
      return [id, { id, name: words(id).join(' '), coin_counter: carriers.length, ico_counter: sold }];
    }),
  );
}

function teamOf(random: Random, size: number): TeamMember[] {
  const positions = [random.pick(FOUNDERS), ...random.pickSome(POSITIONS, size - 1)].slice(0, size);
  const given = random.pickSome(GIVEN_NAMES, size);
  return positions.map((position, i) => {
    const name = `${given[i]} ${random.pick(FAMILY_STEMS)}${random.pick(FAMILY_ENDS)}`;
    return { id: slug(name), name, position };
  });
}

function descriptionOf(facts: Facts, ended: string | null, random: Random): string {
  const { asset, network, algorithm, started } = facts;
  const when = started && MONTH.format(started * MILLIS_PER_DAY);
  const security = network
    ? `It is a token on ${network.name}, with a supply of ${inWords(asset.supply)}.`
    : algorithm
      ? `Its blocks are mined with ${algorithm}, one every ${random.whole(2, 10)} minutes.`
      : `About ${random.whole(2, 400) * 10} validators stake their coins and seal a block every ${random.whole(2, 12)} seconds.`;
  const sale = started
    ? `A public sale in ${when} paid for the first two years.`
    : 'It was first sold to the public at a fixed price.';
  const purpose = asset.cast?.purpose ?? random.pick(asset.sector.purposes);
  const sentences = [
    `${asset.name} (${asset.symbol}) is a simulated ${asset.sector.noun} that ${purpose}.`,
    security,
    facts.publicSale ? sale : started && `Work on it began in ${when}.`,
    ended && `Its market closed on ${ended}.`,
    random.pick(DISCLAIMERS),
  ];
  return sentences.filter(sentence => sentence !== null).join(' ');
}

// biome-ignore format: a table
const SIZES = [[1e15, 'quadrillion'], [1e12, 'trillion'], [1e9, 'billion'], [1e6, 'million'], [1, 'units']] as const;

/** 123400000 is `123.4 million`. */
function inWords(count: number): string {
  const [size, word] = SIZES.find(([least]) => count >= least) ?? SIZES[4];
  return `${Math.round((count / size) * 10) / 10} ${word}`;
}

/** Large assets have more links, and more people follow them. */
function linksOf({ asset, network }: Facts, random: Random): Link[] {
  const size = asset.basePrice * asset.supply;
  const people = (share: number) => Math.ceil(Math.sqrt(size) * share * random.between(0.2, 2));
  const stats: Readonly<Record<string, LinkStats>> = {
    reddit: { subscribers: people(1) },
    source_code: { contributors: people(0.001), stars: people(0.04) },
    telegram: { members: people(0.8) },
    twitter: { followers: people(2) },
  };
  const often = asset.sector.id === 'memes' ? -0.3 : size > 1e9 ? 0.3 : 0;
  const explorer = network ? `explorer.${hostOf(network.name)}.example/token/HOST` : 'explorer.HOST.example/';
  return LINKS.filter(([, chance]) => random.chance(chance + often)).map(([type, , url]) => {
    const link = { url: `https://${url.replace('EXPLORER', explorer).replace('HOST', asset.host)}`, type };
    return stats[type] === undefined ? link : { ...link, stats: stats[type] };
  });
}
