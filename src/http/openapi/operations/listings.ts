// Listings, and the streams of them.

import { type Dataset, TA_CUR } from '../../../domain/datasets.ts';
import { FORMAT_NAMES, FORMATS } from '../../../domain/formats.ts';
import { SUMMARIES } from '../../../domain/listings.ts';
import type { ResponseHeader } from '../../wire/headers.ts';
import { listingName } from '../column-schemas.ts';
import { answerExamples, problemExample } from '../examples.ts';
import { type JsonObject, pascalCase, ref } from '../json-schema.ts';
import { isNumeric, listingParameters } from '../listing-parameters.ts';
import { KEYED_HEADERS, problemResponses } from '../problem-responses.ts';
import { headersOf } from '../response-headers.ts';
import { CONDITIONAL, OF_DATA, requestHeaders, unchanged } from './parts.ts';

export function listing(dataset: Dataset): JsonObject {
  const operationId = `list${pascalCase(dataset.name)}`;
  const headers: readonly ResponseHeader[] = [...CONDITIONAL, ...OF_DATA, 'X-Limit-Applied', ...KEYED_HEADERS];
  return {
    get: {
      operationId,
      tags: ['Listings'],
      summary: dataset.title,
      description: `${dataset.description}${dataset.ofOneAsset ? ONE_ASSET : ''} ${filterText(queried(dataset))}`,
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

/** OpenAPI has no schema for it. */
const ONE_ASSET = ' Exactly one of `symbol` and `id` is required.';

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

export function events(): JsonObject {
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
