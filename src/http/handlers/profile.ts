// The handler of one asset profile: by id, or by ticker if only one asset has it.

import { ByteCache, responseSize } from '../../common/byte-cache.ts';
import { assetById } from '../../query/execute/find-asset.ts';
import { renderProfile } from '../../render/profile.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { jsonRecord } from './json-record.ts';
import { refuseParameters } from './parameters.ts';
import { requireSnapshot } from './readiness.ts';

/** Many requests for one profile read and render it once per second. Longer, and a store that lags would be served for as long. */
const KEEP_MS = 1000;

export function profileHandler(context: ServiceContext): Handler {
  const kept = new ByteCache<Buffer>(CACHE_SHARES.profiles * context.cacheBytes);
  return async request => {
    const { query, rest } = request;
    refuseParameters(query);
    const { assetIndex, fingerprint, version } = requireSnapshot(context);
    const asset = assetById(assetIndex, rest);
    const name = `${fingerprint} ${asset.assetNumber} ${Math.floor(context.now() / KEEP_MS)}`;
    const known = kept.get(name);
    const body = known ?? renderProfile((await context.profile(asset.assetNumber))?.profile ?? null, asset);
    if (known === undefined) kept.set(name, body, responseSize(name, body.length));
    return jsonRecord(context, request, body, version);
  };
}
