// Summaries of the rows that a query of `ta-cur` selects (`ta-cur/stats`, `ta-cur/facets`).

import type { Steps } from '../../common/steps.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import { type Dataset, TA_CUR } from '../../domain/datasets.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { bytesOfColumns, type Table } from '../../snapshot/table.ts';
import type { Endpoint } from '../endpoint.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { answerListing } from './answer.ts';
import { listingEndpoint } from './endpoint.ts';
import { plannedSource } from './source.ts';

interface SummaryPlan {
  /** Selects the rows. */
  readonly query: Plan;
  /** Of the answer, whose rows are the summary. */
  readonly answer: Plan;
}

interface Summary<P extends SummaryPlan> {
  readonly parse: (query: string) => P;
  readonly compute: (plan: P, table: Table) => Steps<Table>;
  readonly cacheShare: number;
}

export function summaryEndpoint<P extends SummaryPlan>(
  dataset: Dataset,
  { parse, compute, cacheShare }: Summary<P>,
): Endpoint {
  return listingEndpoint(dataset, {
    parser: () => parse,
    handle: context => {
      const tables = new VersionedCache<Table>(cacheShare * context.cacheBytes);
      return (request, plan) => {
        const source = plannedSource(context, plan.query, TA_CUR.name, null, request);
        const kept = tables.of(requireSnapshot(context).fingerprint);
        const known = kept.get(plan.answer.canonical);
        const found = async () => {
          const listed = typeof source.table === 'function' ? await source.table() : source;
          if (typeof listed.table === 'function') throw new Error('the rows of a past day are not there');
          const table = await request.run(compute({ ...plan, query: listed.plan ?? plan.query }, listed.table));
          // Rows with values of several publications have another fingerprint, and rows of the next one too.
          if (listed.fingerprint === source.fingerprint)
            kept.set(plan.answer.canonical, table, 2000 + plan.answer.canonical.length + bytesOfColumns(table.columns));
          return { ...listed, plan: plan.answer, table };
        };
        const cached = { plan: plan.answer, template: null };
        return answerListing(context, request, cached, { ...source, plan: plan.answer, table: known ?? found });
      };
    },
  });
}
