// `ta-cur/facets`: the tags and types of the assets that a query selects.

import { FACETS } from '../../domain/facets.ts';
import { facetsTable, parseFacets } from '../../query/statistics/facets.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { summaryEndpoint } from '../listing/summary.ts';

export const facets = summaryEndpoint(FACETS, {
  parse: parseFacets,
  compute: facetsTable,
  cacheShare: CACHE_SHARES.facets,
});
