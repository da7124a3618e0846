// The market that random queries are asked of, from a seed: ties, nulls, gaps, shared and awkward tickers, inactive assets, histories from
// one day to more than a year, a few assets with hours and minutes, and a currency that rests at weekends, begins later and has a hole.

import assert from 'node:assert/strict';
import { assetId } from '../../src/domain/asset.ts';
import { barColumns } from '../../src/domain/bar.ts';
import { type Day, dayFromIso, isoFromDay } from '../../src/domain/day.ts';
import { FIAT } from '../../src/domain/quote.ts';
import { parseProfile } from '../../src/ingest/profiles/parse-profile.ts';
import type { AssetRef, Source, SourceItem } from '../../src/ingest/source.ts';
import { Chance } from '../contract/query/chance.ts';
import type { Bars } from '../support/oracle/bars.ts';
import { BASES, type Base, DAY, millisOf } from './periods.ts';
import { type BaseBars, storedBars } from './view-bars.ts';

export const TODAY: Day = dayFromIso('2026-03-10')!;
const LONGEST = 430;
const TAGS = ['defi', 'layer-1', 'meme', 'Proof-of-Work', 'naïve', 'it-s'];
const TYPES = ['coin', 'token', 'Coin'];
const TICKERS = [
  'BTC',
  'eth',
  'Éa',
  'ß',
  'x,y',
  '=1',
  '币',
  '𝔅IG',
  'A',
  'tide',
  'TIDE',
  "O'X",
  ' SP ',
  'null',
  '1e5',
  'ﬁX',
  'EUR',
];
const NAMES = ['Coin', 'Straße', 'Ｆｕｌｌ', 'İstanbul', 'Bit, Coin', '币安', "It's", 'Alpha Beta'];

export interface AgreeAsset {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly type: string | null;
  readonly rank: number | null;
  readonly supply: number | null;
  readonly delisted: boolean;
  /** As they are loaded. */
  readonly loaded: Partial<BaseBars>;
  /** With the hours and days that are made of them. */
  readonly bars: BaseBars;
}

export interface AgreeQuote {
  /** As a request may write it. */
  readonly names: readonly string[];
  readonly bars: BaseBars;
}

export interface AgreeMarket {
  /** Without the currency, which is not listed. */
  readonly assets: readonly AgreeAsset[];
  /** The first name of each is its key. */
  readonly quotes: readonly AgreeQuote[];
  readonly source: Source;
  /** Days to ask for, also before the first close. */
  readonly days: readonly string[];
  /** Times within the hours and the minutes. */
  readonly times: Readonly<Record<'1m' | '1h', readonly string[]>>;
}

/** Assets with hours; half of them have minutes too. */
const FINE_ASSETS = 14;
/** Minutes of the last hours are all that there is of these hours; and the last days of some assets are hours alone. */
const SPANS = {
  '1h': { end: '18:00', count: 150 },
  '1m': { end: '20:30', count: 330 },
} as const;

export function agreeMarket(seed: number, size: number): AgreeMarket {
  const chance = new Chance(seed);
  const assets = Array.from({ length: size }, (_, i) => randomAsset(i, chance));
  const days = Array.from({ length: 12 }, () => isoFromDay((TODAY - chance.below(LONGEST)) as Day)); // a day since 1970
  const euro = currency(chance);
  const timesOf = (base: '1m' | '1h') =>
    Array.from({ length: 10 }, () => {
      const last = fineEnd(base, TODAY) - chance.below(SPANS[base].count + 5);
      return new Date(last * millisOf(base) + chance.pick([0, 0, 30_000, 59_999]))
        .toISOString()
        .replace(/:00\.000/, '');
    });
  return {
    assets,
    quotes: [{ names: ['EUR', 'eur', euro.id], bars: euro.bars }, ...quoteAssets(assets, chance)],
    source: sourceOf(assets, euro),
    days: [...days, isoFromDay(TODAY), isoFromDay((TODAY - LONGEST - 5) as Day)],
    times: { '1h': timesOf('1h'), '1m': timesOf('1m') },
  };
}

