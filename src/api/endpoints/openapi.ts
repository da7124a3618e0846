// `/v1/openapi.json`: the OpenAPI document.

import { documentEndpoint } from '../endpoint.ts';
import { openApiDocument } from '../openapi/document.ts';
import { conditional, json } from '../responses.ts';

export const openapi = documentEndpoint({
  id: 'getOpenApi',
  path: '/v1/openapi.json',
  tag: 'Service',
  summary: 'This OpenAPI 3.1 document',
  response: conditional('The document.', json({ type: 'object' }), []),
  document: ({ group, publicUrl }, endpoints) => ({
    contentType: 'application/json; charset=utf-8',
    body: () => Buffer.from(JSON.stringify(openApiDocument(endpoints, group, publicUrl))),
  }),
});
