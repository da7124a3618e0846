// The plan of an answer that summarises the rows of a query: it pages through the summary, in the order in which it was made.

import type { Dataset } from '../../domain/datasets.ts';
import type { Plan } from '../parse/plan.ts';

/** `details` are the parameters of the summary itself; `rest` goes into its links. */
export function answerPlan(query: Plan, dataset: Dataset, details: readonly unknown[], rest: string): Plan {
  return {
    ...query,
    dataset,
    computed: [],
    lags: [],
    sort: 0,
    order: 'asc',
    columns: [...dataset.columns.keys()],
    filters: [],
    where: null,
    symbols: null,
    minHistory: null,
    search: null,
    canonical: JSON.stringify([dataset.name, query.canonical, ...details]),
    rest,
  };
}
