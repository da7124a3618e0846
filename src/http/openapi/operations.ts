// The operations of the document: one per path of the service.

import { ASSETS } from '../../domain/datasets.ts';
import { LISTINGS } from '../../domain/listings.ts';
import { type JsonObject, ref } from './json-schema.ts';
import { exportFile, exportRedirect } from './operations/exports.ts';
import { events, listing } from './operations/listings.ts';
import { CONDITIONAL, jsonAnswer, unchanged } from './operations/parts.ts';
import { alerts, closes, explanation, profile } from './operations/records.ts';
import { EXPLORER, HTML_PAGE, service, textAnswer, UNCHANGED_PAGE } from './operations/service.ts';
import { toolCall } from './operations/tool-call.ts';
import { headersOf } from './response-headers.ts';

export const TAGS = {
  Listings: 'Tables of rows with one envelope, and one set of parameters for paging, sorting and filtering.',
  Exports: 'Whole datasets as files.',
  Profiles: 'The profile of one asset.',
  Agents: 'The same data for AI agents: the Model Context Protocol.',
  Streams: 'Server-Sent Events: the server sends each change when it happens.',
  Service: 'Description and status of the service. No API key required.',
} as const;

export function paths(group: string): JsonObject {
  const listings = LISTINGS.map(dataset => [`/v1/${group}/${dataset.name}`, listing(dataset)]);
  return {
    ...Object.fromEntries(listings),
    [`/v1/${group}/${ASSETS.name}/{id}`]: profile('getAsset', 'Asset profile'),
    '/v1/coins/{id}': profile('getCoin', 'The same profile, at the path that CoinPaprika clients use'),
    [`/v1/${group}/closes`]: closes(),
    [`/v1/${group}/explain/{id}/{column}`]: explanation(),
    [`/v1/${group}/alerts`]: alerts(),
    [`/v1/${group}/export/{dataset}.parquet`]: exportRedirect(),
    [`/v1/${group}/export/{dataset}/{version}.parquet`]: exportFile(),
    '/mcp': { post: toolCall() },
    [`/v1/${group}/events`]: events(),
    '/v1/catalog': service('getCatalog', 'Datasets and their columns', {
      200: jsonAnswer('getCatalog', 'The catalogue.', ref('schemas', 'Catalog'), [...CONDITIONAL, 'Content-Encoding']),
      304: unchanged([]),
    }),
    '/v1/openapi.json': service('getOpenApi', 'This OpenAPI 3.1 document', {
      200: jsonAnswer('getOpenApi', 'The document.', { type: 'object' }, [...CONDITIONAL, 'Content-Encoding']),
      304: unchanged([]),
    }),
    '/docs.md': service('getReferenceText', 'API reference as one Markdown page', {
      200: textAnswer('text/markdown'),
      304: unchanged([]),
    }),
    '/llms.txt': service('getIndexForModels', 'Index of the service for language models (llmstxt.org)', {
      200: textAnswer('text/plain'),
      304: unchanged([]),
    }),
    '/docs': service('getReference', 'API reference as a web page, with the list of error codes', {
      200: HTML_PAGE,
      304: UNCHANGED_PAGE,
    }),
    '/': service('getExplorer', 'Explorer: a web page with the screener', EXPLORER),
    '/map': service('getMapPage', "The explorer's map of assets", EXPLORER),
    '/alerts': service('getAlertsPage', "The explorer's page of alerts", EXPLORER),
    '/asset/{id}': service('getAssetPage', "The explorer's page of one asset", EXPLORER, [
      ref('parameters', 'AssetId'),
    ]),
    '/healthz': service('getHealth', 'Liveness of the process', {
      200: jsonAnswer('getHealth', 'The process is alive.', ref('schemas', 'Alive'), []),
    }),
    '/metrics': service('getMetrics', 'Metrics for Prometheus, at most a second old', {
      200: {
        description: 'The Prometheus text format.',
        headers: headersOf(['Cache-Control', 'Vary', 'Content-Encoding']),
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    }),
    '/readyz': service('getReadiness', 'Readiness, and the age of the data', {
      200: jsonAnswer('getReadiness', 'The service is ready.', ref('schemas', 'Ready'), []),
      503: {
        description:
          'The service is not ready: `loading` (there is no data yet), `stale` (the data is older than the operator allows), `broken` (the ' +
          'store cannot be read and there is nothing to serve) or `stopping`.',
        headers: headersOf(['Retry-After']),
        content: { 'application/json': { schema: ref('schemas', 'NotReady') } },
      },
    }),
  };
}
