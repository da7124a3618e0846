// `/readyz`: whether the service should receive requests, and the age of its data.

import { headerLines } from '../../http/wire/head.ts';
import { probeEndpoint } from '../endpoint.ts';
import { probeAnswer } from '../json-record.ts';
import { exactly, ref } from '../json-schema.ts';
import { NOT_READY, readiness } from '../readiness.ts';
import { json } from '../responses.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

export const readyz = probeEndpoint({
  id: 'getReadiness',
  path: '/readyz',
  tag: 'Service',
  summary: 'Readiness, and the age of the data',
  response: {
    200: { description: 'The service is ready.', headers: [], content: json(ref('schemas', 'Ready')) },
    503: {
      description:
        'The service is not ready: `loading` (there is no data yet), `stale` (the data is older than the operator allows), `broken` (the ' +
        'store cannot be read and there is nothing to serve) or `stopping`.',
      headers: ['Retry-After'],
      content: json(ref('schemas', 'NotReady')),
    },
  },
  schemas: {
    Ready: exactly({
      status: { const: 'ready' },
      version: COUNT,
      rows: COUNT,
      assets: COUNT,
      inactive: {
        ...COUNT,
        description:
          'Assets with prices that the listing leaves out: delisted, or without a recent close (setting `active-days`).',
      },
      newest_day: { type: ['string', 'null'], format: 'date', description: 'UTC day of the newest close.' },
      newest_tick: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'Time of the newest tick of live prices; null without them.',
      },
      age: { ...COUNT, description: 'Seconds since the last successful check that the data is current.' },
      store: {
        enum: ['current', 'unreachable'],
        description: '`unreachable`: the service continues with the data that it has read.',
      },
    }),
    NotReady: exactly({ status: { enum: NOT_READY }, reason: TEXT, version: COUNT, age: COUNT }, ['version', 'age']),
  },
  examples: { ready: ['Ready', ''] },
  answer: context => () => {
    const found = readiness(context);
    return found.status === 'ready' ? probeAnswer(200, found) : probeAnswer(503, found, headerLines('retry-after', 5));
  },
});
