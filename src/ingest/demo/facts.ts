// What is made up of an asset besides its prices, once for its whole life: how it is secured, where it lives, when it
// began. Its description, tags and links all follow from these, so that they agree with each other.

import type { Day } from '../../domain/day.ts';
import { type CastMember, NETWORKS } from './cast.ts';
import { EPOCH } from './market.ts';
import { hash, Random } from './random.ts';
import type { DemoAsset } from './universe.ts';
import { HASH_ALGORITHMS } from './words.ts';

/** A token has no consensus of its own: it lives on another network. */
export type Security =
  | { readonly kind: 'work'; readonly algorithm: string; readonly minutes: number }
  | { readonly kind: 'stake'; readonly delegated: boolean; readonly validators: number; readonly seconds: number }
  | { readonly kind: 'token'; readonly network: CastMember };

export interface Facts {
  readonly security: Security;
  /** Null where nobody remembers. */
  readonly started: Day | null;
  readonly publicSale: boolean;
  readonly openSource: boolean;
  readonly purpose: string;
  /** Base capitalisation in US dollars: how much attention it gets. */
  readonly size: number;
}

export function factsOf(asset: DemoAsset): Facts {
  const random = new Random(hash(asset.seed, 1));
  const casual = asset.sector.id === 'memes';
  const security = securityOf(asset, random);
  return {
    security,
    started: !asset.cast?.network && random.chance(casual ? 0.4 : 0.06) ? null : startOf(asset, random),
    publicSale: asset.sector.id !== 'stable' && random.chance(security.kind === 'work' ? 0.05 : 0.45),
    openSource: random.chance(casual ? 0.3 : 0.85),
    purpose: asset.cast?.purpose ?? random.pick(asset.sector.purposes),
    size: asset.basePrice * asset.supply,
  };
}

function securityOf(asset: DemoAsset, random: Random): Security {
  if (!asset.coin) {
    // Each network has about twice the tokens of the next.
    const position = NETWORKS.findIndex(() => random.chance(0.5));
    return { kind: 'token', network: NETWORKS[Math.max(0, position)]! };
  }
  const often = asset.sector.id === 'payments' || asset.sector.id === 'privacy';
  if (asset.cast?.mined ?? random.chance(often ? 0.65 : 0.15)) {
    return { kind: 'work', algorithm: random.pick(HASH_ALGORITHMS), minutes: random.pick([1, 2, 3, 5, 8, 10]) };
  }
  const delegated = random.chance(0.35);
  return {
    kind: 'stake',
    delegated,
    validators: delegated ? random.pick([21, 27, 45, 101]) : random.whole(8, 400) * 10,
    seconds: random.pick([1, 2, 3, 4, 6, 12]),
  };
}

/** Work on a project begins before its first price: years before, for the founders, and no token is older than its network. */
function startOf(asset: DemoAsset, random: Random): Day {
  const before = asset.listed === EPOCH ? random.whole(...FOUNDERS_AGE[roleOf(asset)]) : random.whole(10, 500);
  // A day less whole days is a day, as none reaches back to 1970.
  return (asset.listed - before) as Day;
}

/** In days on the first day of the calendar. */
const FOUNDERS_AGE: Readonly<Record<ReturnType<typeof roleOf>, readonly [number, number]>> = {
  network: [2_400, 2_900],
  coin: [60, 2_900],
  token: [60, 2_300],
};

function roleOf(asset: DemoAsset): 'network' | 'coin' | 'token' {
  if (asset.cast?.network) return 'network';
  return asset.coin ? 'coin' : 'token';
}
