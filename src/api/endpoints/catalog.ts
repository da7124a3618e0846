// `/v1/catalog`: the datasets and their columns, the intervals, and the quotes.

import { ASSETS, type Dataset } from '../../domain/datasets.ts';
import { type Day, isoFromDay } from '../../domain/day.ts';
import { INTERVALS } from '../../domain/interval.ts';
import { LISTINGS } from '../../domain/listings.ts';
import { ASSET_PATH, datasetPath } from '../../domain/paths.ts';
import { DOLLAR, FIAT, type QuoteAsset } from '../../domain/quote.ts';
import type { ServedInterval } from '../../domain/served-intervals.ts';
import { findQuote } from '../../query/known-quote.ts';
import { catalogColumn } from '../../render/metadata.ts';
import type { IndexedAsset } from '../../snapshot/asset-index.ts';
import { textAt } from '../../snapshot/columns/texts.ts';
import { columnOf, type Snapshot } from '../../snapshot/table.ts';
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

interface CatalogQuote {
  readonly quote: string;
  readonly id: string | null;
  readonly name: string;
  readonly type: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

const US_DOLLAR: CatalogQuote = {
  ...{ quote: DOLLAR, id: null, name: 'US dollar', type: FIAT, first: null, last: null },
};

/** Assets that are listed beside the currencies. */
const ASSET_QUOTES = 5;

const catalogQuotes = oncePer((snapshot: Snapshot | null): CatalogQuote[] => {
  if (snapshot === null) return [US_DOLLAR];
  const fiats = snapshot.fiats.map(fiat => entryOf(fiat, FIAT));
  return [US_DOLLAR, ...fiats, ...largestAssets(snapshot).map(asset => entryOf(asset, asset.type))];
});

function entryOf({ symbol, id, name, firstDay, lastDay }: QuoteAsset, type: string | null): CatalogQuote {
  const isoOf = (day: Day | null) => (day === null ? null : isoFromDay(day));
  return { quote: symbol, id, name, type, first: isoOf(firstDay), last: isoOf(lastDay) };
}

function largestAssets(snapshot: Snapshot): IndexedAsset[] {
  const { assetIndex, tables } = snapshot;
  const { assets } = tables;
  const ids = columnOf(assets, 'id', 'text');
  const found: IndexedAsset[] = [];
  const byRank = assets.order(ASSETS.columns.findIndex(({ name }) => name === 'rank'));
  for (const row of byRank?.slice(0, MOST_TRIED) ?? []) {
    const asset = assetIndex.byId(textAt(ids, row) ?? '');
    // A ticker that another asset or a currency has would name that one.
    if (asset === null || findQuote(snapshot, asset.symbol)?.id !== asset.id) continue;
    if (asset.rank !== null && asset.isActive) found.push(asset);
    if (found.length === ASSET_QUOTES) break;
  }
  return found;
}

/** Best-ranked assets that are looked at. */
const MOST_TRIED = 50;

/** Computed again for another snapshot only. */
function oncePer<T, R>(compute: (given: T) => R): (given: T) => R {
  let known: { readonly given: T; readonly result: R } | null = null;
  return given => {
    if (known === null || known.given !== given) known = { given, result: compute(given) };
    return known.result;
  };
}

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
