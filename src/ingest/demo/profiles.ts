// The profile records of a simulated universe. What is made up of an asset is decided once for its whole life, so that its
// description, tags and links agree with each other. Every link ends in `.example`, a reserved name: no click can reach a real site.

import { domainToASCII } from 'node:url';
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
import { type DemoAsset, hasEnded, isDelisted } from './universe.ts';
import { FAMILY_ENDS, FAMILY_STEMS, GIVEN_NAMES } from './words.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** 123400000 is `123.4 million`. */
const IN_WORDS = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumFractionDigits: 1,
});
const ALGORITHMS = ['Tidehash', 'Granite-512', 'Mossroll', 'Kelp-R', 'Anvil3', 'Lodestone', 'Fjordmix'];
const STATUSES = ['Working product', 'Working product', 'Beta version', 'Alpha version', 'On hold'];
const STRUCTURES = ['Decentralized', 'Decentralized', 'Semi-centralized', 'Centralized', null];
const FOUNDERS = ['Founder', 'Founder & CEO', 'Co-founder', 'Author'];
const POSITIONS = [
  'Advisor',
  'Designer',
  'Economist',
  'Cryptographer',
  'Lead Developer',
  'Legal Counsel',
  'Head of Research',
  'Protocol Engineer',
  'Technical Writer',
];

/** Ordered by type, as vendors deliver them: how often an asset has one, its address, and how many people follow the largest. */
const LINKS: readonly [type: string, often: number, address: string, people?: LinkStats][] = [
  ['announcement', 0.3, 'news.example/HOST'],
  ['blog', 0.6, 'blog.HOST.example/'],
  ['explorer', 0.95, 'explorer.CHAIN.example/HOST'],
  ['facebook', 0.35, 'friends.example/HOST'],
  ['reddit', 0.6, 'boards.example/b/HOST', { subscribers: 700_000 }],
  ['source_code', 0.85, 'code.example/HOST/main', { contributors: 700, stars: 28_000 }],
  ['telegram', 0.7, 'messages.example/HOST', { members: 560_000 }],
  ['twitter', 0.9, 'short.example/HOST', { followers: 1_400_000 }],
  ['website', 0.97, 'HOST.example/'],
  ['youtube', 0.3, 'videos.example/HOST'],
];
const NO_LINKS: Links = { explorer: [], facebook: [], reddit: [], source_code: [], website: [], youtube: [] };
const LARGEST_CAP = 4.8e11;

/** One profile per asset, in the same order. */
export function profilesOf(assets: readonly DemoAsset[], market: Market, today: Day): Profile[] {
  // By market capitalisation on the day; delisted assets come last.
  const cap = (asset: DemoAsset) => (hasEnded(asset, today) ? 0 : asset.supply * priceOn(asset, market, today));
  const caps = new Map(assets.map(asset => [asset, cap(asset)]));
  const ranked = assets.toSorted((a, b) => caps.get(b)! - caps.get(a)!);
  const ranks = new Map(ranked.map((asset, position) => [asset, position + 1]));
  const tags = new Map<string, Counted>();
  return assets.map(asset => profileOf(asset, ranks.get(asset)!, tags, today));
}

/** A tag that all of its profiles share: its counters are right once every profile is made. */
type Counted = { -readonly [field in keyof Tag]: Tag[field] };

function countedTag(id: string, soldPublicly: boolean, tags: Map<string, Counted>): Tag {
  const words = id.split('-').map(word => (/^(of|to)$/.test(word) ? word : word[0]!.toUpperCase() + word.slice(1)));
  const name = words.join(' ').replace('Defi', 'DeFi');
  const tag = tags.get(id) ?? { id, name, coin_counter: 0, ico_counter: 0 };
  tag.coin_counter++;
  tag.ico_counter += Number(soldPublicly);
  tags.set(id, tag);
  return tag;
}

