// Which simulated assets there are on a day. The calendar is fixed: a listing every few days for ever, each with the day of
// its end decided at birth. What was listed before the first day is there from that day on, like the assets chosen by hand.

import { assetId } from '../../domain/asset.ts';
import { type Day, dayFromIso } from '../../domain/day.ts';
import { hash, type Random, randomStream, rounded } from './random.ts';
import { ANIMALS, ENDS, FIRST_WORDS, SECOND_WORDS, SECTORS, type Sector, type SectorId, STEMS } from './words.ts';

/** The first simulated day. Everything is computed forward from it, so that no past day ever changes. */
export const EPOCH: Day = dayFromIso('2020-07-01')!;
/** How far back the source delivers: five and a half years, so that a back-test of five years begins with half a year of closes. */
export const HISTORY_DAYS = 2009;
export const DEFAULT_ASSETS = 700;
/** Days in which as many assets are listed as the universe is meant to have: at 700 assets, one every four days. */
const TURNOVER_DAYS = 2_800;

export interface DemoAsset {
  readonly seed: number;
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly sector: Sector;
  /** What stands after "a simulated … that". */
  readonly purpose: string;
  /** US dollars around which the price moves, and the circulating units. */
  readonly basePrice: number;
  readonly supply: number;
  readonly listed: Day;
  /** The day of its last bar. */
  readonly ends: Day;
  /** Once it has ended, its source takes it off the list. */
  readonly delisted: boolean;
  /** How strongly its price follows the market and its sector; 0 for a pegged or a fixed price. */
  readonly beta: number;
  /** The daily deviation of its own noise, and the share of that noise that is drawn back per day. */
  readonly noise: number;
  readonly pull: number;
  /** Days are missing from its series, or it loses its peg every few years. */
  readonly quirk: 'gaps' | 'breaks' | null;
}

/** A fiat currency of no country, so that prices can be quoted in something else than dollars and assets. */
export function crown([first]: readonly DemoAsset[]): DemoAsset {
  if (first === undefined) throw new RangeError('the universe has no assets');
  const { sector, listed, ends } = first;
  return {
    ...{
      seed: 0x63726e,
      id: 'crn-crown',
      symbol: 'CRN',
      name: 'Crown',
      purpose: 'is a currency',
      sector,
      listed,
      ends,
    },
    ...{ basePrice: 1.12, supply: 0, delisted: false, beta: 0, noise: 0.003, pull: 0.004, quirk: null },
  };
}

/** `price` is in US dollars, `cap` the market capitalisation at that price; `own` is what is not as usual. */
type Row = readonly [symbol: string, name: string, SectorId, price: number, cap: number, own?: Partial<DemoAsset>];

/** Chosen by hand: networks that tokens live on, stablecoins, and one of each case that a screener must cope with. They stay. */
const CAST: readonly Row[] = [
  // The price near 1e5.
  ['ALDM', 'Aldermoor', 'payments', 96_000, 4.8e11],
  ['VELR', 'Veloria', 'platforms', 2_900, 2.1e11],
  ['KSTL', 'Kestrel Network', 'platforms', 148, 6.4e10],
  ['TSDR', 'Tessandra', 'platforms', 0.62, 2.2e10],
  ['HRBD', 'Harbor Dollar', 'stable', 1, 8.6e10],
  ['NLEU', 'Northlight Euro', 'stable', 1.08, 3.5e8],
  ['BRND', 'Brindle Dollar', 'stable', 1, 1.2e9],
  // A price that never moves, a price near 1e-9, and a series with days missing.
  ['STWN', 'Stillwater Note', 'lending', 0.25, 5e6],
  ['DSPW', 'Dust Sparrow', 'memes', 1.2e-9, 4.1e8],
  ['PWRL', 'Patchwork Relay', 'storage', 0.73, 4.6e7],
  // Tickers with digits, and with letters beyond A-Z.
  ['9HBR', 'Ninth Harbor', 'exchanges', 3.1, 1.7e9],
  ['7', 'Seven Bells', 'games', 1.35, 2.4e8],
  ['ΛMB', 'Lambent Isle', 'oracles', 12.6, 6.3e8],
  ['ЖАРВ', 'Жаровей', 'energy', 0.43, 1.1e8],
  ['青叶', 'Qingye Grove', 'storage', 5.7, 3.8e8],
  ['हिम', 'Himdhara', 'energy', 0.91, 5.4e7],
  // One ticker, several assets.
  ['TILO', 'Tilosa', 'payments', 41, 2.8e9],
  ['TILO', 'Tiloran Finance', 'lending', 0.37, 7.5e7],
  ['TILO', 'Tilo the Otter', 'memes', 6.4e-6, 9.8e6],
  ['VARH', 'Varholt', 'exchanges', 66, 8.8e8],
  ['VARH', 'Variable Hour', 'art', 0.21, 1.3e7],
];

