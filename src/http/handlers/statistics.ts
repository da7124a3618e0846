// The handler of `ta-cur/stats`. Statistics of many rows take longer than a request may hold up others: they are computed in time
// slices.

import { ByteCache } from '../../common/byte-cache.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { parseStatistics, type StatisticsPlan } from '../../query/statistics/parse-statistics.ts';
import { statisticsTable } from '../../query/statistics/statistics-table.ts';
import { bytesOfColumns, type Table } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { TimeSlices } from '../protection/time-slices.ts';
import type { Handler } from '../wire/answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { answerListing, listedSource } from './listing.ts';
import { requireSnapshot } from './readiness.ts';

/** Of one slice. */
const SLICE_MS = 5;

export function statisticsHandler(context: ServiceContext): Handler {
  const turns = new TimeSlices();
  const cacheBytes = CACHE_SHARES.statistics * context.cacheBytes;
  let [fingerprint, tables] = ['', new ByteCache<Table>(cacheBytes)];

  async function compute(plan: StatisticsPlan, table: Table): Promise<Table> {
    const steps = statisticsTable(plan, table);
    for (let ends = performance.now() + SLICE_MS; ; ) {
      const { done, value } = steps.next();
      if (done) return value;
      if (performance.now() < ends) continue;
      await turns.next();
      ends = performance.now() + SLICE_MS;
    }
  }

  return request => {
    const began = performance.now();
    const plan = parseStatistics(request.query);
    const source = listedSource(context, plan.query, TA_CUR.name, null);
    const current = requireSnapshot(context).fingerprint;
    if (fingerprint !== current) [fingerprint, tables] = [current, new ByteCache(cacheBytes)];
    const kept = tables;
    const known = kept.get(plan.answer.canonical);
    const found = async () => {
      const listed = typeof source.table === 'function' ? await source.table() : source;
      if (typeof listed.table === 'function') throw new Error('the rows of a past day are not there');
      const table = await compute(plan, listed.table);
      kept.set(plan.answer.canonical, table, 2000 + plan.answer.canonical.length + bytesOfColumns(table.columns));
      return { ...listed, table };
    };
    const cached = { plan: plan.answer, template: null };
    return answerListing(context, request, cached, { ...source, table: known ?? found }, { began });
  };
}
