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
import { answerListing } from './listing.ts';
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
    const snapshot = requireSnapshot(context);
    const own = { fingerprint: snapshot.fingerprint, version: snapshot.version, pages: null };
    if (fingerprint !== snapshot.fingerprint) [fingerprint, tables] = [snapshot.fingerprint, new ByteCache(cacheBytes)];
    const kept = tables;
    const known = kept.get(plan.answer.canonical);
    const found = async () => {
      const table = await compute(plan, snapshot.tables[TA_CUR.name]);
      kept.set(plan.answer.canonical, table, 2000 + plan.answer.canonical.length + bytesOfColumns(table.columns));
      return { ...own, table };
    };
    const cached = { plan: plan.answer, template: null };
    return answerListing(context, request, cached, { ...own, table: known ?? found }, { began });
  };
}
