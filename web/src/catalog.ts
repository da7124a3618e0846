// The catalogue of the service, requested once: which columns there are, their units, formulas and descriptions.

import { get } from './api.ts';

export interface ColumnFacts {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly unit: string | null;
  readonly nullable: boolean;
  readonly description: string;
  /** Of indicators only. */
  readonly window?: number;
  readonly formula?: string;
  readonly min_history?: number;
}

export interface DatasetFacts {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly columns: readonly ColumnFacts[] | null;
}

let asked: Promise<readonly DatasetFacts[]> | null = null;

/** The columns of a dataset, in the order of its rows. */
export async function columnsOf(dataset: string): Promise<readonly ColumnFacts[]> {
  asked ??= get<{ datasets: readonly DatasetFacts[] }>('/v1/catalog').then(({ body }) => body.datasets);
  try {
    const datasets = await asked;
    return datasets.find(each => each.name === dataset)?.columns ?? [];
  } catch (error) {
    // The next caller asks again.
    asked = null;
    throw error;
  }
}
