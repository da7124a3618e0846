// The handler of one asset profile: by id, or by ticker if only one asset has it.

import { assetById } from '../../query/find-asset.ts';
import { renderProfile } from '../../render/profile.ts';
import type { ServiceContext } from '../context.ts';
import type { Answer, Handler } from '../wire/answer.ts';
import { matches, weakTag } from '../wire/conditional.ts';
import { encoded } from '../wire/encoding.ts';
import { headerLines } from '../wire/head.ts';
import { refuseParameters } from './parameters.ts';
import { dataHeaders, requireSnapshot } from './readiness.ts';

export function profileHandler(context: ServiceContext): Handler {
  return async ({ query, rest, headers }): Promise<Answer> => {
    refuseParameters(query);
    const { assetIndex, version } = requireSnapshot(context);
    const asset = assetById(assetIndex, rest);
    const body = renderProfile((await context.profile(asset.key))?.profile ?? null, asset);
    const tag = weakTag(body.toString('latin1'));
    const validity =
      dataHeaders(context, version) +
      headerLines(
        'cache-control',
        `private, max-age=${context.maxAgeSeconds}`,
        'vary',
        'Accept-Encoding, Authorization, X-API-Key',
        'etag',
        tag,
      );
    if (matches(headers['if-none-match'], tag)) return { status: 304, headers: validity, body: null };
    const answer = {
      status: 200,
      headers: validity + headerLines('content-type', 'application/json; charset=utf-8'),
      body: [body],
    };
    return encoded(answer, headers['accept-encoding']?.toString());
  };
}
