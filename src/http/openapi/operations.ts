// The operations of the document: one per path of the service.

import { ASSETS, type Dataset, SNAPSHOT_DATASETS, TA_CUR } from '../../domain/datasets.ts';
import { FORMAT_NAMES, FORMATS } from '../../domain/formats.ts';
import { LISTINGS, SUMMARIES } from '../../domain/listings.ts';
import { EXPLAINED_COLUMNS } from '../../explain/explain.ts';
import { DEFAULT_DAYS, MAX_DAYS, MAX_TICKERS } from '../handlers/closes.ts';
import { PARQUET_TYPE } from '../handlers/export.ts';
import { REQUEST_HEADERS, type RequestHeader, type ResponseHeader } from '../wire/headers.ts';
import { listingName } from './column-schemas.ts';
import { answerExamples, problemExample } from './examples.ts';
import { exactly, type JsonObject, pascalCase, ref } from './json-schema.ts';
import { isNumeric, listingParameters } from './listing-parameters.ts';
import { KEYED_HEADERS, problemResponses } from './problem-responses.ts';
import { headersOf } from './response-headers.ts';

export const TAGS = {
  Listings: 'Tables of rows with one envelope, and one set of parameters for paging, sorting and filtering.',
  Exports: 'Whole datasets as files.',
  Profiles: 'The profile of one asset.',
  Agents: 'The same data for AI agents: the Model Context Protocol.',
  Streams: 'Server-Sent Events: the server sends each change when it happens.',
  Service: 'Description and status of the service. No API key required.',
} as const;

const CONDITIONAL: readonly ResponseHeader[] = ['ETag', 'Cache-Control', 'Vary'];
/** On responses with data. */
const OF_DATA: readonly ResponseHeader[] = ['X-Data-Age', 'X-Data-Version'];
/** Operations without an API key. */
const KEYLESS = { security: [] };

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

function listing(dataset: Dataset): JsonObject {
  const operationId = `list${pascalCase(dataset.name)}`;
  const headers: readonly ResponseHeader[] = [...CONDITIONAL, ...OF_DATA, 'X-Limit-Applied', ...KEYED_HEADERS];
  return {
    get: {
      operationId,
      tags: ['Listings'],
      summary: dataset.title,
      description: `${dataset.description} ${filterText(queried(dataset))}`,
      parameters: [...listingParameters(queried(dataset), dataset), ...requestHeaders('If-None-Match', 'X-Request-Id')],
      responses: {
        200: {
          description: 'A page of rows.',
          headers: headersOf([
            ...headers,
            ...(dataset.isStreamed ? STREAMED : []),
            'Link',
            'Server-Timing',
            'Content-Encoding',
            'Content-Disposition',
          ]),
          content: listingContent(dataset, operationId),
        },
        304: unchanged([...OF_DATA, 'X-Limit-Applied', ...KEYED_HEADERS]),
        ...problemResponses(
          dataset.ofOneAsset ? 'one-asset' : dataset.isStreamed ? 'streamed-listing' : 'listing',
          code => problemExample(operationId, code),
        ),
      },
    },
  };
}

function listingContent(dataset: Dataset, operationId: string): JsonObject {
  const formats = FORMAT_NAMES.map(name => {
    const { mediaType, doc } = FORMATS[name];
    const schema = name === 'json' ? ref('schemas', listingName(dataset)) : { type: 'string', description: doc };
    return [mediaType, { schema, ...answerExamples(operationId, mediaType) }];
  });
  const streamed = dataset.isStreamed ? { 'text/event-stream': { schema: ROW_EVENTS } } : {};
  return { ...Object.fromEntries(formats), ...streamed };
}

/** The listing whose columns and parameters an operation takes. */
function queried(dataset: Dataset): Dataset {
  return SUMMARIES.includes(dataset) ? TA_CUR : dataset;
}

function filterText({ columns }: Dataset): string {
  const [first, second] = columns.filter(isNumeric).map(column => column.name);
  const everyColumn = `Filters are joined by AND. Every column is a filter by its name: \`${first}=10:100\`, \`${first}=not_null\`.`;
  if (second === undefined) return everyColumn;
  return `${everyColumn} Two columns are compared by \`[${first}]>:[${second}]\` in the query string, or as the value of \`comparison\`.`;
}

