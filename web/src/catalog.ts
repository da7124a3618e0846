// The catalogue of the service, requested once: which columns there are, their units, formulas and descriptions; and which intervals.

import { signal } from '@preact/signals';
import type { Catalog, CatalogColumn, ColumnMetadata } from '../../client/src/index.ts';
import { tidemark } from './api.ts';
import { rememberLabels } from './column-label.ts';
import { failureIn } from './failure.ts';
import { inPeriods, intervalParam, type ListedInterval, shownInterval } from './interval.ts';

export interface ColumnFacts extends CatalogColumn {
  /** The window in words, `7 hours`, if it is not of days. */
  readonly window_text?: string;
}

/** Empty until known. */
export const intervals = signal<Catalog['intervals']>([]);

let asked: Promise<Catalog> | null = null;

/** The columns of a dataset, in the order of its rows. */
export async function columnsOf(dataset: string): Promise<readonly ColumnFacts[]> {
  asked ??= tidemark.catalog();
  try {
    const { datasets, intervals: served } = await asked;
    intervals.value = served;
    const columns = datasets.find(each => each.name === dataset)?.columns ?? [];
    rememberLabels(columns);
    return columns;
  } catch (error) {
    // The next caller asks again.
    asked = null;
    throw error;
  }
}

/** Which periods there are changes with the data. */
export async function refreshIntervals(): Promise<void> {
  if (shownInterval.value === '1d') return;
  asked = tidemark.catalog();
  intervals.value = (await asked).intervals;
}

export type ColumnWords = Readonly<Record<string, ColumnMetadata>>;

/** What the listing says of its columns for an interval. Without it, the columns have the words of the catalogue. */
export async function listingWords(interval: ListedInterval, signal: AbortSignal): Promise<ColumnWords> {
  try {
    const query = { interval: intervalParam(interval), limit: 1, incl_cols: 'all', meta: true };
    return (await tidemark.rows('ta-cur', query, { signal }).page()).metadata ?? {};
  } catch (error) {
    failureIn(error);
    return {};
  }
}

/** The columns in the words of an interval; `words` are null until they are known. */
export function columnsIn(
  columns: readonly ColumnFacts[],
  interval: ListedInterval,
  words: ColumnWords | null,
): readonly ColumnFacts[] {
  if (interval === '1d') return columns;
  return columns.map(column => ({
    ...column,
    description: inPeriods(column.description, interval),
    ...words?.[column.name],
  }));
}
