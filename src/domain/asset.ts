// The facts of an asset apart from its prices and its profile.

import type { Day } from './day.ts';

/** Characters. What is longer is refused when it is loaded: names and tickers are in every row that is served. */
export const MAX_SYMBOL_LENGTH = 64;
export const MAX_NAME_LENGTH = 256;

/** How the store numbers an asset, once and for all; bars and rows refer to it. */
export type AssetNumber = number;

export interface Asset {
  readonly assetNumber: AssetNumber;
  /** Slug `<symbol>-<name>`, lower case, unique. */
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  /** 1 is the best; null if no source ranks the asset. */
  readonly rank: number | null;
  readonly type: string | null;
  /** Circulating units; null if no source gives it. */
  readonly supply: number | null;
  /** The ids of its profile's tags, joined by commas; empty without tags. */
  readonly tags: string;
  /** Known by its ticker alone: the first profile with that ticker takes it over, prices included. */
  readonly provisional: boolean;
  /** Its source says that it is no longer traded. */
  readonly delisted: boolean;
  /** Days of the oldest and newest close; null without prices. */
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
  /** Closes stored, gaps not counted. */
  readonly bars: number;
}

/** What a source says of an asset when it is new or has changed. */
export type AssetDraft = Pick<
  Asset,
  'id' | 'symbol' | 'name' | 'rank' | 'type' | 'supply' | 'tags' | 'provisional' | 'delisted'
>;

/**
 * `<symbol>-<name>` in lower case with hyphens: `BTC`, `Bitcoin` gives `btc-bitcoin`. Letters and digits of every script
 * stay; other characters between words become one hyphen.
 */
export function assetId(symbol: string, name: string): string {
  return slug(`${symbol} ${name}`);
}

export function slug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}
