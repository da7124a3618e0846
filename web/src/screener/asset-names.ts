// The names and ids of the assets behind the tickers of rows, and the search among them.

import { signal } from '@preact/signals';
import { tidemark } from '../api.ts';
import { dayOfMoment } from '../day.ts';
import type { View } from './view.ts';

export interface AssetRow {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly is_new: boolean;
  readonly is_active: boolean;
}

const UNUSED = 'rank,type,first_data_at,last_data_at';
/** Tickers that one search brings into the table; an address holds that many easily. */
const MOST_MATCHES = 200;

const known = new Map<string, AssetRow>();
/** Grows with every answer, so that what shows names follows. */
export const namesVersion = signal(0);

/** Of the asset whose row the listing has under this ticker. */
export function assetOf(symbol: string): AssetRow | undefined {
  return known.get(symbol);
}

/** Several assets may share a ticker; the listing has the best-ranked one, an active one before an inactive one. */
function learn(rows: readonly AssetRow[]): void {
  for (const row of rows) {
    const before = known.get(row.symbol);
    if (before === undefined || (row.is_active && !before.is_active)) known.set(row.symbol, row);
  }
  namesVersion.value++;
}

/** `asOf` finds those that were active on a past day. */
export async function learnNames(symbols: readonly string[], asOf: string | null, signal: AbortSignal): Promise<void> {
  const unknown = symbols.filter(symbol => !known.has(symbol));
  if (unknown.length === 0) return;
  const params = {
    limit: unknown.length * 2,
    symbol: unknown.join(','),
    as_of: asOf && dayOfMoment(asOf),
    excl_cols: UNUSED,
  };
  learn((await tidemark.rows<AssetRow>('assets', params, { signal }).page()).result);
}

export interface Matches {
  readonly symbols: readonly string[];
  /** Matches that the listing does not have. */
  readonly inactive: readonly AssetRow[];
  /** There are further ones, but not for this key in one request. */
  readonly cutOff: boolean;
  /** The API's parameters that found them. */
  readonly params: Readonly<Record<string, string | number | null>>;
}

/** What a search needs of a view. With `inactive`, the listing has the inactive assets too. */
export type Searched = Pick<View, 'asOf' | 'inactive'>;

export function searchAssets(query: string, { asOf, inactive }: Searched, signal?: AbortSignal): Promise<Matches> {
  return find({ q: query, limit: MOST_MATCHES, as_of: asOf && dayOfMoment(asOf), excl_cols: UNUSED }, inactive, signal);
}

async function find(params: Matches['params'], inactiveToo: boolean, signal?: AbortSignal): Promise<Matches> {
  const { result, next } = await tidemark.rows<AssetRow>('assets', params, { signal }).page();
  learn(result);
  const symbols = result.filter(row => row.is_active || inactiveToo).map(row => row.symbol);
  const inactive = result.filter(row => !row.is_active);
  return { symbols: [...new Set(symbols)], inactive, cutOff: next !== null, params };
}