function events(): JsonObject {
  const headers: readonly ResponseHeader[] = ['Cache-Control', 'X-Accel-Buffering', ...OF_DATA, ...KEYED_HEADERS];
  return {
    get: {
      operationId: 'streamEvents',
      tags: ['Streams'],
      summary: 'Publications, as Server-Sent Events',
      description:
        'One event `publication` when the stream begins, and one per publication. Its data is an object: `version`, `newest_day`, ' +
        '`changed`, `added` and `removed` (numbers of rows of the listing), and `all`, which is true if the server does not know ' +
        'what the client has seen; the counts are then null. The `id` of an event is the version. ' +
        'A comment is sent after 15 seconds without an event. The last event is `goodbye`, with a `reason`.',
      parameters: requestHeaders('Last-Event-ID', 'X-Request-Id'),
      responses: {
        200: {
          description: 'The stream, until the client or the server ends it.',
          headers: headersOf(headers),
          content: { 'text/event-stream': { schema: EVENTS, ...answerExamples('streamEvents', 'text/event-stream') } },
        },
        ...problemResponses('stream', code => problemExample('streamEvents', code)),
      },
    },
  };
}

/** Only on a stream. */
const STREAMED: readonly ResponseHeader[] = ['X-Accel-Buffering'];

const ROW_EVENTS: JsonObject = {
  type: 'string',
  description:
    'With `format=sse`: Server-Sent Events. `rows` has `version` and `result`, the rows of the page. Then one event `changes` per ' +
    'publication has `version`, `entered` and `changed` (rows with their new values) and `left` (tickers). A client that reads slowly ' +
    'gets `rows` again instead. At most 1,000 rows. The last event is `goodbye`, with a `reason`.',
};

const EVENTS: JsonObject = { type: 'string', description: 'UTF-8 text in the format of Server-Sent Events.' };

function profile(operationId: string, summary: string): JsonObject {
  return {
    get: {
      operationId,
      tags: ['Profiles'],
      summary,
      description:
        'By id, in upper or lower case. A ticker also works if only one asset has it; otherwise the response is ' +
        '409 with the ids to choose from.',
      parameters: [ref('parameters', 'AssetId'), ...requestHeaders('If-None-Match', 'X-Request-Id')],
      responses: {
        200: jsonAnswer(operationId, 'The profile.', ref('schemas', 'Profile'), [
          ...CONDITIONAL,
          ...OF_DATA,
          ...KEYED_HEADERS,
          'Content-Encoding',
        ]),
        304: unchanged([...OF_DATA, ...KEYED_HEADERS]),
        ...problemResponses('profile', code => problemExample(operationId, code)),
      },
    },
  };
}

function closes(): JsonObject {
  const operationId = 'listCloses';
  const parameter = (name: string, description: string, schema: JsonObject) => ({
    name,
    in: 'query',
    description,
    schema,
  });
  return {
    get: {
      operationId,
      tags: ['Listings'],
      summary: 'The latest daily closes of several assets, for small charts',
      description:
        'One entry per ticker that an asset has, in the order of the request. A day without a close has the close before it. A ticker that ' +
        'several assets have stands for the one in the listing.',
      parameters: [
        {
          ...parameter(
            'symbol',
            `Tickers separated by commas: at most ${MAX_TICKERS}, and as many as the tier has rows per page.`,
            {
              type: 'string',
            },
          ),
          required: true,
        },
        parameter('days', 'Closes per asset; fewer if its history is shorter.', {
          type: 'integer',
          minimum: 1,
          maximum: MAX_DAYS,
          default: DEFAULT_DAYS,
        }),
        parameter(
          'as_of',
          'The last day, today at the latest. Without it, the day of the latest close of each asset.',
          {
            type: 'string',
            format: 'date',
          },
        ),
        ...requestHeaders('If-None-Match', 'X-Request-Id'),
      ],
      responses: {
        200: jsonAnswer(operationId, 'The closes.', ref('schemas', 'Closes'), [
          ...CONDITIONAL,
          ...OF_DATA,
          ...KEYED_HEADERS,
          'Content-Encoding',
        ]),
        304: unchanged([...OF_DATA, ...KEYED_HEADERS]),
        ...problemResponses('closes', code => problemExample(operationId, code)),
      },
    },
  };
}

