// `/v1/catalog`: the datasets and their columns, the intervals, and the quotes.

import type { Dataset } from '../../domain/datasets.ts';
import { INTERVALS } from '../../domain/interval.ts';
import { LISTINGS } from '../../domain/listings.ts';
import { ASSET_PATH, datasetPath } from '../../domain/paths.ts';
import type { ServedInterval } from '../../domain/served-intervals.ts';
import { catalogColumn } from '../../render/metadata.ts';
import { type CatalogQuote, catalogQuotes, US_DOLLAR } from '../catalog-quotes.ts';
import { documentEndpoint } from '../endpoint.ts';
import { exactly, listOf, ref } from '../json-schema.ts';
import { catalogColumnSchema } from '../openapi/column-schemas.ts';
import { conditional, json } from '../responses.ts';

const TEXT = { type: 'string' };

export const catalog = documentEndpoint({
  id: 'getCatalog',
  path: '/v1/catalog',
  tag: 'Service',
  summary: 'Datasets and their columns, the intervals and the quotes',
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
      intervals: listOf(
        exactly({
          interval: { type: 'string', enum: [...INTERVALS] },
          first: { type: 'string', description: 'Start of the first period of any asset, ISO 8601.' },
          last: { type: 'string', description: 'Start of the latest period of any asset, ISO 8601.' },
        }),
        'The intervals that the store has bars for, from the shortest to the longest.',
      ),
      quotes: listOf(
        exactly({
          quote: { type: 'string', description: 'As the parameter `quote` takes it.' },
          id: { type: ['string', 'null'], description: 'Null for the dollar, which is not an asset.' },
          name: TEXT,
          type: { type: ['string', 'null'], description: '`fiat` for a currency of a state.' },
          first: { type: ['string', 'null'], description: 'Day of its first close; null for the dollar.' },
          last: { type: ['string', 'null'], description: 'Day of its latest close; null for the dollar.' },
        }),
        'The dollar, the fiat currencies of the store, and its best-ranked assets. Every other asset is a quote too, by its ticker or id.',
      ),
    }),
    CatalogColumn: catalogColumnSchema(),
  },
  document: ({ group, intervals, snapshot }) => ({
    contentType: 'application/json; charset=utf-8',
    body: () => catalogBody(group, intervals(), catalogQuotes(snapshot())),
    state: () => JSON.stringify([intervals(), catalogQuotes(snapshot())]),
  }),
});

export function catalogBody(
  group: string,
  intervals: readonly ServedInterval[],
  quotes: readonly CatalogQuote[] = [US_DOLLAR],
): Buffer {
  const profile = {
    name: 'assets/{id}',
    title: 'Asset profile',
    description: 'Classification, tags, team, links, development and community facts of one asset.',
    path: ASSET_PATH.replace('{group}', group),
    columns: null,
  };
  return Buffer.from(
    JSON.stringify({
      version: 'v1',
      datasets: [...LISTINGS.map(dataset => datasetEntry(dataset, group)), profile],
      intervals,
      quotes,
    }),
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
