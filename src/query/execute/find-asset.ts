// Finds the asset that a request names, by id or by ticker.

import { outranks } from '../../domain/asset-state.ts';
import { ApiError, type ErrorContext, nearestHint, quoted } from '../../errors.ts';
import type { AssetIndex, IndexedAsset } from '../../snapshot/asset-index.ts';
import type { AssetChoice } from '../parse/plan.ts';

export function chosenAsset(index: AssetIndex, { by, text }: AssetChoice): IndexedAsset {
  return by === 'id' ? assetById(index, text, by) : assetBySymbol(index, text);
}

/** By slug, or by ticker if only one asset has it. `param` is the parameter that held the id, if any. */
export function assetById(index: AssetIndex, id: string, param?: string): IndexedAsset {
  const bySlug = index.byId(id);
  if (bySlug !== null) return bySlug;
  const candidates = index.bySymbol(id);
  const [only] = candidates;
  if (only === undefined) throw unknownAsset(index, id, param);
  if (candidates.length === 1) return only;
  throw new ApiError('ambiguous_symbol', `${candidates.length} assets have the ticker ${quoted(id)}`, {
    ...at(param),
    hint: 'Use the id of one of the candidates.',
    candidates: candidates.map(asset => asset.id),
  });
}

/** By slug, or by ticker the asset that the listing shows. */
export function listedAsset(index: AssetIndex, text: string): IndexedAsset {
  return index.byId(text) ?? assetBySymbol(index, text);
}

function assetBySymbol(index: AssetIndex, symbol: string): IndexedAsset {
  const found = assetOfTicker(index, symbol);
  if (found === null) throw unknownAsset(index, symbol, 'symbol');
  return found;
}

/** The asset that the listing shows for the ticker; if none is active, the best-ranked one; null if no asset has it. */
export function assetOfTicker(index: AssetIndex, symbol: string): IndexedAsset | null {
  const [first, ...others] = index.bySymbol(symbol);
  if (first === undefined) return null;
  return others.reduce((best, rival) => (comesBefore(rival, best) ? rival : best), first);
}

function comesBefore(one: IndexedAsset, other: IndexedAsset): boolean {
  return one.isActive === other.isActive ? outranks(one, other) : one.isActive;
}

function unknownAsset(index: AssetIndex, text: string, param: string | undefined): ApiError {
  const near = index.nearest(text);
  return new ApiError('unknown_asset', `Unknown asset ${quoted(text)}.`, {
    ...at(param),
    ...nearestHint(near, 'Ids look like btc-bitcoin; search for assets with assets?q='),
  });
}

function at(param: string | undefined): ErrorContext {
  return param === undefined ? {} : { param };
}
