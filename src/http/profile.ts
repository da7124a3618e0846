// The handler of one asset profile: by slug, or by ticker where only one asset has it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { assetById } from '../query/find-asset.ts';
import { renderProfile } from '../render/profile.ts';
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
    const asset = assetById(snapshot.assetIndex, request.params.id);
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
