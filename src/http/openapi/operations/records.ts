// Everything with one JSON object as its response: profiles, closes, explanations, alerts.

import { EXPLAINED_COLUMNS } from '../../../explain/explain.ts';
import { DEFAULT_DAYS, MAX_DAYS, MAX_TICKERS } from '../../handlers/closes.ts';
import { problemExample } from '../examples.ts';
import { type JsonObject, ref } from '../json-schema.ts';
import { KEYED_HEADERS, problemResponses } from '../problem-responses.ts';
import { CONDITIONAL, jsonAnswer, OF_DATA, pathParameter, queryParameter, requestHeaders, unchanged } from './parts.ts';

const DATE: JsonObject = { type: 'string', format: 'date' };

export function profile(operationId: string, summary: string): JsonObject {
  return {
    get: {
      operationId,
      tags: ['Profiles'],
      summary,
      description:
        'By id, in upper or lower case. A ticker also works if only one asset has it; otherwise the response is ' +
        '409 with the ids to choose from.',
      parameters: [ref('parameters', 'AssetId'), ...requestHeaders('If-None-Match', 'X-Request-Id')],
      responses: recordResponses(operationId, 'The profile.', 'Profile', 'profile'),
    },
  };
}

export function closes(): JsonObject {
  const operationId = 'listCloses';
  const tickers = `Tickers separated by commas: at most ${MAX_TICKERS}, and as many as the tier has rows per page.`;
  const days = { type: 'integer', minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS };
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
          ...queryParameter('symbol', tickers, { type: 'array', items: { type: 'string' } }),
          explode: false,
          required: true,
        },
        queryParameter('days', 'Closes per asset; fewer if its history is shorter.', days),
        queryParameter(
          'as_of',
          'The last day, today at the latest. Without it, the day of the latest close of each asset.',
          DATE,
        ),
        ...requestHeaders('If-None-Match', 'X-Request-Id'),
      ],
      responses: recordResponses(operationId, 'The closes.', 'Closes', 'closes'),
    },
  };
}

export function explanation(): JsonObject {
  const operationId = 'explain';
  const names = { type: 'string', enum: EXPLAINED_COLUMNS.map(({ name }) => name) };
  const column = pathParameter('column', 'Column of `ta-cur`, also an optional one.', names);
  const when = 'The day of the value, today at the latest. Without it, the day of the latest close.';
  const asOf = queryParameter('as_of', when, DATE);
  return {
    get: {
      operationId,
      tags: ['Listings'],
      summary: 'How one number was computed',
      description:
        'The inputs of a value, what is computed on the way, and the exact result to 40 digits beside the served value. ' +
        'A ticker that several assets have stands for the one in the listing.',
      parameters: [ref('parameters', 'AssetId'), column, asOf, ...requestHeaders('If-None-Match', 'X-Request-Id')],
      responses: recordResponses(operationId, 'The explanation.', 'Explanation', 'explanation'),
    },
  };
}

export function alerts(): JsonObject {
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
      responses: recordResponses(operationId, 'The alerts.', 'Alerts', 'alerts'),
    },
  };
}

function recordResponses(
  operationId: string,
  description: string,
  schema: string,
  problems: Parameters<typeof problemResponses>[0],
): JsonObject {
  const headers = [...CONDITIONAL, ...OF_DATA, ...KEYED_HEADERS, 'Content-Encoding'] as const;
  return {
    200: jsonAnswer(operationId, description, ref('schemas', schema), headers),
    304: unchanged([...OF_DATA, ...KEYED_HEADERS]),
    ...problemResponses(problems, code => problemExample(operationId, code)),
  };
}
