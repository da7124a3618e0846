// The market that the contract is tested on: small, fixed, and with every case that the contract speaks of.

import assert from 'node:assert/strict';
import { assetId } from '../../src/domain/asset.ts';
import { barColumns } from '../../src/domain/bar.ts';
import { type Day, dayFromIso } from '../../src/domain/day.ts';
import { parseProfile } from '../../src/ingest/profiles/parse-profile.ts';
import type { Source, SourceItem } from '../../src/ingest/source.ts';

export const TODAY: Day = dayFromIso('2026-03-10')!;
/** 2026-03-10 12:34:56.789 UTC. */
export const NOW = TODAY * 86_400_000 + 45_296_789;

export interface MarketAsset {
  readonly symbol: string;
  readonly name: string;
  /** Daily, oldest first. */
  readonly closes: readonly number[];
  /** Days between the last close and today. */
  readonly age?: number;
  /** Members of its profile besides id, name and symbol; null: it has no profile. */
  readonly profile?: Readonly<Record<string, unknown>> | null;
}

/** Closes that go up and down around a price, never twice alike for two seeds. */
export function wave(days: number, around: number, seed: number): number[] {
  return Array.from({ length: days }, (_, day) => around * (1 + 0.2 * Math.sin(seed + day / 9) + day / (50 * days)));
}

const flat = (days: number, price: number) => new Array<number>(days).fill(price);

export const COMPLETE_PROFILE = {
  rank: 1,
  type: 'coin',
  tags: [{ id: 'proof-of-work', name: 'Proof of Work', coin_counter: 300, ico_counter: 7 }],
  team: [{ id: 'a-founder', name: 'A. Founder', position: 'Founder' }],
  description: 'Money, "quoted", with a line\nbreak.',
  message: 'A word to holders',
  open_source: true,
  started_at: '2009-01-03T00:00:00Z',
  development_status: 'Working product',
  hardware_wallet: true,
  proof_type: 'Proof of Work',
  org_structure: 'Decentralized',
  hash_algorithm: 'SHA256',
  links: { website: ['https://bitcoin.example/'], reddit: ['https://reddit.example/r/bitcoin'] },
  links_extended: [
    { url: 'https://reddit.example/r/bitcoin', type: 'reddit', stats: { subscribers: 12 } },
    { url: 'https://code.example/bitcoin', type: 'source_code', stats: { contributors: 3, stars: 4 } },
    { url: 'https://bitcoin.example/', type: 'website' },
    { url: 'https://new.example/', type: 'some_new_type' },
  ],
  whitepaper: { link: 'https://bitcoin.example/paper.pdf', thumbnail: null },
} as const;

/** Tickers that a careless CSV or JSON writer gets wrong. */
export const AWKWARD_TICKERS = [
  'QUO"TE',
  'COM,MA',
  'LINE\nBREAK',
  'CR\r\nLF',
  '=SUM(A1)',
  '+PLUS',
  '-MINUS',
  '@AT',
  "'APOS",
  '比特币',
  'ΔELTA',
  '𝔅IG',
  ' SPACE ',
  'back\\slash',
  '1e5',
  'TRUE',
  'null',
];

const named: readonly MarketAsset[] = [
  { symbol: 'BTC', name: 'Bitcoin', closes: wave(420, 61_000, 1), profile: COMPLETE_PROFILE },
  { symbol: 'ETH', name: 'Ethereum', closes: wave(420, 2_900, 2), profile: { rank: 2, type: 'coin' } },
  // One ticker, three assets: the best-ranked of the active ones has the row.
  { symbol: 'TIDE', name: 'Tide Second', closes: wave(100, 4, 3), profile: { rank: 30 } },
  { symbol: 'Tide', name: 'Tide First', closes: wave(100, 5, 4), profile: { rank: 20 } },
  { symbol: 'TIDE', name: 'Tide Gone', closes: wave(100, 6, 5), profile: { rank: 10, is_active: false } },
  // Equal in every number: ties.
  { symbol: 'FLATB', name: 'Flat B', closes: flat(400, 1) },
  { symbol: 'FLATA', name: 'Flat A', closes: flat(400, 1) },
  { symbol: 'ONE', name: 'Newcomer', closes: [7.5], profile: { rank: 40 } },
  { symbol: 'FIVE', name: 'Five days', closes: wave(5, 12, 6), profile: { rank: 41 } },
  { symbol: 'SIX', name: 'Six days', closes: wave(6, 12, 7), profile: { rank: 42 } },
  { symbol: 'SEVEN', name: 'Seven days', closes: wave(7, 12, 7.5), profile: { rank: 43 } },
  { symbol: 'EDGE', name: 'Last seen a week ago', closes: wave(60, 3, 8), age: 7 },
  { symbol: 'STALE', name: 'Not seen for eight days', closes: wave(60, 3, 9), age: 8 },
  { symbol: 'DEAD', name: 'Delisted', closes: wave(60, 3, 10), profile: { rank: 44, is_active: false } },
  { symbol: 'GHOST', name: 'Without prices', closes: [], profile: { type: 'token' } },
  { symbol: 'DUST', name: 'Nearly nothing', closes: wave(30, 1e-9, 11) },
  { symbol: 'WHALE', name: 'Very dear', closes: wave(30, 1e11, 12) },
  { symbol: 'BARE', name: 'BARE', closes: wave(30, 1, 13), profile: null },
];

const awkward = AWKWARD_TICKERS.map((symbol, i) => ({
  symbol,
  name: `Awkward ${i}`,
  closes: wave(40, i + 1, 20 + i),
}));

/** Histories from 8 to 400 days, so that every change column is null for some and a number for others. */
const crowd = Array.from({ length: 50 }, (_, i) => ({
  symbol: `C${String(i).padStart(2, '0')}`,
  name: `Crowd ${i}`,
  closes: wave(8 * (i + 1), 10 + i, 50 + i),
  profile: i % 3 === 0 ? { rank: 100 + i } : {},
}));

export const MARKET: readonly MarketAsset[] = [...named, ...awkward, ...crowd];

export function idOf({ symbol, name }: Pick<MarketAsset, 'symbol' | 'name'>): string {
  return assetId(symbol, name);
}

export function marketSource(assets: readonly MarketAsset[] = MARKET): Source {
  return {
    name: 'test',
    async *profiles() {
      for (const asset of assets) if (asset.profile !== null) yield profileItem(asset);
    },
    async *bars() {
      for (const asset of assets) yield barsItem(asset);
    },
  };
}

function profileItem(asset: MarketAsset): SourceItem {
  const { symbol, name, profile = {} } = asset;
  const parsed = parseProfile({ ...profile, id: idOf(asset), name, symbol });
  return 'ok' in parsed ? { kind: 'profile', where: 'test', sourced: parsed.ok } : assert.fail(parsed.problems.join());
}

function barsItem(asset: MarketAsset): SourceItem {
  const { symbol, closes, age = 0, profile } = asset;
  const columns = barColumns(closes.length);
  for (let i = 0; i < closes.length; i++) {
    columns.day[i] = TODAY - age - (closes.length - 1 - i);
    columns.close[i] = closes[i]!;
  }
  return {
    kind: 'bars',
    batch: {
      interval: '1d',
      ...columns,
      count: closes.length,
      assets: [{ id: profile === null ? null : idOf(asset), symbol }],
      asset: new Uint32Array(closes.length),
      origin: 'test',
      line: Uint32Array.from(closes, (_, i) => i + 1),
    },
  };
}
