// Which simulated assets there are on a day. The calendar is fixed: founders on the first day, then a listing every few
// days for ever, each with the day of its end decided at birth. So on any day there are newcomers, survivors and dead.

import { assetId } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import { powerOf10, significant } from './arithmetic.ts';
import { type Behaviour, CAST, type CastMember } from './cast.ts';
import { EPOCH } from './market.ts';
import { hostOf, Namer } from './names.ts';
import { hash, Random } from './random.ts';
import { SECTORS, type Sector, sectorOf } from './sectors.ts';

export interface DemoAsset {
  readonly seed: number;
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  /** The name in a-z and 0-9, as links spell it. */
  readonly host: string;
  readonly sector: Sector;
  readonly coin: boolean;
  /** Day of the first bar. */
  readonly listed: Day;
  /** Day of the last bar, null for an asset that stays. */
  readonly ends: Day | null;
  /** Days over which it withers before its end. */
  readonly withers: number;
  /** Its end is that its source takes it off the list, prices or not. */
  readonly delisted: boolean;
  readonly gaps: boolean;
  readonly basePrice: number;
  readonly supply: number;
  readonly behaviour: Behaviour;
  /** What was chosen by hand, null for a generated asset. */
  readonly cast: CastMember | null;
}

/** How far back the source delivers: four years. */
export const HISTORY_DAYS = 1461;
export const DEFAULT_ASSETS = 700;

const SEED = 8_128;
const FOUNDERS_SHARE = 4 / 7;
/** Days in which as many assets are listed as the universe is meant to have: at 700 assets, one every four days. */
const TURNOVER_DAYS = 2_800;
const LARGEST_GENERATED_CAP = 2.4e11;

/**
 * The assets with bars in the four years up to `today`, in the order of their listing: about `size` of them in 2026, and half
 * as many more once the dead have gathered.
 */
export function universe(today: Day, size: number = DEFAULT_ASSETS): DemoAsset[] {
  const namer = new Namer();
  for (const member of CAST) namer.take(member.name, member.symbol);
  const assets = CAST.map((member, position) => fromCast(member, hash(SEED, position)));
  const founders = Math.max(CAST.length, Math.round(size * FOUNDERS_SHARE));
  for (let place = 1; place <= founders - CAST.length; place++) assets.push(founder(place, namer));
  for (let number = 0; ; number++) {
    const slot = EPOCH + 1 + Math.floor((number * TURNOVER_DAYS) / size);
    if (slot > today) break;
    assets.push(newcomer(number, slot, namer));
  }
  return assets.filter(asset => asset.listed <= today && (asset.ends === null || asset.ends > today - HISTORY_DAYS));
}

/** Whether on that day its last close is too old for an active asset, or its source has dropped it. */
export function hasEnded(asset: DemoAsset, today: Day): boolean {
  return isDelisted(asset, today) || (asset.ends !== null && asset.ends < today - 7);
}

export function isDelisted(asset: DemoAsset, today: Day): boolean {
  return asset.delisted && asset.ends !== null && asset.ends < today;
}

function fromCast(member: CastMember, seed: number): DemoAsset {
  return {
    seed,
    id: assetId(member.symbol, member.name),
    symbol: member.symbol,
    name: member.name,
    host: member.host ?? hostOf(member.name),
    sector: sectorOf(member.sector),
    coin: member.coin,
    listed: EPOCH,
    ends: null,
    withers: 0,
    delisted: false,
    gaps: member.gaps ?? false,
    basePrice: member.price,
    supply: significant(member.cap / member.price, 4),
    behaviour: member.behaviour,
    cast: member,
  };
}

/** `place` orders the founders by size: their capitalisations follow a power law. */
function founder(place: number, namer: Namer): DemoAsset {
  const random = new Random(hash(SEED + 1, place));
  const cap = LARGEST_GENERATED_CAP / ((place + 3) * Math.sqrt(place + 3));
  // The largest stay.
  const life = place <= 60 || random.chance(0.7) ? null : random.whole(200, 3_000);
  return generated(random, namer, EPOCH, life, cap);
}

function newcomer(number: number, slot: number, namer: Namer): DemoAsset {
  const random = new Random(hash(SEED + 2, number));
  const place = powerOf10(random.between(1.5, 3.6));
  const cap = LARGEST_GENERATED_CAP / (place * Math.sqrt(place));
  // A day plus whole days is a day.
  const listed = (slot + random.whole(0, 1)) as Day;
  const life = random.chance(0.2) ? random.whole(40, 400) : random.whole(550, 2_900);
  return generated(random, namer, listed, life, cap);
}

function generated(random: Random, namer: Namer, listed: Day, life: number | null, cap: number): DemoAsset {
  const sector = random.weighted(SECTORS);
  const name = namer.name(sector, random);
  const symbol = namer.ticker(name, random);
  const basePrice = significant(
    powerOf10(random.between(...PRICE_EXPONENTS[sector.id === 'memes' ? 'meme' : 'usual'])),
    6,
  );
  return {
    seed: random.next(),
    id: assetId(symbol, name),
    symbol,
    name,
    host: hostOf(name),
    sector,
    coin: random.chance(sector.coins),
    listed,
    ends: life === null ? null : ((listed + life) as Day), // As above.
    withers: life === null ? 0 : Math.round(life * random.between(0.1, 0.4)),
    delisted: life !== null && random.chance(0.3),
    gaps: random.chance(0.04),
    basePrice,
    supply: significant(cap / basePrice, 4),
    behaviour: {
      kind: 'floating',
      beta: random.between(...sector.beta),
      noise: random.between(...sector.noise),
      pull: 1 / random.between(150, 900),
    },
    cast: null,
  };
}

/** Powers of ten between which base prices lie. */
const PRICE_EXPONENTS: Readonly<Record<'meme' | 'usual', readonly [number, number]>> = {
  meme: [-7, -1],
  usual: [-2.5, 1.8],
};