function explanation(): JsonObject {
  const operationId = 'explain';
  const column = {
    name: 'column',
    in: 'path',
    required: true,
    description: 'Column of `ta-cur`, also an optional one.',
    schema: { type: 'string', enum: EXPLAINED_COLUMNS.map(({ name }) => name) },
  };
  const asOf = {
    name: 'as_of',
    in: 'query',
    description: 'The day of the value, today at the latest. Without it, the day of the latest close.',
    schema: { type: 'string', format: 'date' },
  };
  return {
    get: {
      operationId,
      tags: ['Listings'],
      summary: 'How one number was computed',
      description:
        'The inputs of a value, what is computed on the way, and the exact result to 40 digits beside the served value. ' +
        'A ticker that several assets have stands for the one in the listing.',
      parameters: [ref('parameters', 'AssetId'), column, asOf, ...requestHeaders('If-None-Match', 'X-Request-Id')],
      responses: {
        200: jsonAnswer(operationId, 'The explanation.', ref('schemas', 'Explanation'), [
          ...CONDITIONAL,
          ...OF_DATA,
          ...KEYED_HEADERS,
          'Content-Encoding',
        ]),
        304: unchanged([...OF_DATA, ...KEYED_HEADERS]),
        ...problemResponses('explanation', code => problemExample(operationId, code)),
      },
    },
  };
}

function alerts(): JsonObject {
  const operationId = 'listAlerts';
  return {
    get: {
      operationId,
      tags: ['Listings'],
      summary: 'The saved alerts, for tiers that include them',
      description:
        'Alerts belong to the operator, who creates them on the command line. No built-in tier includes this list: the setting `tiers` allows it ' +
        'with `alerts=yes`. The demo shows it to everyone.',
      parameters: requestHeaders('If-None-Match', 'X-Request-Id'),
      responses: {
        200: jsonAnswer(operationId, 'The alerts.', ref('schemas', 'Alerts'), [
          ...CONDITIONAL,
          ...OF_DATA,
          ...KEYED_HEADERS,
          'Content-Encoding',
        ]),
        304: unchanged([...OF_DATA, ...KEYED_HEADERS]),
        ...problemResponses('alerts', code => problemExample(operationId, code)),
      },
    },
  };
}

const EXPORTED = {
  name: 'dataset',
  in: 'path',
  required: true,
  description: 'The dataset.',
  schema: { type: 'string', enum: SNAPSHOT_DATASETS.map(({ name }) => name) },
};
const OF_FILES: readonly ResponseHeader[] = [...CONDITIONAL, ...OF_DATA, ...KEYED_HEADERS, 'Accept-Ranges'];

function exportRedirect(): JsonObject {
  const operationId = 'exportDataset';
  return {
    get: {
      operationId,
      tags: ['Exports'],
      summary: 'A whole dataset as one Parquet file: redirects to the file of the current version',
      description:
        'For tiers that include exports. The first request after a publication waits until the file is written. Clients that follow ' +
        'redirects, such as DuckDB, Polars and pandas, read the address as it is, also with `api_key`.',
      parameters: [EXPORTED, ...requestHeaders('X-Request-Id')],
      responses: {
        307: {
          description: 'The address of the file.',
          headers: headersOf(['Location', 'Cache-Control', ...OF_DATA, ...KEYED_HEADERS]),
        },
        ...problemResponses('export', code => problemExample(operationId, code)),
      },
    },
  };
}

function exportFile(): JsonObject {
  const operationId = 'getExportFile';
  const version = {
    name: 'version',
    in: 'path',
    required: true,
    description: 'The version of the publication and a part of its fingerprint, as the redirect names them.',
    schema: { type: 'string' },
  };
  const signature = {
    name: 'signature',
    in: 'query',
    description: 'Stands for the API key for an hour. The redirect adds it if the API key came as `api_key`.',
    schema: { type: 'string' },
  };
  const headers = headersOf([...OF_FILES, 'Content-Disposition', 'Repr-Digest', 'X-Row-Count']);
  const content = { [PARQUET_TYPE]: { schema: { type: 'string', format: 'binary' } } };
  return {
    get: {
      operationId,
      tags: ['Exports'],
      summary: 'A Parquet file, which never changes',
      description:
        'Row groups with minimum, maximum and null count of each column, compressed by ZSTD; units and formulas in the key-value ' +
        'metadata. `HEAD` has the size. One byte range per request, suffixes included; several ranges get the whole file.',
      parameters: [
        EXPORTED,
        version,
        signature,
        ...requestHeaders('Range', 'If-Range', 'If-Match', 'If-None-Match', 'X-Request-Id'),
      ],
      responses: {
        200: { description: 'The file.', headers, content },
        206: {
          description: 'The range.',
          headers: { ...headers, ...headersOf(['Content-Range']) },
          content,
        },
        304: unchanged([...OF_DATA, ...KEYED_HEADERS, 'Accept-Ranges']),
        ...problemResponses('export', code => problemExample(operationId, code)),
      },
    },
  };
}

