// Finds the asset that a call names. A name that does not exist is answered with the nearest ones.

import { nearest } from '../common/nearest.ts';
import { tickerKey } from '../domain/asset-state.ts';
import { ASSETS } from '../domain/datasets.ts';
import { ApiError, clipped, quoted } from '../errors.ts';
import { execute } from '../query/execute/execute.ts';
import { listedAsset } from '../query/execute/find-named.ts';
import { parsePlan } from '../query/parse/parse-plan.ts';
import { textAt } from '../snapshot/columns/texts.ts';
import { columnOf, type IndexedAsset, type Snapshot } from '../snapshot/table.ts';
import { queryText } from './rest-url.ts';
import { plainText } from './table-text.ts';
import type { NamedAsset } from './tool.ts';

/** Assets that are compared with a misspelt text, per part of it that is searched for. */
const COMPARED = 100;
const CANDIDATES = 3;

/** By id, or by ticker the asset that the listing shows. */
export function findAsset(snapshot: Snapshot, text: string): IndexedAsset {
  try {
    return listedAsset(snapshot.assetIndex, text);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_asset') throw unknownAsset(snapshot, text);
    throw error;
  }
}

function unknownAsset(snapshot: Snapshot, text: string): ApiError {
  const near = nearestAssets(snapshot, text);
  const [first] = near;
  return new ApiError('unknown_asset', `No asset has the id or the ticker ${quoted(text)}.`, {
    param: 'asset',
    ...(first === undefined
      ? { hint: 'search_assets finds assets by a part of their name.' }
      : { hint: `Did you mean ${described(first)}?`, meant: first.id }),
    ...(near.length > 1 ? { candidates: near.map(({ id }) => id) } : {}),
  });
}

export function described({ id, symbol, name }: NamedAsset): string {
  return `${id} (${plainText(name)}, ${plainText(symbol)})`;
}

/**
 * The most similar assets by id, ticker or name, the best first; none if no asset is similar. A model takes what it is offered: an
 * asset whose ticker merely contains another one is never meant.
 */
export function nearestAssets(snapshot: Snapshot, text: string): NamedAsset[] {
  const wanted = clipped(text).trim();
  const half = Math.ceil(wanted.length / 2);
  const containing = search(snapshot, wanted).filter(asset => beginsWord(asset, wanted));
  // One wrong letter leaves one half of a text as it should be.
  const similar = [...search(snapshot, wanted.slice(0, half)), ...search(snapshot, wanted.slice(half))];
  const byId = snapshot.assetIndex.nearest(wanted);
  const neighbour = byId === null ? null : snapshot.assetIndex.byId(byId);
  const compared = [...containing, ...(neighbour === null ? [] : [neighbour]), ...similar];
  const best = mostSimilar(wanted, compared);
  const all = [...(best === undefined ? [] : [best]), ...containing];
  return [...new Map(all.map(asset => [asset.id, asset])).values()].slice(0, CANDIDATES);
}

/** The best-ranked assets that contain a text. */
function search(snapshot: Snapshot, text: string): NamedAsset[] {
  if (text.trim() === '') return [];
  return assetsOf(snapshot, { q: text }, COMPARED);
}

function assetsOf(snapshot: Snapshot, parameters: Readonly<Record<string, string>>, limit: number): NamedAsset[] {
  const table = snapshot.tables.assets;
  const { rows } = execute(parsePlan(ASSETS, queryText(parameters)), table, limit);
  const cell = (name: string, row: number) => textAt(columnOf(table, name, 'text'), row) ?? '';
  return Array.from(rows, row => ({ id: cell('id', row), symbol: cell('symbol', row), name: cell('name', row) }));
}

/** Whether a word of the asset's names begins with the text. */
function beginsWord({ id, symbol, name }: NamedAsset, text: string): boolean {
  const wanted = text.toLowerCase();
  const words = [id, symbol, name, ...id.split('-'), ...name.split(/\s+/)];
  return words.some(word => word.toLowerCase().startsWith(wanted));
}

/** Short tickers have neighbours that are other assets: one of four letters may be wrong. */
function mostSimilar(wanted: string, assets: readonly NamedAsset[]): NamedAsset | undefined {
  const names = assets.flatMap(asset => [asset.id, asset.symbol, asset.name].map(name => [name, asset] as const));
  const near = nearest(
    wanted,
    names.map(([name]) => name),
    Math.floor(wanted.length / 4),
  );
  return names.find(([name]) => name === near)?.[1];
}

const EXAMPLE: NamedAsset = { id: 'btc-bitcoin', symbol: 'BTC', name: 'Bitcoin' };

/** An asset that exists, for examples: the best-ranked active one; Bitcoin while there is no data. */
export function exampleAsset(snapshot: Snapshot | null): NamedAsset {
  return snapshot === null ? EXAMPLE : (assetsOf(snapshot, { is_active: 'true' }, 1)[0] ?? EXAMPLE);
}

/** What a call by ticker should know about the other assets with that ticker; empty without any. */
export function sharedTickerNote({ assetIndex }: Snapshot, { id, symbol }: IndexedAsset, text: string): string {
  if (assetIndex.byId(text) !== null) return '';
  const others = assetIndex.bySymbol(tickerKey(text)).filter(asset => asset.id !== id);
  if (others.length === 0) return '';
  const ids = others.slice(0, CANDIDATES).map(asset => asset.id);
  return `${others.length + 1} assets have the ticker ${plainText(symbol)}: this is the active one with the best rank. Others, by id: ${ids.join(', ')}${others.length > CANDIDATES ? ', …' : ''}.`;
}
