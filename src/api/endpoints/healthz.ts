// `/healthz`: whether the process is alive.

import { probeEndpoint } from '../endpoint.ts';
import { probeAnswer } from '../json-record.ts';
import { exactly, ref } from '../json-schema.ts';
import { json } from '../responses.ts';

export const healthz = probeEndpoint({
  id: 'getHealth',
  path: '/healthz',
  tag: 'Service',
  summary: 'Liveness of the process',
  response: { 200: { description: 'The process is alive.', headers: [], content: json(ref('schemas', 'Alive')) } },
  schemas: { Alive: exactly({ status: { const: 'alive' } }) },
  examples: { alive: ['Alive', ''] },
  answer: () => () => probeAnswer(200, { status: 'alive' }),
});
