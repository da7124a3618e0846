// The endpoint of the Model Context Protocol.

import { problemExample } from '../examples.ts';
import { exactly, type JsonObject } from '../json-schema.ts';
import { KEYED_HEADERS, problemResponses } from '../problem-responses.ts';
import { headersOf } from '../response-headers.ts';
import { requestHeaders } from './parts.ts';

const RPC_ID = { type: ['string', 'number', 'null'] };
const RPC_MESSAGE = exactly(
  { jsonrpc: { const: '2.0' }, id: RPC_ID, method: { type: 'string' }, params: { type: 'object' } },
  ['id', 'params'],
);
const RPC_RESPONSE = exactly(
  { jsonrpc: { const: '2.0' }, id: RPC_ID, result: { type: 'object' }, error: { type: 'object' } },
  ['id', 'result', 'error'],
);

/** Every error is one of JSON-RPC. Those of HTTP have the members of a problem in `data`. */
export function toolCall(): JsonObject {
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
      400: { ...bad, content: result },
      404: {
        description: 'The method is unknown; older revisions of the protocol have status 200 for it.',
        headers: headersOf(['Cache-Control', ...KEYED_HEADERS]),
        content: result,
      },
      415: {
        description: 'The `Content-Type` is not `application/json`.',
        headers: headersOf(['Cache-Control', ...KEYED_HEADERS]),
        content: result,
      },
    },
  };
}
