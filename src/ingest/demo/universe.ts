// Which simulated assets there are on a day. The calendar is fixed: founders on the first day, then a listing every few
// days for ever, each with the day of its end decided at birth. So on any day there are newcomers, survivors and dead.

import { assetId } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import { CAST, type Motion, type Particulars } from './cast.ts';
import { EPOCH } from './market.ts';
import { hash, Random, rounded } from './random.ts';
import { SECTORS, type Sector } from './sectors.ts';
import { ANIMALS, ENDS, FIRST_WORDS, MOODS, SECOND_WORDS, STEMS } from './words.ts';

export interface DemoAsset extends Motion, Particulars {
  readonly seed: number;
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly sector: Sector;
  readonly type: 'coin' | 'token';
  /** US dollars around which the price moves, and the circulating units. */
  readonly basePrice: number;
  readonly supply: number;
  readonly listed: Day;
  /** Days of its last bar and of the beginning of its decline; Infinity for an asset that stays. */
  readonly ends: number;
  readonly withers: number;
  /** Its end is that its source takes it off the list, prices or not. */
  readonly delisted: boolean;
}

/** How far back the source delivers: five and a half years, so that a back-test of five years begins with half a year of closes. */
export const HISTORY_DAYS = 2009;
export const DEFAULT_ASSETS = 700;

const SEED = 5;
const FOUNDERS_SHARE = 4 / 7;
/** Days in which as many assets are listed as the universe is meant to have: at 700 assets, one every four days. */
const TURNOVER_DAYS = 2_800;
const LARGEST_GENERATED_CAP = 2.4e11;
const STAYS = Number.POSITIVE_INFINITY;
/** Each as often as its weight says. */
const WEIGHTED_SECTORS = SECTORS.flatMap(sector => Array.from({ length: sector.weight }, () => sector));

/**
 * The assets with bars in the five and a half years up to `today`, in the order of their listing: about `size` of them in 2026, and half
 * as many more once the dead have gathered.
 */
export function universe(today: Day, size: number = DEFAULT_ASSETS): DemoAsset[] {
  const taken = new Set(CAST.flatMap(([, symbol, name]) => [symbol, name]));
  const assets = CAST.map(chosen);
  for (let place = 1; place <= size * FOUNDERS_SHARE - CAST.length; place++) {
    const random = new Random(hash(SEED + 1, place));
    const life = place <= 60 || random.chance(0.7) ? STAYS : random.whole(200, 3_000);
    assets.push(generated(random, taken, EPOCH, life, place + 3));
  }
  for (let number = 0; ; number++) {
    const slot = EPOCH + 1 + Math.floor((number * TURNOVER_DAYS) / size);
    if (slot > today) break;
    const random = new Random(hash(SEED + 2, number));
    const life = random.chance(0.2) ? random.whole(40, 400) : random.whole(550, 2_900);
    // A day plus whole days is a day.
    const listed = (slot + random.whole(0, 1)) as Day;
    assets.push(generated(random, taken, listed, life, 30 + 4_000 * random.between(0, 1) * random.between(0, 1)));
  }
  return assets.filter(asset => asset.listed <= today && asset.ends > today - HISTORY_DAYS);
}

/** Whether on that day its last close is too old for an active asset, or its source has dropped it. */
export function hasEnded(asset: DemoAsset, today: Day): boolean {
  return isDelisted(asset, today) || asset.ends < today - 7;
}

export function isDelisted(asset: DemoAsset, today: Day): boolean {
  return asset.delisted && asset.ends < today;
}

function chosen([type, symbol, name, sectorId, price, cap, motion, more]: (typeof CAST)[number], i: number): DemoAsset {
  return {
    ...{ seed: hash(SEED, i), id: assetId(symbol, name), symbol, name, type },
    sector: SECTORS.find(({ id }) => id === sectorId)!,
    basePrice: price,
    supply: rounded(cap / price, 4),
    ...{ listed: EPOCH, ends: STAYS, withers: STAYS, delisted: false },
    ...motion,
    ...more,
  };
}

/** `place` orders assets by size: capitalisations follow a power law. */
function generated(random: Random, taken: Set<string>, listed: Day, life: number, place: number): DemoAsset {
  const sector = random.pick(WEIGHTED_SECTORS);
  const name = newName(sector, random, taken);
  const symbol = newTicker(name, taken);
  const exponent = sector.id === 'memes' ? random.whole(-7, -2) : random.whole(-2, 1);
  const basePrice = rounded(random.between(1, 10) * Number(`1e${exponent}`), 6);
  return {
    ...{ seed: random.next(), id: assetId(symbol, name), symbol, name, sector },
    type: random.chance(sector.coins) ? 'coin' : 'token',
    basePrice,
    supply: rounded(LARGEST_GENERATED_CAP / (place * Math.sqrt(place)) / basePrice, 4),
    listed,
    ends: listed + life,
    withers: listed + Math.round(life * random.between(0.6, 0.9)),
    delisted: random.chance(0.3),
    gaps: random.chance(0.04),
    beta: sector.beta * random.between(0.85, 1.15),
    noise: sector.noise * random.between(0.65, 1.35),
    pull: 1 / random.between(150, 900),
  };
}

/** Coined, or of two plain words; memes are animals. No two names share these; once they run out, another word comes first. */
function newName(sector: Sector, random: Random, taken: Set<string>): string {
  for (let tries = 0; ; tries++) {
    const isCoined = sector.id !== 'memes' && random.chance(0.55);
    const [first, second] = sector.id === 'memes' ? [MOODS, ANIMALS] : [FIRST_WORDS, SECOND_WORDS];
    const short = isCoined ? random.pick(STEMS) + random.pick(ENDS) : `${random.pick(first)} ${random.pick(second)}`;
    const root = tries < 50 ? short : `${random.pick(FIRST_WORDS)} ${short}`;
    if (taken.has(root)) continue;
    taken.add(root);
    return random.chance(isCoined ? 0.5 : 0.1) ? `${root} ${random.pick(sector.words)}` : root;
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