/** The benchmark, the asset that begins later, and any other. */
function quoteAssets(assets: readonly AgreeAsset[], chance: Chance): AgreeQuote[] {
  const chosen = [assets[0]!, assets[1]!, assets[2 + chance.below(assets.length - 2)]!];
  const isUnique = ({ symbol }: AgreeAsset) =>
    assets.filter(other => other.symbol.toUpperCase() === symbol.toUpperCase()).length === 1 &&
    symbol !== 'EUR' &&
    symbol === symbol.trim();
  return chosen.map(asset => ({
    names: [asset.id, ...(isUnique(asset) ? [asset.symbol, asset.symbol.toLowerCase()] : [])],
    bars: asset.bars,
  }));
}

function randomAsset(index: number, chance: Chance): AgreeAsset {
  // The benchmark is always there, and an asset that begins later; one in eight shares a ticker or has an awkward one.
  const symbol = index === 0 ? 'BTC' : index > 1 && chance.happens(0.2) ? chance.pick(TICKERS) : `T${index}`;
  const name = `${chance.pick(NAMES)} ${index}`;
  const length =
    index === 0 ? LONGEST : index === 1 ? 120 : chance.pick([1, 2, 5, 8, 20, 31, 60, 120, 200, 370, LONGEST]);
  const age = index < 2 ? 0 : chance.pick([0, 0, 0, 0, 0, 1, 3, 7, 8, 40]);
  const days = Array.from({ length }, (_, i) => TODAY - age - (length - 1 - i)).filter(
    (_, i) => i === 0 || i === length - 1 || index === 0 || !chance.happens(0.05),
  );
  const facts = {
    id: assetId(symbol, name),
    symbol,
    name,
    tags: [...new Set(chance.some(TAGS, 3))],
    type: chance.happens(0.2) ? null : chance.pick(TYPES),
    rank: chance.happens(0.3) ? null : 1 + chance.below(30),
    supply: chance.happens(0.4) ? null : chance.pick([1, 21e6, 1e9, 123_456.5]),
    delisted: index > 1 && chance.happens(0.06),
  };
  const daily = barsOn(days, chance);
  // What is delisted is not traded after its last day.
  const loaded = { '1d': daily, ...fineBars(index, facts.delisted ? days.at(-1)! : TODAY, chance) };
  return { ...facts, loaded, bars: storedBars(loaded) };
}

/** Ages around 48 periods, from which on an asset is inactive; the newest two hours are made of minutes. */
const AGES = [0, 0, 0, 5, 45, 46, 47, 48, 49, 70];

/** Of the benchmark all hours and minutes; of the second asset hours that begin later; of some others, with gaps and different ends. */
function fineBars(index: number, lastDay: number, chance: Chance): Partial<BaseBars> {
  if (index >= FINE_ASSETS) return {};
  const bases = index === 1 || index % 2 === 1 ? (['1h'] as const) : (['1h', '1m'] as const);
  const entries = bases.map(base => {
    const { count } = SPANS[base];
    const [length, age] =
      index === 0 ? [count, 0] : index === 1 ? [60, 0] : [chance.pick([1, 3, 30, 100, count]), chance.pick(AGES)];
    const end = fineEnd(base, lastDay) - age;
    const periods = Array.from({ length }, (_, i) => end - (length - 1 - i));
    const kept = periods.filter((_, i) => index === 0 || i === 0 || i === length - 1 || !chance.happens(0.15));
    return [base, barsOn(kept, chance)] as const;
  });
  return Object.fromEntries(entries);
}

function fineEnd(base: '1m' | '1h', day: number): number {
  return Date.parse(`${isoFromDay(day as Day)}T${SPANS[base].end}Z`) / millisOf(base); // a day since 1970
}

