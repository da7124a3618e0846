// The market that random queries are asked of, from a seed: ties, nulls, gaps, shared and awkward tickers, inactive assets, histories from
// one day to more than a year.

import assert from 'node:assert/strict';
import { assetId } from '../../src/domain/asset.ts';
import { barColumns } from '../../src/domain/bar.ts';
import { type Day, dayFromIso, isoFromDay } from '../../src/domain/day.ts';
import { parseProfile } from '../../src/ingest/profiles/parse-profile.ts';
import type { Source, SourceItem } from '../../src/ingest/source.ts';
import { Chance } from '../contract/query/chance.ts';

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
  readonly days: readonly number[];
  readonly closes: readonly number[];
  /** Of the closes; the others have a close alone. */
  readonly fullBars: readonly boolean[];
}

export interface AgreeMarket {
  readonly assets: readonly AgreeAsset[];
  readonly source: Source;
  /** Days to ask for, also before the first close. */
  readonly days: readonly string[];
}

export function agreeMarket(seed: number, size: number): AgreeMarket {
  const chance = new Chance(seed);
  const assets = Array.from({ length: size }, (_, i) => randomAsset(i, chance));
  const days = Array.from({ length: 12 }, () => isoFromDay((TODAY - chance.below(LONGEST)) as Day)); // a day since 1970
  return {
    assets,
    source: sourceOf(assets),
    days: [...days, isoFromDay(TODAY), isoFromDay((TODAY - LONGEST - 5) as Day)],
  };
}

function randomAsset(index: number, chance: Chance): AgreeAsset {
  // The benchmark is always there; one in eight shares a ticker or has an awkward one.
  const symbol = index === 0 ? 'BTC' : chance.happens(0.2) ? chance.pick(TICKERS) : `T${index}`;
  const name = `${chance.pick(NAMES)} ${index}`;
  const length = index === 0 ? LONGEST : chance.pick([1, 2, 5, 8, 20, 31, 60, 120, 200, 370, LONGEST]);
  const age = index === 0 ? 0 : chance.pick([0, 0, 0, 0, 0, 1, 3, 7, 8, 40]);
  const days = Array.from({ length }, (_, i) => TODAY - age - (length - 1 - i)).filter(
    (_, i) => i === 0 || i === length - 1 || index === 0 || !chance.happens(0.05),
  );
  return {
    id: assetId(symbol, name),
    symbol,
    name,
    tags: [...new Set(chance.some(TAGS, 3))],
    type: chance.happens(0.2) ? null : chance.pick(TYPES),
    rank: chance.happens(0.3) ? null : 1 + chance.below(30),
    supply: chance.happens(0.4) ? null : chance.pick([1, 21e6, 1e9, 123_456.5]),
    delisted: index > 0 && chance.happens(0.06),
    days,
    closes: closesOf(days.length, chance),
    fullBars: chance.happens(0.2) ? days.map(() => false) : days.map((_, i) => i > 0 && !chance.happens(0.02)),
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

function sourceOf(assets: readonly AgreeAsset[]): Source {
  return {
    name: 'test',
    async *profiles() {
      for (const asset of assets) {
        yield profileItem(asset);
        const { id, symbol, name, rank, type, supply } = asset;
        if (supply !== null) yield { kind: 'asset', asset: { id, symbol, name, rank, type, supply } };
      }
    },
    async *bars() {
      for (const asset of assets) yield barsItem(asset);
    },
  };
}

function profileItem({ id, symbol, name, tags, type, rank, delisted }: AgreeAsset): SourceItem {
  const parsed = parseProfile({
    ...{ id, symbol, name, rank, type, is_active: !delisted },
    tags: tags.map(tag => ({ id: tag, name: tag, coin_counter: 1, ico_counter: 0 })),
  });
  return 'ok' in parsed ? { kind: 'profile', where: 'test', sourced: parsed.ok } : assert.fail(parsed.problems.join());
}

function barsItem({ id, symbol, days, closes, fullBars }: AgreeAsset): SourceItem {
  const columns = barColumns(days.length);
  for (const [i, day] of days.entries()) {
    const close = closes[i]!; // as many as days
    columns.day[i] = day;
    columns.close[i] = close;
    if (!fullBars[i]) continue;
    columns.open[i] = closes[i - 1] ?? close;
    columns.high[i] = Math.max(close, columns.open[i]!) * (1 + (day % 3) / 100);
    columns.low[i] = Math.min(close, columns.open[i]!) * (1 - (day % 4) / 100);
    columns.volume[i] = (day % 7) * 100;
  }
  return {
    kind: 'bars',
    batch: {
      ...columns,
      count: days.length,
      assets: [{ id, symbol }],
      asset: new Uint32Array(days.length),
      interval: '1d',
      origin: 'test',
      line: Uint32Array.from(days, (_, i) => i + 1),
    },
  };
}
