// Random stores as a snapshot sees them, and the listings that plain code over plain objects makes of them.

import type { Asset } from '../../src/domain/asset.ts';
import { OPTIONAL_COLUMNS, PUBLISHED_COLUMNS } from '../../src/domain/catalogue.ts';
import { type Day, dayFromIso, profileTimeFromDay, timestampFromDay } from '../../src/domain/day.ts';
import { startOfPeriod } from '../../src/domain/interval.ts';
import type { Table } from '../../src/snapshot/table.ts';
import type { CurrentRow } from '../../src/store/store.ts';

export interface Market {
  readonly assets: readonly Asset[];
  readonly rows: readonly CurrentRow[];
  readonly now: number;
}

export type Plain = Record<string, string | number | boolean | null>;

export const TODAY: Day = dayFromIso('2026-03-10')!;
export const NOW = TODAY * 86_400_000 + 12_345;

export type Random = () => number;

/** Doubles in [0, 1) from a seed (mulberry32). */
export function uniform(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

/** Tickers that break careless code: CSV, JSON, formulas, code point order, case. */
export const NASTY_TICKERS = [
  'A"B',
  'A,B',
  'A\r\nB',
  'A\nB',
  '=1+1',
  '+X',
  '-X',
  '@X',
  '\tX',
  '\rX',
  "'X",
  "'=X",
  '＝X',
  '＠X',
  ' X ',
  '\\',
  'NULL',
  'null',
  '1e5',
  '𝔅TC',
  '\uffeeX',
  'БИТ',
  '币安',
  'क्रिप्टो',
  '🚀',
  '🚀"🌕',
  '\u0001\u001f\u007f',
  '\u2028',
  'toString',
  '__proto__',
] as const;

const COMMON_VALUES = [
  0,
  1,
  -1,
  Number.NaN,
  5e-324,
  1e21,
  1e-7,
  123456789012345680000,
  Number.MAX_VALUE,
  -5.5,
  2 ** 53,
];

/** Any finite double, or null; often one of a few, so that there are ties. */
export function anyValue(random: Random): number {
  if (random() < 0.4) return pick(random, COMMON_VALUES);
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, random() * 2 ** 32);
  view.setUint32(4, random() * 2 ** 32);
  const value = view.getFloat64(0);
  return Number.isFinite(value) ? value : Number.NaN;
}

export function asset(facts: Partial<Asset> & Pick<Asset, 'assetNumber'>): Asset {
  return {
    id: `a${facts.assetNumber}-asset`,
    symbol: `A${facts.assetNumber}`,
    name: `Asset ${facts.assetNumber}`,
    rank: null,
    type: null,
    supply: null,
    tags: '',
    provisional: false,
    delisted: false,
    firstDay: null,
    lastDay: null,
    bars: 0,
    ...facts,
  };
}

/** The one published value that is not any number: a day. */
const ATH_AT = PUBLISHED_COLUMNS.findIndex(({ name }) => name === 'ath_at');

export function rowValues(value: () => number): Float64Array {
  return Float64Array.from(PUBLISHED_COLUMNS, (_, i) => (i === ATH_AT ? TODAY - 1 : value()));
}

export function row(assetNumber: number, facts: Partial<CurrentRow> = {}): CurrentRow {
  return { assetNumber, day: TODAY, history: 400, price: assetNumber, values: rowValues(() => assetNumber), ...facts };
}

export function randomAsset(assetNumber: number, random: Random): Asset {
  const symbol =
    random() < 0.3
      ? pick(random, NASTY_TICKERS)
      : pick(random, ['btc', 'BTC', 'Eth', `T${assetNumber}`, `t${assetNumber}`]);
  return asset({
    assetNumber,
    symbol,
    id: pick(random, [
      `${symbol.toLowerCase()}-${assetNumber}`,
      `same-long-beginning-${assetNumber}`,
      `𝔞-${assetNumber}`,
      `\uffee-${assetNumber}`,
    ]),
    name: pick(random, ['Coin', `Coin ${assetNumber}`, symbol]),
    rank: random() < 0.3 ? null : Math.floor(random() * 20),
    type: pick(random, [null, '', 'coin', 'token']),
    supply: null,
    tags: '',
    provisional: random() < 0.2,
    delisted: random() < 0.1,
  });
}

export function randomRow(assetNumber: number, random: Random): CurrentRow {
  return row(assetNumber, {
    day: (TODAY - Math.floor(random() * 10)) as Day,
    history: 1 + Math.floor(random() * 12),
    price: anyValue(random),
    values: rowValues(() => anyValue(random)),
  });
}

export function randomMarket(size: number, random: Random): Market {
  const assets = Array.from({ length: size }, (_, i) => randomAsset(i + 1, random));
  const rows = assets.filter(() => random() < 0.9).map(({ assetNumber }) => randomRow(assetNumber, random));
  return { assets, rows, now: NOW };
}

