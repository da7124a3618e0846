// The handler of one asset profile: by slug, or by ticker where only one asset has it.

import { ApiError } from '../errors.ts';
import { renderProfile } from '../render/profile.ts';
import type { AssetIndex, IndexedAsset } from '../snapshot/asset-index.ts';
import type { Answer, Handler } from './answer.ts';
import { matches, weakTag } from './conditional.ts';
import type { ServiceContext } from './context.ts';
import { encoded } from './encoding.ts';
import { requireSnapshot } from './listing.ts';
import { refuseParameters } from './parameters.ts';

export function profileHandler(context: ServiceContext): Handler {
  return async ({ query, rest, headers }): Promise<Answer> => {
    refuseParameters(query);
    const asset = findAsset(requireSnapshot(context).assetIndex, rest);
    const body = renderProfile((await context.profile(asset.key))?.profile ?? null, asset);
    const tag = weakTag(body.toString('latin1'));
    const validity = [
      'cache-control',
      `private, max-age=${context.maxAgeSeconds}`,
      'vary',
      'Accept-Encoding, Authorization, X-API-Key',
      'etag',
      tag,
    ];
    if (matches(headers['if-none-match'], tag)) return { status: 304, headers: validity, body: null };
    const answer = {
      status: 200,
      headers: [...validity, 'content-type', 'application/json; charset=utf-8'],
      body: [body],
    };
    return encoded(answer, headers['accept-encoding']?.toString());
  };
}

function findAsset(index: AssetIndex, id: string): IndexedAsset {
  const bySlug = index.byId(id);
  if (bySlug !== null) return bySlug;
  const candidates = index.bySymbol(id);
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  if (candidates.length > 1) {
    throw new ApiError('ambiguous_symbol', `${candidates.length} assets have the ticker ${show(id)}`, {
      hint: 'Ask for one of the candidates by its id.',
      candidates: candidates.map(asset => asset.id),
    });
  }
  const near = index.nearest(id);
  throw new ApiError('unknown_asset', `There is no asset ${show(id)}.`, {
    hint: near === null ? 'Ids look like btc-bitcoin; the asset list has a search: assets?q=' : `Did you mean ${near}?`,
  });
}

function show(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);
}
