// The handler of one asset profile: by slug, or by ticker where only one asset has it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { renderProfile } from '../render/profile.ts';
import type { AssetIndex, IndexedAsset } from '../snapshot/asset-index.ts';
import { matches, weakTag } from './conditional.ts';
import type { ServiceContext } from './context.ts';
import { rawQuery, requireSnapshot } from './listing.ts';
import { refuseParameters } from './parameters.ts';
import { send } from './send.ts';

export function profileHandler(context: ServiceContext) {
  return async function profile(
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    refuseParameters(rawQuery(request.raw.url ?? ''));
    const snapshot = requireSnapshot(context);
    const asset = findAsset(snapshot.assetIndex, request.params.id);
    const body = renderProfile((await context.profile(asset.key))?.profile ?? null, asset);
    const tag = weakTag(body.toString('latin1'));
    reply.headers({
      'cache-control': `private, max-age=${context.maxAgeSeconds}`,
      vary: 'Accept-Encoding, Authorization, X-API-Key',
      etag: tag,
    });
    if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send();
    return send(request, reply, 'application/json; charset=utf-8', body);
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
