// The profile records of a simulated universe. What is made up of an asset is decided once for its whole life, so that its
// description, tags and links agree with each other. Every link ends in `.example`, a reserved name: no click can reach a real site.

import { slug } from '../../domain/asset.ts';
import { NEW_DAYS } from '../../domain/asset-state.ts';
import { type Day, isoFromDay, profileTimeFromDay } from '../../domain/day.ts';
import { type Link, linksByKey, type Profile, type SourcedProfile, type Tag } from '../../domain/profile.ts';
import { dailyPrices, type Market } from './prices.ts';
import { hash, type Random, randomStream } from './random.ts';
import { type DemoAsset, hasEnded, NETWORKS } from './universe.ts';
import { ENDS, GIVEN_NAMES, STEMS } from './words.ts';

const ALGORITHMS = ['Tidehash', 'Granite-512', 'Mossroll', 'Kelp-R', 'Anvil3', 'Lodestone', 'Fjordmix'];
const STATUSES = ['Working product', 'Working product', 'Working product', 'Beta version', 'On hold', null];
const STRUCTURES = ['Decentralized', 'Decentralized', 'Semi-centralized', 'Centralized', null];
const POSITIONS = ['Advisor', 'Designer', 'Economist', 'Cryptographer', 'Lead Developer', 'Protocol Engineer'];

const LINK_TYPES = ['explorer', 'reddit', 'source_code', 'twitter', 'website', 'youtube'];
const FOLLOWERS = new Map(Object.entries({ reddit: 'subscribers', source_code: 'stars', twitter: 'followers' }));

/** One per asset, by market capitalisation on the day; what has ended comes last. */
export function profilesOf(assets: readonly DemoAsset[], market: Market, today: Day): SourcedProfile[] {
  const cap = (asset: DemoAsset) => asset.supply * dailyPrices(asset, market, today).at(-1)!;
  const ranked = assets.map(asset => ({ asset, cap: hasEnded(asset, today) ? 0 : cap(asset) }));
  const tags = new Map<string, Counted>();
  return ranked.sort((a, b) => b.cap - a.cap).map(({ asset }, i) => profileOf(asset, i + 1, tags, today));
}

/** A tag that all of its profiles share: its counters are right once every profile is made. */
type Counted = { -readonly [field in keyof Tag]: Tag[field] };

function countedTag(name: string, soldPublicly: boolean, tags: Map<string, Counted>): Tag {
  const tag = tags.get(name) ?? { id: slug(name), name, coin_counter: 0, ico_counter: 0 };
  tag.coin_counter++;
  tag.ico_counter += Number(soldPublicly);
  tags.set(name, tag);
  return tag;
}

function profileOf(asset: DemoAsset, rank: number, tags: Map<string, Counted>, today: Day): SourcedProfile {
  const { id, name, symbol, sector, purpose, supply, listed } = asset;
  const random = randomStream(hash(asset.seed, 1));
  // Each network has about twice the tokens of the next.
  const home = NETWORKS.find(() => random.chance(0.5)) ?? NETWORKS[0]!;
  const network = random.chance(sector.coins) ? null : home;
  const proof = network ? 'Not mineable' : random.pick(['Proof of Work', 'Proof of Stake']);
  // Work begins before the first price, and no token is older than its network. None reaches back to 1970.
  const started = (listed - (network ? random.whole(10, 1_200) : random.whole(1_300, 2_900))) as Day;
  const soldPublicly = random.chance(0.3);
  const tagNames = [sector.tags[0]!, ...random.pickSome(sector.tags.slice(1), random.whole(0, 2))];
  const site = new URL(`https://${slug(name)}.example`).origin; // spelled in ASCII
  const links = linksOf(supply * asset.basePrice, site, random);
  const urls = (key: string) => links.filter(link => link.type === key).map(link => link.url);
  const paper = random.chance(0.7) ? `${site}/whitepaper` : null;
  const ended = hasEnded(asset, today) ? isoFromDay(asset.ends) : null;
  const sentences = [
    `${name} (${symbol}) is a simulated ${sector.noun} that ${purpose}.`,
    network
      ? `It is a token on ${network}, with a supply of ${supply.toLocaleString('en-US')}.`
      : `Its chain relies on ${proof.toLowerCase()}, with a block every ${random.whole(2, 600)} seconds.`,
    soldPublicly
      ? 'A public sale paid for the first two years.'
      : `Work on it began in ${isoFromDay(started).slice(0, 4)}.`,
    'Everything about it, from its prices to its people, is invented for the demo.',
  ];
  const profile: Profile = {
    ...{ id, name, symbol, rank },
    is_new: today - listed <= NEW_DAYS,
    // What has merely stopped trading is still on the list of the source: its prices show that it is dead.
    is_active: !(ended && asset.delisted),
    type: network ? 'token' : 'coin',
    tags: [...tagNames, network ? `${network} Token` : proof].map(tag => countedTag(tag, soldPublicly, tags)),
    team: random.pickSome(GIVEN_NAMES, random.whole(0, 8)).map((given, i) => {
      const person = `${given} ${random.pick(STEMS)}${random.pick(ENDS)}`;
      return { id: slug(person), name: person, position: i === 0 ? 'Founder' : random.pick(POSITIONS) };
    }),
    description: sentences.join(' '),
    message: ended && `No longer traded: its last simulated price is of ${ended}.`,
    open_source: urls('source_code').length > 0,
    started_at: network && random.chance(0.1) ? null : profileTimeFromDay(started),
    development_status: ended ? 'Discontinued' : random.pick(STATUSES),
    hardware_wallet: random.chance(network ? 0.2 : 0.5),
    proof_type: proof,
    org_structure: random.pick(STRUCTURES),
    hash_algorithm: proof === 'Proof of Work' ? random.pick(ALGORITHMS) : null,
    links: linksByKey(urls),
    links_extended: links,
    whitepaper: { link: paper && `${paper}.pdf`, thumbnail: paper && `${paper}.png` },
    first_data_at: profileTimeFromDay(listed),
  };
  return { profile, extra: { simulated: true, circulating_supply: supply } };
}

/** Large assets have more links, and more people follow them. */
function linksOf(cap: number, site: string, random: Random): Link[] {
  return LINK_TYPES.filter(() => random.chance(cap > 1e9 ? 0.95 : 0.7)).map(type => {
    const stat = FOLLOWERS.get(type);
    const stats = stat && { stats: { [stat]: Math.ceil(Math.sqrt(cap) * random.between(0.2, 2)) } };
    return { url: `${site}/${type}`, type, ...stats };
  });
}
