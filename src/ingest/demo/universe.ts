// Which simulated assets there are on a day. The calendar is fixed: founders on the first day, then a listing every few
// days for ever, each with the day of its end decided at birth. So on any day there are newcomers, survivors and dead.

import { assetId } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import { type Behaviour, CAST, type CastMember } from './cast.ts';
import { EPOCH } from './market.ts';
import { hash, Random, rounded } from './random.ts';
import { SECTORS, type Sector, sectorOf } from './sectors.ts';
import { ANIMALS, ENDS, FIRST_WORDS, MOODS, SECOND_WORDS, STEMS } from './words.ts';

export interface DemoAsset {
  readonly seed: number;
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  /** The name in a-z and 0-9, as links spell it. */
  readonly host: string;
  readonly sector: Sector;
  readonly type: 'coin' | 'token';
  /** Days of the first and the last bar; null for an asset that stays. */
  readonly listed: Day;
  readonly ends: Day | null;
  /** Days over which it withers before its end. */
  readonly withers: number;
  /** Its end is that its source takes it off the list, prices or not. */
  readonly delisted: boolean;
  readonly gaps: boolean;
  readonly basePrice: number;
  /** Circulating units. */
  readonly supply: number;
  readonly behaviour: Behaviour;
  /** What was chosen by hand, null for a generated asset. */
  readonly cast: CastMember | null;
}

/** How far back the source delivers: five and a half years, so that a back-test of five years begins with half a year of closes. */
export const HISTORY_DAYS = 2009;
export const DEFAULT_ASSETS = 700;

const SEED = 8_128;
const FOUNDERS_SHARE = 4 / 7;
/** Days in which as many assets are listed as the universe is meant to have: at 700 assets, one every four days. */
const TURNOVER_DAYS = 2_800;
const LARGEST_GENERATED_CAP = 2.4e11;

/**
 * The assets with bars in the five and a half years up to `today`, in the order of their listing: about `size` of them in 2026, and half
 * as many more once the dead have gathered.
 */
export function universe(today: Day, size: number = DEFAULT_ASSETS): DemoAsset[] {
  const taken = new Set(CAST.flatMap(({ name, symbol }) => [name, symbol]));
  const assets = CAST.map((member, position) => fromCast(member, hash(SEED, position)));
  const founders = Math.max(CAST.length, Math.round(size * FOUNDERS_SHARE));
  for (let place = 1; place <= founders - CAST.length; place++) {
    const random = new Random(hash(SEED + 1, place));
    // The largest stay.
    const life = place <= 60 || random.chance(0.7) ? null : random.whole(200, 3_000);
    assets.push(generated(random, taken, EPOCH, life, place + 3));
  }
  for (let number = 0; ; number++) {
    const slot = EPOCH + 1 + Math.floor((number * TURNOVER_DAYS) / size);
    if (slot > today) break;
    const random = new Random(hash(SEED + 2, number));
    const life = random.chance(0.2) ? random.whole(40, 400) : random.whole(550, 2_900);
    const luck = random.between(0, 1);
    // A day plus whole days is a day.
    assets.push(generated(random, taken, (slot + random.whole(0, 1)) as Day, life, 30 + 4_000 * luck * luck));
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

export function hostOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function fromCast(cast: CastMember, seed: number): DemoAsset {
  const { symbol, name, type, behaviour, price, cap, gaps = false, host = hostOf(name) } = cast;
  const supply = rounded(cap / price, 4);
  const stays = { listed: EPOCH, ends: null, withers: 0, delisted: false };
  const sector = sectorOf(cast.sector);
  return {
    seed,
    id: assetId(symbol, name),
    symbol,
    name,
    host,
    sector,
    type,
    gaps,
    basePrice: price,
    supply,
    behaviour,
    cast,
    ...stays,
  };
}

/** `place` orders assets by size: capitalisations follow a power law. */
function generated(random: Random, taken: Set<string>, listed: Day, life: number | null, place: number): DemoAsset {
  const sector = random.weighted(SECTORS);
  const name = newName(sector, random, taken);
  const symbol = newTicker(name, taken);
  const [lowest, highest] = sector.id === 'memes' ? [-7, -2] : [-2, 1];
  const basePrice = rounded(random.between(1, 10) * Number(`1e${random.whole(lowest!, highest!)}`), 6);
  return {
    seed: random.next(),
    id: assetId(symbol, name),
    symbol,
    name,
    host: hostOf(name),
    sector,
    type: random.chance(sector.coins) ? 'coin' : 'token',
    listed,
    ends: life === null ? null : ((listed + life) as Day), // As above.
    withers: life === null ? 0 : Math.round(life * random.between(0.1, 0.4)),
    delisted: life !== null && random.chance(0.3),
    gaps: random.chance(0.04),
    basePrice,
    supply: rounded(LARGEST_GENERATED_CAP / (place * Math.sqrt(place)) / basePrice, 4),
    behaviour: {
      kind: 'floating',
      beta: sector.beta * random.between(0.85, 1.15),
      noise: sector.noise * random.between(0.65, 1.35),
      pull: 1 / random.between(150, 900),
    },
    cast: null,
  };
}

/** Coined, or of two plain words; memes are animals. Once these run out, names get another word. */
function newName(sector: Sector, random: Random, taken: Set<string>): string {
  for (let tries = 0; ; tries++) {
    const coined = random.pick(STEMS) + random.pick(ENDS);
    const [first, second] = sector.id === 'memes' ? [MOODS, ANIMALS] : [FIRST_WORDS, SECOND_WORDS];
    const plain = `${random.pick(first)} ${random.pick(second)}`;
    const short = sector.id !== 'memes' && random.chance(0.55) ? coined : plain;
    const name = random.chance(short === coined ? 0.5 : 0.1) ? `${short} ${random.pick(sector.words)}` : short;
    const full = tries < 50 ? name : `${random.pick(FIRST_WORDS)} ${name}`;
    // `Kestoria Swap` and `Kestoria Vault` would look related: a coined word is used once.
    const key = tries < 50 && short === coined ? coined : full;
    if (taken.has(key)) continue;
    taken.add(key);
    return full;
  }
}

/** The consonants of the name, which spell no word; the first letter may be a vowel. A number follows when they are taken. */
function newTicker(name: string, taken: Set<string>): string {
  const letters = name.toUpperCase().replace(/(?<!^)[^B-DF-HJ-NP-TV-Z]/g, '');
  for (let i = 0; ; i++) {
    const end = letters.slice(2 + i, 4 + i);
    const ticker = end.length === 2 ? letters.slice(0, 2) + end : `${letters.slice(0, 3)}${i}`;
    if (taken.has(ticker)) continue;
    taken.add(ticker);
    return ticker;
  }
}
