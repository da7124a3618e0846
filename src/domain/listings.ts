// Every endpoint whose response is a listing: the datasets, what is said about their bars, and the summaries of the rows that a query of
// `ta-cur` selects.

import { DATASETS, type Dataset } from './datasets.ts';
import { FACETS } from './facets.ts';
import { ACTIONS, FINDINGS } from './reviews.ts';
import { STATISTICS } from './statistics.ts';

/** Each takes the columns and the parameters of `ta-cur`. */
export const SUMMARIES: readonly Dataset[] = [STATISTICS, FACETS];

/** Read from the store as they are. */
export const REVIEWS: readonly Dataset[] = [FINDINGS, ACTIONS];

export const LISTINGS: readonly Dataset[] = [...DATASETS, ...REVIEWS, ...SUMMARIES];
