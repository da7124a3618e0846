// Parsed plans by the raw query string, so that the same query is parsed once.
//
// A query with an API key in it is parsed each time: no API key is ever kept, not even as part of a cache key.

import { ByteCache } from '../../common/byte-cache.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { parsePlan } from '../../query/parse/parse-plan.ts';
import type { Plan } from '../../query/parse/plan.ts';
import type { QueryParameters } from '../parameters.ts';
import type { ResponseTemplate } from './template.ts';

/** Memory of a plan with its template, without their texts. */
const PLAN_BYTES = 2000;

export interface CachedPlan {
  readonly plan: Plan;
  /** The latest one: most queries come again with the same limit, format and host. */
  template: ResponseTemplate | null;
}

/** `share`: of the memory for caches. */
export function planParser(dataset: Dataset, share: number): QueryParameters<CachedPlan>['parser'] {
  return ({ observer, cacheBytes }) => {
    const plans = new ByteCache<CachedPlan>(share * cacheBytes);
    return query => {
      const known = plans.get(query);
      observer.lookedUp('plan', known !== undefined);
      if (known !== undefined) return known;
      const cached: CachedPlan = { plan: parsePlan(dataset, query), template: null };
      // The query is repeated in links and cache keys.
      if (cached.plan.apiKey === null) plans.set(query, cached, PLAN_BYTES + 10 * query.length);
      return cached;
    };
  };
}
