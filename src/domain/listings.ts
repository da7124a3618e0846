// Every endpoint whose response is a listing: the datasets, and the summaries of the rows that a query of `ta-cur` selects.

import { DATASETS, type Dataset } from './datasets.ts';
import { FACETS } from './facets.ts';
import { STATISTICS } from './statistics.ts';

/** Each takes the columns and the parameters of `ta-cur`. */
export const SUMMARIES: readonly Dataset[] = [STATISTICS, FACETS];

export const LISTINGS: readonly Dataset[] = [...DATASETS, ...SUMMARIES];
