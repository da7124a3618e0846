// The profile of one asset: by id, or by ticker if only one asset has it.

import { responseSize } from '../../common/byte-cache.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import { ASSET_PATH } from '../../domain/paths.ts';
import { assetById } from '../../query/execute/find-named.ts';
import { renderProfile } from '../../render/profile.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { perContext } from '../context.ts';
import { type Endpoint, type Examples, endpoint } from '../endpoint.ts';
import { jsonRecord } from '../json-record.ts';
import { ref } from '../json-schema.ts';
import { profileSchemas } from '../openapi/profile-schemas.ts';
import { noParameters } from '../parameters.ts';
import { RECORD_ERRORS, record } from '../responses.ts';
import { requireSnapshot } from '../served-snapshot.ts';

/** Many requests for one profile read and render it once per second. Longer, and a store that lags would be served for as long. */
const KEEP_MS = 1000;

/** Both paths share them. */
const profilesOf = perContext(({ cacheBytes }) => new VersionedCache<Buffer>(CACHE_SHARES.profiles * cacheBytes));

export const asset = profileEndpoint('getAsset', ASSET_PATH, 'Asset profile', {
  profile: ['By id', 'aldm-aldermoor'],
  unknown: ['An id that nothing has', 'aldm-aldermor'],
});

export const coin = profileEndpoint(
  'getCoin',
  '/v1/coins/{id}',
  'The same profile, at the path that CoinPaprika clients use',
  { profile: ['By ticker', 'ALDM'] },
);

function profileEndpoint(id: string, path: string, summary: string, examples: Examples): Endpoint {
  return endpoint({
    id,
    path,
    tag: 'Profiles',
    summary,
    description:
      'By id, in upper or lower case. A ticker also works if only one asset has it; otherwise the response is ' +
      '409 with the ids to choose from.',
    pathParameters: [ref('parameters', 'AssetId')],
    parameters: noParameters(),
    errors: RECORD_ERRORS,
    response: record('The profile.', 'Profile'),
    schemas: profileSchemas(),
    examples,
    handle: context => {
      const profiles = profilesOf(context);
      return async request => {
        const { assetIndex, fingerprint, version } = requireSnapshot(context);
        const found = assetById(assetIndex, request.rest);
        const kept = profiles.of(fingerprint);
        const name = `${found.assetNumber} ${Math.floor(context.now() / KEEP_MS)}`;
        const known = kept.get(name);
        const body = known ?? renderProfile((await context.profile(found.assetNumber))?.profile ?? null, found);
        if (known === undefined) kept.set(name, body, responseSize(name, body.length));
        return jsonRecord(context, request, body, version);
      };
    },
  });
}
