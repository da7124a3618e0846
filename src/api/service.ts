// The HTTP server of the API: the routes of its endpoints.

import type { Server } from 'node:http';
import { nearest } from '../common/nearest.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { datasetPath, fillPath } from '../domain/paths.ts';
import { ApiError } from '../errors.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../http/protection/connection-limits.ts';
import type { Route } from '../http/routes.ts';
import { createServer } from '../http/server.ts';
import { errorFormAt } from './compat/endpoints.ts';
import type { ServiceContext } from './context.ts';
import { explorerFiles } from './endpoints/explorer.ts';
import { metrics } from './endpoints/metrics.ts';
import { referenceFiles } from './endpoints/reference.ts';
import { ENDPOINTS, OPERATIONAL } from './endpoints.ts';

export function createService(
  context: ServiceContext,
  limits: ConnectionLimits = CONNECTION_LIMITS,
  routes: readonly Route[] = serviceRoutes(context),
): Server {
  return createServer(context, limits, routes, path => ({
    error: notFound(context, path),
    form: errorFormAt(path, context.group)?.answer ?? null,
  }));
}

/** `withMetrics`: false if `/metrics` has a port of its own. */
export function serviceRoutes(context: ServiceContext, withMetrics = true): Route[] {
  const served = withMetrics ? ENDPOINTS : ENDPOINTS.filter(each => each !== metrics);
  return [...served.map(each => each.route(context, ENDPOINTS)), ...referenceFiles(), ...explorerFiles()];
}

/** Routes for the operator and for load balancers. */
export function operationalRoutes(context: ServiceContext): Route[] {
  return OPERATIONAL.map(each => each.route(context, ENDPOINTS));
}

/** Letters of a path that may be wrong for a hint. */
const MOST_WRONG = 2;

function notFound({ group }: ServiceContext, path: string): ApiError {
  const version = /^\/v(\d+)(?:\/|$)/.exec(path)?.[1];
  if (version !== undefined && version !== '1') {
    return new ApiError('unknown_version', `There is no version v${version}.`, { hint: 'The current version is /v1.' });
  }
  const known = ENDPOINTS.map(each => each.path.replace('{group}', group)).filter(
    each => each !== '/' && !each.includes('{'),
  );
  const similar = nearest(path, known, MOST_WRONG);
  return new ApiError('not_found', 'There is no endpoint at this path.', {
    hint:
      similar !== null
        ? `Did you mean ${similar}?`
        : errorFormAt(path, group) !== null
          ? 'The reference at /docs lists the paths.'
          : `/v1/catalog lists the datasets; the listing is at ${fillPath(datasetPath(TA_CUR.name), { group })}.`,
  });
}
