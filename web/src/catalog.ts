// The catalogue of the service, requested once: which columns there are, their units, formulas and descriptions; and which intervals and
// quotes.

import { signal } from '@preact/signals';
import type { Catalog, CatalogColumn, ColumnMetadata } from '../../client/src/index.ts';
import { tidemark } from './api.ts';
import { rememberLabels } from './column-label.ts';
import { inPeriods, type ListedInterval, shownInterval } from './interval.ts';

export interface ColumnFacts extends CatalogColumn {
  /** The window in words, `7 hours`, if it is not of days. */
  readonly window_text?: string;
}

/** Empty until known. */
export const intervals = signal<Catalog['intervals']>([]);
export const quotes = signal<Catalog['quotes']>([]);

let asked: Promise<Catalog> | null = null;

/** The columns of a dataset, in the order of its rows. */
export async function columnsOf(dataset: string): Promise<readonly ColumnFacts[]> {
  asked ??= tidemark.catalog();
  try {
    const { datasets, intervals: served, quotes: offered } = await asked;
    intervals.value = served;
    quotes.value = offered;
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

/** What a response with `meta` says of its columns, in the words of its interval. */
export type ColumnWords = Readonly<Record<string, ColumnMetadata>>;

/** The columns in the words of an interval; `words` lacks those that no response has had yet, and is null before the first. */
export function columnsIn(
  columns: readonly ColumnFacts[],
  interval: ListedInterval,
  words: ColumnWords | null,
): readonly ColumnFacts[] {
  if (interval === '1d') return columns;
  return columns.map(column => ({
    ...column,
    // Those about quality are of daily bars in every interval.
    description: column.group === 'quality' ? column.description : inPeriods(column.description, interval),
    ...words?.[column.name],
    // The catalogue has the units of dollars, which are written in the quote where they are shown.
    unit: column.unit?.startsWith('USD') ? column.unit : (words?.[column.name]?.unit ?? column.unit),
  }));
}
