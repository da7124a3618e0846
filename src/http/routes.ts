// Every path that the service answers.

import { ASSETS, SNAPSHOT_DATASETS, TA_HIST } from '../domain/datasets.ts';
import { METRICS_TYPE } from '../observe/metric-text.ts';
import type { ServiceContext } from './context.ts';
import { CACHE_SHARES } from './handlers/cache-shares.ts';
import { catalogBody } from './handlers/catalog.ts';
import { documentationRoutes } from './handlers/documentation.ts';
import { explorerRoutes } from './handlers/explorer.ts';
import { historyHandler } from './handlers/history.ts';
import { FinishedPages, listingHandler } from './handlers/listing.ts';
import { profileHandler } from './handlers/profile.ts';
import { readiness } from './handlers/readiness.ts';
import type { Answer } from './wire/answer.ts';
import { encoded } from './wire/encoding.ts';
import { type HeaderLines, headerLines } from './wire/head.ts';
import type { Route } from './wire/route-matcher.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export function serviceRoutes(context: ServiceContext): Route[] {
  const group = `/v1/${context.group}`;
  const catalog = catalogBody(context.group);
  const profile = profileHandler(context);
  const pages = new FinishedPages(CACHE_SHARES.pages * context.cacheBytes);
  return [
    ...SNAPSHOT_DATASETS.map(dataset => ({
      path: `${group}/${dataset.name}`,
      keyed: true,
      handle: listingHandler(context, dataset, pages),
    })),
    { path: `${group}/${TA_HIST.name}`, keyed: true, handle: historyHandler(context) },
    { path: `${group}/${ASSETS.name}/*`, keyed: true, handle: profile },
    { path: '/v1/coins/*', keyed: true, handle: profile },
    {
      path: '/v1/catalog',
      keyed: false,
      handle: ({ headers }) => {
        const described = headerLines('vary', 'Accept-Encoding', 'content-type', JSON_TYPE);
        return encoded({ status: 200, headers: described, body: [catalog] }, headers['accept-encoding']?.toString());
      },
    },
    { path: '/healthz', keyed: false, handle: () => json(200, { status: 'alive' }) },
    { path: '/readyz', keyed: false, handle: () => readyAnswer(context) },
    { path: '/metrics', keyed: false, handle: () => metrics(context) },
    ...documentationRoutes(context),
    ...explorerRoutes(context),
  ];
}

function readyAnswer(context: ServiceContext): Answer {
  const found = readiness(context);
  return found.status === 'ready' ? json(200, found) : json(503, found, headerLines('retry-after', 5));
}

async function metrics(context: ServiceContext): Promise<Answer> {
  const text = await context.metrics();
  return { status: 200, headers: headerLines('content-type', METRICS_TYPE), body: [Buffer.from(text)] };
}

function json(status: number, value: object, headers: HeaderLines = ''): Answer {
  const body = [Buffer.from(JSON.stringify(value))];
  return { status, headers: headers + headerLines('content-type', JSON_TYPE), body };
}
