// The handlers of `ta-cur/stats` and `ta-cur/facets`.

import { ByteCache } from '../../common/byte-cache.ts';
import type { Steps } from '../../common/steps.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { facetsTable, parseFacets } from '../../query/statistics/facets.ts';
import { parseStatistics } from '../../query/statistics/parse-statistics.ts';
import { statisticsTable } from '../../query/statistics/statistics-table.ts';
import { bytesOfColumns, type Table } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { answerListing, listedSource } from './listing.ts';
import { requireSnapshot } from './readiness.ts';

interface SummaryPlan {
  /** Selects the rows. */
  readonly query: Plan;
  /** Of the answer, whose rows are the summary. */
  readonly answer: Plan;
}

/** A summary of the rows that a query of `ta-cur` selects. */
interface Summary<P extends SummaryPlan> {
  readonly parse: (query: string) => P;
  readonly compute: (plan: P, table: Table) => Steps<Table>;
  readonly cacheShare: number;
}

export function statisticsHandler(context: ServiceContext): Handler {
  const cacheShare = CACHE_SHARES.statistics;
  return summaryHandler(context, { parse: parseStatistics, compute: statisticsTable, cacheShare });
}

export function facetsHandler(context: ServiceContext): Handler {
  return summaryHandler(context, { parse: parseFacets, compute: facetsTable, cacheShare: CACHE_SHARES.facets });
}

function summaryHandler<P extends SummaryPlan>(
  context: ServiceContext,
  { parse, compute, cacheShare }: Summary<P>,
): Handler {
  const cacheBytes = cacheShare * context.cacheBytes;
  let [fingerprint, tables] = ['', new ByteCache<Table>(cacheBytes)];

  return request => {
    const began = performance.now();
    const plan = parse(request.query);
    const source = listedSource(context, plan.query, TA_CUR.name, null, request.requester);
    const current = requireSnapshot(context).fingerprint;
    if (fingerprint !== current) [fingerprint, tables] = [current, new ByteCache(cacheBytes)];
    const kept = tables;
    const known = kept.get(plan.answer.canonical);
    const found = async () => {
      const listed = typeof source.table === 'function' ? await source.table() : source;
      if (typeof listed.table === 'function') throw new Error('the rows of a past day are not there');
      const table = await request.run(compute(plan, listed.table));
      kept.set(plan.answer.canonical, table, 2000 + plan.answer.canonical.length + bytesOfColumns(table.columns));
      return { ...listed, table };
    };
    const cached = { plan: plan.answer, template: null };
    return answerListing(context, request, cached, { ...source, table: known ?? found }, { began });
  };
}
