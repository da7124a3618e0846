// The catalogue of the service, requested once: which columns there are, their units, formulas and descriptions.

import type { Catalog, CatalogColumn } from '../../client/src/index.ts';
import { tidemark } from './api.ts';
import { rememberLabels } from './column-label.ts';

export type ColumnFacts = CatalogColumn;

let asked: Promise<Catalog> | null = null;

/** The columns of a dataset, in the order of its rows. */
export async function columnsOf(dataset: string): Promise<readonly ColumnFacts[]> {
  asked ??= tidemark.catalog();
  try {
    const { datasets } = await asked;
    const columns = datasets.find(each => each.name === dataset)?.columns ?? [];
    rememberLabels(columns);
    return columns;
  } catch (error) {
    // The next caller asks again.
    asked = null;
    throw error;
  }
}
