// The handler of one asset profile: by id, or by ticker if only one asset has it.

import { assetById } from '../../query/find-asset.ts';
import { renderProfile } from '../../render/profile.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import { jsonRecord } from './json-record.ts';
import { refuseParameters } from './parameters.ts';
import { requireSnapshot } from './readiness.ts';

export function profileHandler(context: ServiceContext): Handler {
  return async request => {
    const { query, rest } = request;
    refuseParameters(query);
    const { assetIndex, version } = requireSnapshot(context);
    const asset = assetById(assetIndex, rest);
    const body = renderProfile((await context.profile(asset.assetNumber))?.profile ?? null, asset);
    return jsonRecord(context, request, body, version);
  };
}
