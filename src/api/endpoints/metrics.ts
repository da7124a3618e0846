// `/metrics`: the metrics of all threads.

import { METRICS_TYPE } from '../../observe/metric-text.ts';
import { documentEndpoint } from '../endpoint.ts';

/** Each thread builds the text at most once in this time: less than any scrape interval. */
const METRICS_AGE_MS = 1000;

export const metrics = documentEndpoint({
  id: 'getMetrics',
  path: '/metrics',
  tag: 'Service',
  summary: 'Metrics for Prometheus, at most a second old',
  response: {
    200: {
      description: 'The Prometheus text format.',
      headers: ['Cache-Control', 'Vary', 'Content-Encoding'],
      content: { 'text/plain': { schema: { type: 'string' } } },
    },
  },
  urgent: true,
  document: context => ({
    contentType: METRICS_TYPE,
    body: async () => Buffer.from(await context.metrics()),
    remakeAfterMs: METRICS_AGE_MS,
  }),
});
