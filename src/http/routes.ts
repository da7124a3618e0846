// The table of routes: every path that the service serves.

import { ASSETS, BARS, SNAPSHOT_DATASETS, TA_HIST } from '../domain/datasets.ts';
import { FACETS } from '../domain/facets.ts';
import { STATISTICS } from '../domain/statistics.ts';
import { METRICS_TYPE } from '../observe/metric-text.ts';
import type { ServiceContext } from './context.ts';
import { alertsHandler } from './handlers/alerts.ts';
import { CACHE_SHARES } from './handlers/cache-shares.ts';
import { catalogBody } from './handlers/catalog.ts';
import { closesHandler } from './handlers/closes.ts';
import { documentationRoutes } from './handlers/documentation.ts';
import { explanationHandler } from './handlers/explanation.ts';
import { explorerRoutes } from './handlers/explorer.ts';
import { exportFileHandler, exportRedirectHandler } from './handlers/export.ts';
import { listingHandler, PageCache } from './handlers/listing.ts';
import { MAX_MESSAGE_BYTES, mcpHandler } from './handlers/mcp.ts';
import { barsHandler, historyHandler, historySource } from './handlers/one-asset.ts';
import { profileHandler } from './handlers/profile.ts';
import { readiness } from './handlers/readiness.ts';
import { facetsHandler, statisticsHandler } from './handlers/statistics.ts';
import { eventsHandler } from './handlers/streams.ts';
import { refuseForeign } from './protection/foreign-origin.ts';
import type { Answer } from './wire/answer.ts';
import { type HeaderLines, headerLines } from './wire/head.ts';
import type { Route } from './wire/route-matcher.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Each thread builds the text at most once in this time: less than any scrape interval. */
const METRICS_AGE_MS = 1000;

/** `withMetrics`: false if `/metrics` has a port of its own. */
export function serviceRoutes(context: ServiceContext, withMetrics = true): Route[] {
  const group = `/v1/${context.group}`;
  const profile = profileHandler(context);
  const histories = historySource(context);
  const pages = new PageCache(CACHE_SHARES.pages * context.cacheBytes);
  return [
    ...SNAPSHOT_DATASETS.map(
      dataset =>
        ({ path: `${group}/${dataset.name}`, kind: 'data', handle: listingHandler(context, dataset, pages) }) as const,
    ),
    { path: `${group}/${STATISTICS.name}`, kind: 'data', handle: statisticsHandler(context) },
    { path: `${group}/${FACETS.name}`, kind: 'data', handle: facetsHandler(context) },
    { path: `${group}/closes`, kind: 'data', handle: closesHandler(context) },
    { path: `${group}/${TA_HIST.name}`, kind: 'data', handle: historyHandler(context, histories) },
    { path: `${group}/${BARS.name}`, kind: 'data', handle: barsHandler(context) },
    { path: `${group}/${ASSETS.name}/*`, kind: 'data', handle: profile },
    { path: '/v1/coins/*', kind: 'data', handle: profile },
    { path: `${group}/explain/*`, segments: 2, kind: 'data', handle: explanationHandler(context) },
    { path: `${group}/alerts`, kind: 'data', handle: alertsHandler(context) },
    { path: `${group}/export/*`, kind: 'data', handle: exportRedirectHandler(context) },
    {
      path: `${group}/export/*`,
      segments: 2,
      label: `${group}/export/*/*`,
      kind: 'data',
      handle: exportFileHandler(context),
    },
    { path: `${group}/events`, kind: 'stream', handle: eventsHandler(context) },
    {
      path: '/mcp',
      kind: 'tools',
      handle: mcpHandler(context, histories),
      maxBodyBytes: MAX_MESSAGE_BYTES,
      check: request => refuseForeign(context, request),
    },
    {
      path: '/v1/catalog',
      kind: 'document',
      document: { contentType: JSON_TYPE, body: () => catalogBody(context.group) },
    },
    ...operationalRoutes(context, withMetrics),
    ...documentationRoutes(context),
    ...explorerRoutes(context),
  ];
}

/** Routes for the operator and for load balancers. */
export function operationalRoutes(context: ServiceContext, withMetrics = true): Route[] {
  const metrics = {
    contentType: METRICS_TYPE,
    body: async () => Buffer.from(await context.metrics()),
    remakeAfterMs: METRICS_AGE_MS,
  };
  return [
    { path: '/healthz', kind: 'probe', answer: () => json(200, { status: 'alive' }) },
    { path: '/readyz', kind: 'probe', answer: () => readyAnswer(context) },
    ...(withMetrics ? [{ path: '/metrics', kind: 'document', document: metrics, urgent: true } as const] : []),
  ];
}

function readyAnswer(context: ServiceContext): Answer {
  const found = readiness(context);
  return found.status === 'ready' ? json(200, found) : json(503, found, headerLines('retry-after', 5));
}

function json(status: number, value: object, headers: HeaderLines = ''): Answer {
  const body = [Buffer.from(JSON.stringify(value))];
  return { status, headers: headers + headerLines('content-type', JSON_TYPE), body };
}