/** By code point, one after the other. */
export function byCodePoint(a: string, b: string): number {
  const [one, other] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [x, y] = [one.next().value?.codePointAt(0) ?? -1, other.next().value?.codePointAt(0) ?? -1];
    if (x !== y || x < 0) return x - y;
  }
}

function pricedAssets({ assets, rows }: Market) {
  return assets.flatMap(facts => {
    const current = rows.find(candidate => candidate.assetNumber === facts.assetNumber);
    return current ? [{ facts, current }] : [];
  });
}

function newest(market: Market): number {
  return Math.max(...pricedAssets(market).map(({ current }) => current.day));
}

/** Behind the others. */
const OPTIONAL_PUBLISHED = PUBLISHED_COLUMNS.filter(column => 'group' in column).length;

export function plainListing(market: Market): Plain[] {
  const active = pricedAssets(market).filter(
    ({ facts, current }) => !facts.delisted && current.day >= newest(market) - 7,
  );
  const order = [...active].sort(
    (a, b) => (a.facts.rank ?? 1e9) - (b.facts.rank ?? 1e9) || byCodePoint(a.facts.id, b.facts.id),
  );
  const first = order.filter(
    (one, i) => order.findIndex(other => other.facts.symbol.toUpperCase() === one.facts.symbol.toUpperCase()) === i,
  );
  return first
    .sort((a, b) => byCodePoint(a.facts.symbol, b.facts.symbol))
    .map(({ facts, current }) => {
      const published = Object.fromEntries(
        PUBLISHED_COLUMNS.map(({ name }, i) => [name, plainNumber(current.values[i]!)]),
      );
      const ofAsset: Plain = {
        history: current.history,
        rank: facts.rank,
        supply: null,
        market_cap: null,
        ...{ sources: 1, gaps365: 0, findings30: 0, findings365: 0 },
        stale: newest(market) - current.day > 3 ? newest(market) - current.day : 0,
        ath_at: timestampFromDay(current.values[ATH_AT] as Day), // `rowValues` puts a day there
      };
      return {
        datetimeUTC: timestampFromDay(current.day),
        symbol: facts.symbol,
        price: plainNumber(current.price),
        ...Object.fromEntries(Object.entries(published).slice(0, -OPTIONAL_PUBLISHED)),
        ...Object.fromEntries(OPTIONAL_COLUMNS.map(({ name }) => [name, ofAsset[name] ?? published[name] ?? null])),
      };
    });
}

export function plainAssets(market: Market): Plain[] {
  const today = Math.floor(market.now / 86_400_000);
  return market.assets
    .map(facts => ({ facts, current: market.rows.find(candidate => candidate.assetNumber === facts.assetNumber) }))
    .filter(({ facts, current }) => current !== undefined || !facts.provisional)
    .sort((a, b) => byCodePoint(a.facts.id, b.facts.id))
    .map(({ facts, current }) => {
      const first = current ? current.day - current.history + 1 : null;
      return {
        id: facts.id,
        name: facts.name,
        symbol: facts.symbol,
        rank: facts.rank,
        is_new: first !== null && first >= today - 5,
        is_active: current !== undefined && !facts.delisted && current.day >= newest(market) - 7,
        type: facts.type,
        first_data_at: first === null ? null : profileTimeFromDay(first as Day),
        last_data_at: current ? profileTimeFromDay(current.day) : null,
      };
    });
}

function plainNumber(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** A table as plain objects, read cell by cell. */
export function plainTable(table: Table): Plain[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const cell = (column: number, at: number): Plain[string] => {
    const data = table.columns[column]!;
    if (data.kind === 'text') {
      if (data.missing[at] === 1) return null;
      return decoder.decode(data.bytes.slice(data.offsets[at], data.offsets[at + 1]));
    }
    const value = data.values[at]!;
    if (data.kind === 'flag') return value === 1;
    if (data.kind === 'day') {
      if (value < 0) return null;
      const text = new Date(startOfPeriod(data.interval, value)).toISOString();
      return 'milliseconds' in table.dataset.columns[column]! ? text : text.replace('.000Z', 'Z');
    }
    return plainNumber(value);
  };
  return Array.from({ length: table.rows }, (_, at) =>
    Object.fromEntries(table.dataset.columns.map(({ name }, column) => [name, cell(column, at)])),
  );
}

/** The rows sorted by one field: nulls last, ties as they are. */
export function plainOrder(rows: readonly Plain[], name: string): number[] {
  const compare = (a: Plain[string], b: Plain[string]) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
    return Number(a) - Number(b) || 0; // two infinite differences do not occur: MAX_VALUE is only positive
  };
  return rows.map((_, i) => i).sort((a, b) => compare(rows[a]![name]!, rows[b]![name]!) || a - b);
}