function profileOf(asset: DemoAsset, rank: number, tags: Map<string, Counted>, today: Day): Profile {
  const { id, name, symbol, type, sector, listed } = asset;
  const random = new Random(hash(asset.seed, 1));
  const isMeme = sector.id === 'memes';
  const isKnown = !isMeme || random.chance(0.3);
  // Each network has about twice the tokens of the next.
  const network = type === 'token' ? (NETWORKS.find(() => random.chance(0.5)) ?? NETWORKS[0]!) : null;
  const isMined = network === null && random.chance(sector.id === 'payments' ? 0.65 : 0.15);
  const algorithm = isMined ? random.pick(ALGORITHMS) : null;
  const proof = network ? 'Not mineable' : isMined ? 'Proof of Work' : 'Proof of Stake';
  // Work begins before the first price: years before, for those of the first day, and no token is older than its network.
  const age = listed > EPOCH ? random.whole(10, 500) : network ? random.whole(60, 1_200) : random.whole(1_300, 2_900);
  const started = network && random.chance(isMeme ? 0.4 : 0.06) ? null : ((listed - age) as Day); // none reaches back to 1970
  const soldPublicly = sector.id !== 'stable' && random.chance(isMined ? 0.05 : 0.45);
  const tagIds = [sector.tags[0]!, ...random.pickSome(sector.tags.slice(1), random.whole(0, 2))];
  const status = listed === EPOCH ? 'Working product' : random.pick(STATUSES);
  const links = linksOf(asset, network, random);
  const urls = (key: string) => links.filter(link => link.type === key).map(link => link.url);
  const paper = random.chance(isMeme ? 0.15 : 0.8) ? `https://${hostOf(name)}.example/whitepaper` : null;
  const ended = hasEnded(asset, today) ? isoFromDay(asset.ends as Day) : null; // what has ended has a day of its end

  const month = started && MONTH.format(started * MILLIS_PER_DAY);
  const security = network
    ? `It is a token on ${network}, with a supply of ${IN_WORDS.format(asset.supply)}.`
    : isMined
      ? `Its blocks are mined with ${algorithm}, one every ${random.whole(2, 10)} minutes.`
      : `About ${random.whole(2, 400) * 10} validators stake their coins and seal a block every ${random.whole(2, 12)} seconds.`;
  const sale = `A public sale ${month ? `in ${month} ` : ''}paid for the first two years.`;
  const sentences = [
    `${name} (${symbol}) is a simulated ${sector.noun} that ${asset.purpose ?? random.pick(sector.purposes)}.`,
    security,
    soldPublicly ? sale : month && `Work on it began in ${month}.`,
    ended && `Its market closed on ${ended}.`,
    'Everything about it, from its prices to its people, is invented for the demo.',
  ];
  return {
    ...{ id, name, symbol, rank },
    is_new: today - listed <= NEW_DAYS,
    // What has merely stopped trading is still on the list of the source: its prices show that it is dead.
    is_active: !isDelisted(asset, today),
    type,
    tags: [...tagIds, network ? `${slug(network)}-token` : slug(proof)].map(tag => countedTag(tag, soldPublicly, tags)),
    team: teamOf(random, isMeme ? Math.max(0, random.whole(-3, 2)) : random.whole(1, 8)),
    description: sentences.filter(sentence => sentence !== null).join(' '),
    message: ended && `No longer traded: its last simulated price is of ${ended}.`,
    open_source: urls('source_code').length > 0,
    started_at: started && profileTimeFromDay(started),
    development_status: ended ? 'Discontinued' : isKnown ? status : null,
    hardware_wallet: random.chance(network ? 0.2 : 0.5),
    proof_type: proof,
    org_structure: sector.id === 'stable' ? 'Centralized' : isKnown ? random.pick(STRUCTURES) : null,
    hash_algorithm: algorithm,
    links: { ...NO_LINKS, ...Object.fromEntries(LINK_KEYS.map(key => [key, urls(key)])) },
    links_extended: links,
    whitepaper: { link: paper && `${paper}.pdf`, thumbnail: paper && `${paper}.png` },
    first_data_at: profileTimeFromDay(listed),
  };
}

/** Founders first, and no name twice. */
function teamOf(random: Random, size: number): TeamMember[] {
  const positions = [random.pick(FOUNDERS), ...random.pickSome(POSITIONS, size)];
  return random.pickSome(GIVEN_NAMES, size).map((given, i) => {
    const name = `${given} ${random.pick(FAMILY_STEMS)}${random.pick(FAMILY_ENDS)}`;
    return { id: slug(name), name, position: positions[i]! };
  });
}

/** Large assets have more links, and more people follow them. */
function linksOf(asset: DemoAsset, network: string | null, random: Random): Link[] {
  const cap = asset.basePrice * asset.supply;
  const often = asset.sector.id === 'memes' ? -0.3 : cap > 1e9 ? 0.3 : 0;
  const share = (most: number) => Math.ceil(most * Math.sqrt(cap / LARGEST_CAP) * random.between(0.2, 2));
  return LINKS.filter(([, chance]) => random.chance(chance + often)).map(([type, , address, people]) => {
    const own = address.replace('HOST', hostOf(asset.name)).replace('CHAIN', hostOf(network ?? asset.name));
    const stats = people && Object.fromEntries(Object.entries(people).map(([stat, most]) => [stat, share(most)]));
    return { url: `https://${own}`, type, ...(stats && { stats }) };
  });
}

/** The name as links spell it. */
function hostOf(name: string): string {
  return domainToASCII(slug(name));
}
