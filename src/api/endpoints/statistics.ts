// `ta-cur/stats`: statistics of the rows that a query selects.

import { STATISTICS } from '../../domain/statistics.ts';
import { parseStatistics, statisticsTable } from '../../query/statistics/statistics.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { summaryEndpoint } from '../listing/summary.ts';

export const statistics = summaryEndpoint(STATISTICS, {
  parse: parseStatistics,
  compute: statisticsTable,
  cacheShare: CACHE_SHARES.statistics,
});