/** Without weekends and without twelve days. */
function currency(chance: Chance): AgreeAsset {
  const hole = 20 + chance.below(200);
  const isOpen = (day: number) => {
    const ago = TODAY - day;
    return !isWeekend(day) && !(ago >= hole && ago < hole + 12);
  };
  const first = TODAY - 300 - chance.below(50);
  const days = Array.from({ length: TODAY - first + 1 }, (_, i) => first + i).filter(isOpen);
  const periods = (base: '1m' | '1h', skipped: number) =>
    Array.from({ length: SPANS[base].count - skipped }, (_, i) => fineEnd(base, TODAY) - i)
      .reverse()
      .filter(period => isOpen(Math.floor((period * millisOf(base)) / DAY)) && !chance.happens(0.1));
  const rates = (all: readonly number[]) => {
    let cents = 110;
    const close = all.map(() => {
      cents = Math.min(130, Math.max(90, cents + chance.below(3) - 1));
      return cents / 100;
    });
    return barsOn(all, chance, close);
  };
  const loaded = { '1d': rates(days), '1h': rates(periods('1h', 20)), '1m': rates(periods('1m', 40)) };
  return {
    ...{ id: 'eur-euro', symbol: 'EUR', name: 'Euro', tags: [], type: FIAT, rank: null, supply: null, delisted: false },
    ...{ loaded, bars: storedBars(loaded) },
  };
}

/** 1970-01-01 is a Thursday. */
function isWeekend(day: number): boolean {
  return day % 7 === 2 || day % 7 === 3;
}

/** Some assets have closes alone, others lack a bar here and there. */
function barsOn(periods: readonly number[], chance: Chance, close = closesOf(periods.length, chance)): Bars {
  const full = chance.happens(0.2) ? periods.map(() => false) : periods.map((_, i) => i > 0 && !chance.happens(0.02));
  const where = (value: (i: number) => number) => periods.map((_, i) => (full[i] ? value(i) : null));
  const open = (i: number) => close[i - 1] ?? close[i]!;
  return {
    day: periods,
    open: where(open),
    high: where(i => Math.max(close[i]!, open(i)) * (1 + (periods[i]! % 3) / 100)),
    low: where(i => Math.min(close[i]!, open(i)) * (1 - (periods[i]! % 4) / 100)),
    close,
    // Whole numbers add up alike in any order.
    volume: where(i => (periods[i]! % 7) * 100),
  };
}

/** Steps on a coarse grid, so that prices, changes and averages tie between assets and days. */
function closesOf(count: number, chance: Chance): number[] {
  const unit = chance.pick([1, 1, 1, 0.25, 1e-9, 1e6, 0.1]);
  const moves = chance.pick([[0], [0, 0, 1, -1], [0, 2, -2, 5, -4]]);
  let price = chance.pick([10, 10, 42, 100]);
  return Array.from({ length: count }, () => {
    price = Math.max(1, price + chance.pick(moves));
    return price * unit;
  });
}

function sourceOf(assets: readonly AgreeAsset[], euro: AgreeAsset): Source {
  return {
    name: 'test',
    async *profiles() {
      for (const asset of assets) {
        yield profileItem(asset);
        if (asset.supply !== null) yield listedItem(asset);
      }
      yield listedItem(euro);
    },
    async *bars() {
      for (const asset of [...assets, euro]) for (const base of BASES) yield* barsItems(asset, base);
    },
  };
}

function listedItem({ id, symbol, name, rank, type, supply }: AgreeAsset): SourceItem {
  return { kind: 'asset', asset: { id, symbol, name, rank, type, supply } };
}

function profileItem({ id, symbol, name, tags, type, rank, delisted }: AgreeAsset): SourceItem {
  const parsed = parseProfile({
    ...{ id, symbol, name, rank, type, is_active: !delisted },
    tags: tags.map(tag => ({ id: tag, name: tag, coin_counter: 1, ico_counter: 0 })),
  });
  return 'ok' in parsed ? { kind: 'profile', where: 'test', sourced: parsed.ok } : assert.fail(parsed.problems.join());
}

function barsItems({ id, symbol, type, loaded }: AgreeAsset, interval: Base): SourceItem[] {
  const bars = loaded[interval];
  if (bars === undefined) return [];
  const count = bars.day.length;
  const columns = barColumns(count);
  for (const name of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
    for (const [i, value] of bars[name].entries()) columns[name][i] = value ?? Number.NaN;
  }
  const asset: AssetRef = { id, symbol, ...(type === FIAT ? { type: FIAT } : {}) };
  const batch = {
    ...columns,
    count,
    assets: [asset],
    asset: new Uint32Array(count),
    interval,
    origin: 'test',
    line: Uint32Array.from(bars.day, (_, i) => i + 1),
  };
  return [{ kind: 'bars', batch }];
}
