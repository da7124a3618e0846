// The OpenAPI 3.1 document, generated from the tables that the code uses.

import { ALERT_DIRECTIONS, ALERT_FORMATS } from '../../domain/alert.ts';
import { LISTINGS } from '../../domain/listings.ts';
import { INPUT_NUMBERS } from '../../explain/explain.ts';
import { NOT_READY } from '../handlers/readiness.ts';
import {
  catalogColumnSchema,
  listingName,
  listingSchema,
  metadataSchema,
  rowName,
  rowSchema,
} from './column-schemas.ts';
import { exactly, type JsonObject, listOf, nullable, ref } from './json-schema.ts';
import { FILTER_SCHEMAS } from './listing-parameters.ts';
import { parameterComponents } from './operations/parts.ts';
import { paths, TAGS } from './operations.ts';
import { problemSchema } from './problem-responses.ts';
import { profileSchemas } from './profile-schemas.ts';
import { headerComponents } from './response-headers.ts';

/** `publicUrl` is the base URL that clients use; null: the server that the document came from. */
export function openApiDocument(group: string, publicUrl: string | null): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: 'v1',
      summary: 'Market data for digital assets: technical indicators and asset profiles.',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    // The empty one: with `--open` no API key is needed.
    security: [{}, { keyHeader: [] }],
    paths: paths(group),
    components: {
      schemas: schemas(),
      parameters: parameterComponents(),
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const ABOUT = [
  'Read-only: `GET`, `HEAD` and `OPTIONS`, and `POST` on `/mcp` alone; pages of any origin may read the responses, except of `/mcp`.',
  'An unknown parameter is an error, so that a misspelt filter never returns unfiltered rows.',
  '`v1` only grows: new parameters, new paths, new headers.',
].join(' ');

/** One scheme only: some client generators send the API key in every scheme that they find, and so in the URL too. */
const SECURITY_SCHEMES = {
  keyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key. `Authorization: Bearer KEY` and the parameter `api_key=KEY` are accepted as well.',
  },
} as const;

function schemas(): JsonObject {
  const listings = LISTINGS.flatMap(dataset => [
    [listingName(dataset), listingSchema(dataset)],
    [rowName(dataset), rowSchema(dataset)],
  ]);
  return {
    ...Object.fromEntries(listings),
    ColumnMetadata: metadataSchema(),
    ...FILTER_SCHEMAS,
    ...profileSchemas(),
    Closes: closesSchema(),
    Explanation: explanationSchema(),
    Alerts: alertsSchema(),
    ...serviceSchemas(),
    Problem: problemSchema(),
  };
}

function closesSchema(): JsonObject {
  const entry = exactly({
    symbol: { type: 'string', description: 'Ticker of the asset.' },
    last_day: { type: 'string', format: 'date', description: 'Day of the last close.' },
    closes: listOf({ type: 'number' }, 'One close per day, oldest first, in USD.'),
  });
  return {
    ...exactly({
      days: { type: 'integer', description: 'Closes per asset, unless its history is shorter.' },
      result: listOf(entry, 'One entry per asset.'),
    }),
    description: 'The latest daily closes of several assets.',
  };
}