const RPC_ID = { type: ['string', 'number', 'null'] };
const RPC_MESSAGE = exactly(
  { jsonrpc: { const: '2.0' }, id: RPC_ID, method: { type: 'string' }, params: { type: 'object' } },
  ['id', 'params'],
);
const RPC_RESPONSE = exactly(
  { jsonrpc: { const: '2.0' }, id: RPC_ID, result: { type: 'object' }, error: { type: 'object' } },
  ['id', 'result', 'error'],
);

/** JSON-RPC has its own errors, which are JSON; those of HTTP are problems as everywhere else. */
function toolCall(): JsonObject {
  const operationId = 'callTool';
  const problems = problemResponses('tools', code => problemExample(operationId, code));
  const bad = Object(problems['400']);
  const result = { 'application/json': { schema: RPC_RESPONSE } };
  return {
    operationId,
    tags: ['Agents'],
    summary: 'One message of the Model Context Protocol',
    description:
      'Streamable HTTP without sessions; revisions 2026-07-28 and 2025-11-25 and older. The tools are screen_assets, search_assets, get_asset, ' +
      'get_history and describe_columns. A mistake in the arguments of a tool is a result with `isError`.',
    parameters: requestHeaders('X-Request-Id'),
    requestBody: {
      required: true,
      description: 'One JSON-RPC 2.0 message, at most 64 kB.',
      content: { 'application/json': { schema: RPC_MESSAGE } },
    },
    responses: {
      ...problems,
      200: { description: 'The response.', headers: headersOf(['Cache-Control', ...KEYED_HEADERS]), content: result },
      202: { description: 'A notification was received.', headers: headersOf(['Cache-Control', ...KEYED_HEADERS]) },
      400: { ...bad, content: { ...bad.content, ...result } },
      415: {
        description: 'The `Content-Type` is not `application/json`.',
        headers: headersOf(['Cache-Control', ...KEYED_HEADERS]),
        content: result,
      },
    },
  };
}

const OF_PAGES: readonly ResponseHeader[] = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'Cross-Origin-Opener-Policy',
];

const HTML_PAGE: JsonObject = {
  description: 'The page.',
  headers: headersOf([...CONDITIONAL, 'Content-Encoding', ...OF_PAGES]),
  content: { 'text/html': { schema: { type: 'string' } } },
};
function textAnswer(mediaType: string): JsonObject {
  const content = { [mediaType]: { schema: { type: 'string' } } };
  return { description: 'The text.', headers: headersOf([...CONDITIONAL, 'Content-Encoding']), content };
}

const UNCHANGED_PAGE = unchanged(OF_PAGES);
const EXPLORER: JsonObject = { 200: HTML_PAGE, 304: UNCHANGED_PAGE };

function service(
  operationId: string,
  summary: string,
  responses: JsonObject,
  parameters: readonly JsonObject[] = [],
): JsonObject {
  const problems = problemResponses('service', code => problemExample(operationId, code));
  return {
    get: {
      operationId,
      tags: ['Service'],
      summary,
      ...KEYLESS,
      parameters: [
        ...parameters,
        ...requestHeaders(...('304' in responses ? (['If-None-Match'] as const) : []), 'X-Request-Id'),
      ],
      responses: { ...problems, ...responses },
    },
  };
}

function jsonAnswer(
  operationId: string,
  description: string,
  schema: JsonObject,
  headers: readonly ResponseHeader[],
): JsonObject {
  const content = { 'application/json': { schema, ...answerExamples(operationId, 'application/json') } };
  return { description, headers: headersOf(headers), content };
}

function unchanged(headers: readonly ResponseHeader[]): JsonObject {
  return {
    description: 'The response that `If-None-Match` names is still current.',
    headers: headersOf([...CONDITIONAL, ...headers]),
  };
}

/** Without those for API keys, which are security schemes. */
const PARAMETER_HEADERS = [
  'Range',
  'If-Range',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
] as const satisfies readonly RequestHeader[];

function requestHeaders(...names: (typeof PARAMETER_HEADERS)[number][]): JsonObject[] {
  return names.map(name => ref('parameters', name));
}

export function parameterComponents(): JsonObject {
  const headers = PARAMETER_HEADERS.map(name => {
    // Without an example: "Try it out" would send it.
    const { doc } = REQUEST_HEADERS[name];
    return [name, { name, in: 'header', description: doc, schema: { type: 'string' } }];
  });
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the asset, or its ticker.',
    schema: { type: 'string' },
  };
  return { AssetId: id, ...Object.fromEntries(headers) };
}