/** What is not as usual about some of them, by ticker. */
const OWN: Readonly<Record<string, Partial<DemoAsset>>> = {
  ALDM: { beta: 0.7, noise: 0.01, pull: 0.01, purpose: 'was made for saving' },
  NLEU: { purpose: 'follows the euro, not the dollar' },
  BRND: { quirk: 'breaks', purpose: 'has lost its peg more than once, and found it again' },
  STWN: { beta: 0, noise: 0, purpose: 'is redeemed at one price, which never moves' },
  DSPW: { pull: 0.01 },
  PWRL: { quirk: 'gaps', purpose: 'rests now and then, and has no price on such a day' },
};

/** Names of those that tokens live on, the most popular first. */
export const NETWORKS = CAST.filter(([, , sector]) => sector === 'platforms').map(([, name]) => name);

/** The assets with bars in the five and a half years up to `today`: about `size` active ones, and half as many dead. */
export function universe(today: Day, size: number = DEFAULT_ASSETS): DemoAsset[] {
  const taken = new Set(CAST.flatMap(([symbol, name]) => [name, symbol]));
  const assets: DemoAsset[] = [];
  for (let number = 0; ; number++) {
    const listed = EPOCH - 1_620 + Math.floor((number * TURNOVER_DAYS) / size);
    if (listed > today) break;
    const random = randomStream(hash(36, number));
    assets.push(newAsset(random, listed, CAST[number] ?? newRow(random, listed, taken)));
  }
  return assets.filter(({ ends }) => ends >= EPOCH && ends > today - HISTORY_DAYS);
}

/** Whether on that day its last close is too old for an active asset. */
export function hasEnded(asset: DemoAsset, today: Day): boolean {
  return asset.ends < today - 7;
}

function newAsset(random: Random, listed: number, row: Row): DemoAsset {
  const [symbol, name, sectorId, basePrice, cap, own = OWN[symbol]] = row;
  const sector = SECTORS.find(({ id }) => id === sectorId)!;
  return {
    ...{ seed: random.next(), id: assetId(symbol, name), symbol, name, sector, basePrice },
    purpose: random.pick(sector.purposes),
    supply: Math.round(cap / basePrice),
    listed: Math.max(EPOCH, listed) as Day, // whole days after a day are a day
    ends: (EPOCH + 1e6) as Day, // longer than the demo will run
    beta: sector.beta * random.between(0.85, 1.15),
    noise: sector.noise * random.between(0.65, 1.35),
    pull: sector.beta === 0 ? 0.4 : 1 / random.between(150, 900),
    ...{ delisted: false, quirk: null },
    ...own,
  };
}

/** An asset like those chosen by hand, except that it ends. */
function newRow(random: Random, listed: number, taken: Set<string>): Row {
  const sector = random.pick(SECTORS.filter(({ beta }) => beta > 0));
  const name = newName(sector, random, taken);
  const price = rounded(random.between(1, 10) * 10 ** (random.whole(-2, 1) - (sector.id === 'memes' ? 4 : 0)));
  // Capitalisations follow a power law.
  const place = 10 + 1_000 * random.between(0, 1) * random.between(0, 1);
  const cap = 2.4e11 / (place * Math.sqrt(place));
  const ends = (listed + (random.chance(0.15) ? random.whole(40, 400) : random.whole(900, 5_500))) as Day;
  const delisted = random.chance(0.3);
  const quirk = random.chance(0.04) ? 'gaps' : null;
  return [newTicker(name, taken), name, sector.id, price, cap, { ends, delisted, quirk }];
}

/** Coined, or of two plain words; memes are animals. No two names share these. */
function newName({ id, words }: Sector, random: Random, taken: Set<string>): string {
  for (;;) {
    const isCoined = id !== 'memes' && random.chance(0.55);
    const [first, second] = [random.pick(FIRST_WORDS), random.pick(id === 'memes' ? ANIMALS : SECOND_WORDS)];
    const root = isCoined ? random.pick(STEMS) + random.pick(ENDS) : `${first} ${second}`;
    if (taken.has(root)) continue;
    taken.add(root);
    return random.chance(isCoined ? 0.5 : 0.1) ? `${root} ${random.pick(words)}` : root;
  }
}

/** The consonants of the name, which spell no word; the first letter may be a vowel. A number follows when they are taken. */
function newTicker(name: string, taken: Set<string>): string {
  const letters = name.toUpperCase().replace(/(?<!^)[^B-DF-HJ-NP-TV-Z]/g, '');
  let ticker = letters.slice(0, 2) + letters.slice(-2);
  for (let i = 2; taken.has(ticker); i++) ticker = letters.slice(0, 3) + i;
  taken.add(ticker);
  return ticker;
}
