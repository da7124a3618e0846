// `/v1/catalog`: the datasets and their columns.

import type { Dataset } from '../../domain/datasets.ts';
import { LISTINGS } from '../../domain/listings.ts';
import { ASSET_PATH, datasetPath } from '../../domain/paths.ts';
import { catalogColumn } from '../../render/metadata.ts';
import { documentEndpoint } from '../endpoint.ts';
import { exactly, listOf, ref } from '../json-schema.ts';
import { catalogColumnSchema } from '../openapi/column-schemas.ts';
import { conditional, json } from '../responses.ts';

const TEXT = { type: 'string' };

export const catalog = documentEndpoint({
  id: 'getCatalog',
  path: '/v1/catalog',
  tag: 'Service',
  summary: 'Datasets and their columns',
  response: conditional('The catalogue.', json(ref('schemas', 'Catalog')), []),
  schemas: {
    Catalog: exactly({
      version: TEXT,
      datasets: listOf(
        exactly({
          name: TEXT,
          title: TEXT,
          description: TEXT,
          path: TEXT,
          columns: {
            anyOf: [listOf(ref('schemas', 'CatalogColumn'), 'In the order of the rows.'), { type: 'null' }],
            description: 'Null for a dataset that is not a table.',
          },
        }),
        'The datasets.',
      ),
    }),
    CatalogColumn: catalogColumnSchema(),
  },
  document: ({ group }) => ({ contentType: 'application/json; charset=utf-8', body: () => catalogBody(group) }),
});

export function catalogBody(group: string): Buffer {
  const profile = {
    name: 'assets/{id}',
    title: 'Asset profile',
    description: 'Classification, tags, team, links, development and community facts of one asset.',
    path: ASSET_PATH.replace('{group}', group),
    columns: null,
  };
  return Buffer.from(
    JSON.stringify({ version: 'v1', datasets: [...LISTINGS.map(dataset => datasetEntry(dataset, group)), profile] }),
  );
}

function datasetEntry({ name, title, description, columns }: Dataset, group: string) {
  return {
    name,
    title,
    description,
    path: datasetPath(name).replace('{group}', group),
    columns: columns.map(catalogColumn),
  };
}