function explanationSchema(): JsonObject {
  const text = { type: 'string' };
  const day = { type: 'string', format: 'date' };
  const decimal = { type: 'string', pattern: '^-?\\d+(?:\\.\\d+)?$' };
  const input = exactly({
    name: { ...text, description: '`C0` is the close of the day of the value, `C1` that of the day before.' },
    day,
    close: { type: 'number' },
    carried_forward: {
      type: 'boolean',
      description: 'No source delivered a close for the day: it has the one before it.',
    },
    numbers: {
      type: 'object',
      description: 'Other numbers of the day that the value is computed from; null is an unknown one.',
      properties: Object.fromEntries(
        INPUT_NUMBERS.map(name => [
          name,
          nullable('number', name === 'benchmark' ? 'Close of the benchmark asset.' : 'Of the bar.'),
        ]),
      ),
      additionalProperties: false,
    },
    influence: nullable(
      'number',
      'By how much the value would change if the day had the numbers of the day before or of the day after, the smaller of both: a wrong price stands out. Of more than 30 inputs it is computed for the latest 10, and for the 20 of the last 400 days that differ most from the days beside them; null for the others, and without a value.',
    ),
    delivered_day: {
      ...day,
      description: 'The day that the close belongs to: an earlier one if it was carried forward.',
    },
    load: nullable('integer', 'Number of the load that delivered the close; null if it is unknown.'),
    source: nullable(
      'string',
      'The source of that load; null if the load is unknown or no longer in the log of loads.',
    ),
    loaded_at: nullable('string', 'When that load began, ISO 8601; null where the source is.'),
    replaced_at: nullable(
      'string',
      'When the close replaced another one of the same day; null if it is the first one.',
    ),
  });
  return exactly({
    id: text,
    symbol: text,
    column: text,
    day: { ...day, description: 'The day of C0.' },
    value: { type: ['number', 'string', 'null'], description: 'As the listing has it.' },
    unit: nullable('string', 'Unit of the value; null where there is none.'),
    formula: text,
    window: nullable('integer', 'Length of the window in days; null for a price, and for the whole history.'),
    history: { type: 'integer', minimum: 1, description: 'Days from the first close to that day, both included.' },
    inputs: listOf(input, 'The days that the value is computed from, the latest first.'),
    steps: listOf(exactly({ name: text, value: decimal }), 'What is computed on the way, to 40 significant digits.'),
    exact: { anyOf: [decimal, { type: 'null' }], description: 'The exact result, rounded to 40 significant digits.' },
    relative_error: nullable('number', 'Of the value against the exact result.'),
  });
}

function alertsSchema(): JsonObject {
  const text = { type: 'string' };
  const alert = exactly({
    id: text,
    name: text,
    query: { ...text, description: 'A query string of `ta-cur`.' },
    on: { enum: [...ALERT_DIRECTIONS], description: 'What it reports: assets that enter, leave, or both.' },
    format: { enum: [...ALERT_FORMATS] },
    to: nullable('string', 'Where it posts, without path and query, which may be secrets; null without a destination.'),
    state: {
      enum: ['active', 'paused', 'invalid'],
      description: '`invalid`: the service no longer understands its query.',
    },
    matching: nullable('integer', 'Assets that match; null before the first evaluation.'),
    waiting: { type: 'integer', minimum: 0, description: 'Messages that wait for their delivery.' },
    created_at: { ...text, description: 'ISO 8601.' },
  });
  return exactly({ alerts: listOf(alert, 'Oldest first.') });
}

function serviceSchemas(): JsonObject {
  const text = { type: 'string' };
  const count = { type: 'integer', minimum: 0 };
  const dataset = exactly({
    name: text,
    title: text,
    description: text,
    path: text,
    columns: {
      anyOf: [listOf(ref('schemas', 'CatalogColumn'), 'In the order of the rows.'), { type: 'null' }],
      description: 'Null for a dataset that is not a table.',
    },
  });
  return {
    Catalog: exactly({ version: text, datasets: listOf(dataset, 'The datasets.') }),
    CatalogColumn: catalogColumnSchema(),
    Alive: exactly({ status: { const: 'alive' } }),
    Ready: exactly({
      status: { const: 'ready' },
      version: count,
      rows: count,
      assets: count,
      inactive: {
        ...count,
        description:
          'Assets with prices that the listing leaves out: delisted, or without a recent close (setting `active-days`).',
      },
      newest_day: { type: ['string', 'null'], format: 'date', description: 'UTC day of the newest close.' },
      newest_tick: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'Time of the newest tick of live prices; null without them.',
      },
      age: { ...count, description: 'Seconds since the last successful check that the data is current.' },
      store: {
        enum: ['current', 'unreachable'],
        description: '`unreachable`: the service continues with the data that it has read.',
      },
    }),
    NotReady: exactly({ status: { enum: NOT_READY }, reason: text, version: count, age: count }, ['version', 'age']),
  };
}
