// The profile records of a simulated universe.

import { type Day, isoFromDay } from '../../domain/day.ts';
import type { Profile } from '../../domain/profile.ts';
import { descriptionOf } from './description.ts';
import { type Facts, factsOf, type Security } from './facts.ts';
import { grouped, linksOf, whitepaperOf } from './links.ts';
import type { Market } from './market.ts';
import { priceOn } from './prices.ts';
import { hash, Random } from './random.ts';
import { countTags, tagIdsOf } from './tags.ts';
import { teamOf } from './team.ts';
import { type DemoAsset, hasEnded, isDelisted } from './universe.ts';

/** Days after the listing during which an asset counts as new. */
const NEW_DAYS = 5;

/** One profile for each asset, in the same order. */
export function profilesOf(assets: readonly DemoAsset[], market: Market, today: Day): Profile[] {
  const ranks = ranksOf(assets, market, today);
  const tagged = assets.map(asset => {
    const facts = factsOf(asset);
    return { asset, facts, tagIds: tagIdsOf(asset, facts) };
  });
  const tags = countTags(tagged);
  return tagged.map(({ asset, facts, tagIds }) => ({
    id: asset.id,
    name: asset.name,
    symbol: asset.symbol,
    rank: ranks.get(asset)!,
    is_new: today - asset.listed < NEW_DAYS,
    // What has merely stopped trading is still on the list of the source: its prices tell that it is dead.
    is_active: !isDelisted(asset, today),
    type: asset.coin ? 'coin' : 'token',
    tags: tagIds.map(id => tags.get(id)!),
    team: teamOf(asset),
    description: descriptionOf(asset, facts, hasEnded(asset, today)),
    message: messageOf(asset, today),
    open_source: facts.openSource,
    started_at: facts.started === null ? null : time(facts.started),
    ...developmentOf(asset, facts, today),
    ...linked(asset, facts),
    first_data_at: time(asset.listed),
  }));
}

/** By market capitalisation on the day; what is no longer traded comes after all that is. */
function ranksOf(assets: readonly DemoAsset[], market: Market, today: Day): ReadonlyMap<DemoAsset, number> {
  return new Map(
    assets
      .map(asset => ({ asset, ended: hasEnded(asset, today), cap: asset.supply * priceOn(asset, market, today) }))
      .sort((a, b) => Number(a.ended) - Number(b.ended) || b.cap - a.cap)
      .map(({ asset }, position) => [asset, position + 1]),
  );
}

function messageOf(asset: DemoAsset, today: Day): string | null {
  if (asset.ends === null || !hasEnded(asset, today)) return null;
  return asset.delisted
    ? `Taken off the list by the demo source after ${isoFromDay(asset.ends)}.`
    : `No longer traded: its last simulated price is of ${isoFromDay(asset.ends)}.`;
}

type Development = Pick<
  Profile,
  'development_status' | 'hardware_wallet' | 'proof_type' | 'org_structure' | 'hash_algorithm'
>;

function developmentOf(asset: DemoAsset, facts: Facts, today: Day): Development {
  const random = new Random(hash(asset.seed, 7));
  const status = random.pick(STATUSES);
  const structure = random.pick(STRUCTURES);
  const known = asset.sector.id !== 'memes' || random.chance(0.3);
  return {
    development_status: hasEnded(asset, today) ? 'Discontinued' : known ? status : null,
    hardware_wallet: random.chance(facts.size > 1e9 ? 1 : asset.coin ? 0.4 : 0.2),
    proof_type: PROOFS[facts.security.kind](facts.security),
    org_structure: asset.sector.id === 'stable' ? 'Centralized' : known ? structure : null,
    hash_algorithm: facts.security.kind === 'work' ? facts.security.algorithm : null,
  };
}

const PROOFS: Readonly<Record<Security['kind'], (security: Security) => string>> = {
  work: () => 'Proof of Work',
  stake: security => (security.kind === 'stake' && security.delegated ? 'Delegated Proof of Stake' : 'Proof of Stake'),
  token: () => 'Not mineable',
};

const STATUSES = ['Working product', 'Working product', 'Working product', 'Beta version', 'Alpha version', 'On hold'];
const STRUCTURES = ['Decentralized', 'Decentralized', 'Semi-centralized', 'Centralized', null];

function linked(asset: DemoAsset, facts: Facts): Pick<Profile, 'links' | 'links_extended' | 'whitepaper'> {
  const links = linksOf(asset, facts);
  return { links: grouped(links), links_extended: links, whitepaper: whitepaperOf(asset) };
}

function time(day: Day): string {
  return `${isoFromDay(day)}T00:00:00Z`;
}
