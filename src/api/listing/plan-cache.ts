// Parsed plans by the raw query string, so that the same query is parsed once.
//
// A query with an API key in it is parsed each time: no API key is ever kept, not even as part of a cache key.

import { ByteCache } from '../../common/byte-cache.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { parsePlan } from '../../query/parse/parse-plan.ts';
import type { Plan } from '../../query/parse/plan.ts';
import type { ApiObserver } from '../observer.ts';
import type { ResponseTemplate } from './template.ts';

/** Memory of a plan with its template, without their texts. */
const PLAN_BYTES = 2000;

export interface CachedPlan {
  readonly plan: Plan;
  /** The latest one: most queries come again with the same limit, format and host. */
  template: ResponseTemplate | null;
}

export class PlanCache {
  readonly #dataset: Dataset;
  readonly #observer: ApiObserver;
  readonly #known: ByteCache<CachedPlan>;

  constructor(dataset: Dataset, observer: ApiObserver, maxBytes: number) {
    this.#dataset = dataset;
    this.#observer = observer;
    this.#known = new ByteCache(maxBytes);
  }

  read(query: string): CachedPlan {
    const known = this.#known.get(query);
    this.#observer.lookedUp('plan', known !== undefined);
    if (known !== undefined) return known;
    const plan = parsePlan(this.#dataset, query);
    const cached: CachedPlan = { plan, template: null };
    // The query is repeated in links and cache keys.
    if (plan.apiKey === null) this.#known.set(query, cached, PLAN_BYTES + 10 * query.length);
    return cached;
  }
}
