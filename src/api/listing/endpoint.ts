// The declaration of an endpoint whose response is a listing: its parameters, responses and errors follow from its dataset.

import { type Dataset, TA_CUR } from '../../domain/datasets.ts';
import { FORMAT_NAMES, FORMATS } from '../../domain/formats.ts';
import { SUMMARIES } from '../../domain/listings.ts';
import { datasetPath } from '../../domain/paths.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Answer, ApiRequest } from '../../http/wire/answer.ts';
import type { ServiceContext } from '../context.ts';
import { type Endpoint, type Examples, endpoint, type ResponseFacts } from '../endpoint.ts';
import { type JsonObject, pascalCase, ref } from '../json-schema.ts';
import { listingName, listingSchema, metadataSchema, rowName, rowSchema } from '../openapi/column-schemas.ts';
import { FILTER_SCHEMAS, isNumeric, listingParameters } from '../openapi/listing-parameters.ts';
import type { QueryParameters } from '../parameters.ts';
import { conditional, OF_DATA } from '../responses.ts';

interface ListingFacts<V> {
  readonly parser: QueryParameters<V>['parser'];
  readonly examples?: Examples;
  readonly handle: (context: ServiceContext) => (request: ApiRequest, parameters: V) => Answer | Promise<Answer>;
}

export function listingEndpoint<V>(dataset: Dataset, { parser, examples = {}, handle }: ListingFacts<V>): Endpoint {
  const { name, title, description, ofOneAsset, isStreamed } = dataset;
  return endpoint({
    id: `list${pascalCase(name)}`,
    path: datasetPath(name),
    tag: 'Listings',
    summary: title,
    description: `${description}${ofOneAsset ? ONE_ASSET : ''} ${filterText(queried(dataset))}`,
    parameters: { described: listingParameters(queried(dataset), dataset), errors: PARSE_ERRORS, parser },
    errors: [...PAGE_ERRORS, ...(ofOneAsset ? ONE_ASSET_ERRORS : isStreamed ? STREAM_ERRORS : [])],
    response: conditional(
      'A page of rows.',
      content(dataset),
      [...OF_DATA, 'X-Limit-Applied'],
      [
        ...(isStreamed ? (['X-Accel-Buffering'] as const) : []),
        'Link',
        'Server-Timing',
        'Content-Encoding',
        'Content-Disposition',
      ],
    ),
    schemas: {
      [listingName(dataset)]: listingSchema(dataset),
      [rowName(dataset)]: rowSchema(dataset),
      ColumnMetadata: metadataSchema(),
      ...FILTER_SCHEMAS,
    },
    examples,
    handle,
  });
}

/** Of the query string of a listing. */
export const PARSE_ERRORS: readonly ErrorCode[] = [
  'unknown_parameter',
  'duplicate_parameter',
  'bad_encoding',
  'query_too_long',
  'too_many_filters',
  'invalid_value',
  'unknown_column',
  'column_not_numeric',
  'invalid_range',
  'invalid_comparison',
  'invalid_expression',
  'expression_too_large',
  'invalid_calc_name',
  'no_past_values',
  'unknown_interval',
  'unknown_quote',
];
const PAGE_ERRORS: readonly ErrorCode[] = ['limit_above_tier', 'columns_pending'];
const ONE_ASSET_ERRORS: readonly ErrorCode[] = [
  'missing_parameter',
  'conflicting_parameters',
  'unknown_asset',
  'ambiguous_symbol',
];
const STREAM_ERRORS: readonly ErrorCode[] = ['conflicting_parameters', 'too_many_streams'];

/** OpenAPI has no schema for it. */
const ONE_ASSET = ' Exactly one of `symbol` and `id` is required.';

function content(dataset: Dataset): NonNullable<ResponseFacts['content']> {
  const formats = FORMAT_NAMES.map(name => {
    const { mediaType, doc } = FORMATS[name];
    const schema = name === 'json' ? ref('schemas', listingName(dataset)) : { type: 'string', description: doc };
    return [mediaType, { schema }];
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

const ROW_EVENTS: JsonObject = {
  type: 'string',
  description:
    'With `format=sse`: Server-Sent Events. `rows` has `version` and `result`, the rows of the page. Then one event `changes` per ' +
    'publication has `version`, `entered` and `changed` (rows with their new values) and `left` (tickers). A client that reads slowly ' +
    'gets `rows` again instead. At most 1,000 rows. The last event is `goodbye`, with a `reason`.',
};
