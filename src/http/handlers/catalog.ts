// The body of `/v1/catalog`: the datasets and their columns.

import type { Dataset } from '../../domain/datasets.ts';
import { LISTINGS } from '../../domain/listings.ts';
import { catalogColumn } from '../../render/metadata.ts';

export function catalogBody(group: string): Buffer {
  const datasets = LISTINGS.map(dataset => datasetEntry(dataset, group));
  const profile = {
    name: 'assets/{id}',
    title: 'Asset profile',
    description: 'Classification, tags, team, links, development and community facts of one asset.',
    path: `/v1/${group}/assets/{id}`,
    columns: null,
  };
  return Buffer.from(JSON.stringify({ version: 'v1', datasets: [...datasets, profile] }));
}

function datasetEntry(dataset: Dataset, group: string) {
  return {
    name: dataset.name,
    title: dataset.title,
    description: dataset.description,
    path: `/v1/${group}/${dataset.name}`,
    columns: dataset.columns.map(catalogColumn),
  };
}
