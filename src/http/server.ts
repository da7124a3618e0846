// The HTTP server: which paths there are, and what every answer has.

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ASSETS, TA_CUR, TA_HIST } from '../domain/datasets.ts';
import type { Tier } from '../domain/tiers.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { catalogBody } from './catalog.ts';
import { answerClientError, answerInsteadOfNode, METHODS, methodNotAllowed } from './client-error.ts';
import type { ServiceContext } from './context.ts';
import { documentationRoutes } from './documentation.ts';
import { ALLOWED_HEADERS, EXPOSED_HEADERS } from './headers.ts';
import { historyHandler } from './history.ts';
import { clientAddress } from './links.ts';
import { listingHandler } from './listing.ts';
import { METRICS_TYPE } from './metrics.ts';
import { PROBLEM_TYPE, problemBody } from './problem.ts';
import { profileHandler } from './profile.ts';
import { acceptRequestId, newRequestId } from './request-id.ts';
import { send } from './send.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the caller may ask for, on paths that need a key. */
    tier: Tier | null;
  }
  interface FastifyContextConfig {
    /** Whether the path needs a key. */
    keyed?: boolean;
  }
}

/** Longer request lines and headers are refused by the parser, before any of our code runs. */
const MAX_HEADER_BYTES = 32 * 1024;

export function createServer(context: ServiceContext): FastifyInstance {
  const server = Fastify({
    genReqId: request => acceptRequestId(request.headers['x-request-id']) ?? newRequestId(),
    // Query strings are ours to split: `[sma50]>:[sma200]` is no key and value for the usual parsers.
    // An id of any length that arrives is looked up, and not found.
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_HEADER_BYTES },
    // Node would refuse a request without Host itself, with an empty body.
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      // No hook runs for a path that cannot be routed.
      setCommonHeaders(context, request, reply);
      answerError(context, new ApiError('bad_path', 'The path cannot be decoded.'), request, reply);
    },
  });

  server.decorateRequest('tier', null);
  server.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(context, request, reply);
    requireHost(request);
    if (request.method === 'OPTIONS') return preflight(reply);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply.header('allow', METHODS);
      throw methodNotAllowed(request.method);
    }
    if (request.routeOptions.config.keyed === true) return admit(context, request, reply);
    return undefined;
  });
  server.setErrorHandler((error, request, reply) => answerError(context, error, request, reply));
  server.setNotFoundHandler(request => {
    throw notFound(context, request.url);
  });

  const group = `/v1/${context.group}`;
  const keyed = { config: { keyed: true } };
  server.get(
    `${group}/${TA_CUR.name}`,
    keyed,
    listingHandler(
      context,
      TA_CUR,
      ({ listing }) =>
        () =>
          listing,
    ),
  );
  server.get(`${group}/${TA_HIST.name}`, keyed, historyHandler(context));
  server.get(
    `${group}/${ASSETS.name}`,
    keyed,
    listingHandler(
      context,
      ASSETS,
      ({ assets }) =>
        () =>
          assets,
    ),
  );
  server.get(`${group}/${ASSETS.name}/:id`, keyed, profileHandler(context));
  server.get('/v1/coins/:id', keyed, profileHandler(context));
  const catalog = catalogBody(context.group);
  server.get('/v1/catalog', (request, reply) => send(request, reply, 'application/json; charset=utf-8', catalog));
  server.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }));
  server.get('/readyz', (_request, reply) => readiness(context, reply));
  server.get('/metrics', async (_request, reply) => reply.type(METRICS_TYPE).send(await context.metrics()));
  documentationRoutes(server, context);
  answerInsteadOfNode(server.server);
  return server;
}

/** RFC 9112 3.2. Only HTTP/1.0 goes without. */
function requireHost({ raw, headers }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) throw new ApiError('bad_request', 'The request has two Host headers.', { hint: 'Send one.' });
  if (headers.host !== undefined || raw.httpVersion === '1.0') return;
  throw new ApiError('bad_request', 'The request has no Host header.', { hint: 'HTTP/1.1 requires one.' });
}

/** What every answer has. */
function setCommonHeaders(context: ServiceContext, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS,
  });
  if (context.simulated) reply.header('x-tidemark-simulated', 'true');
}

/** Before anything is parsed, and without throwing: who may not ask costs little. */
function admit(context: ServiceContext, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const grant = context.authenticate({
    headers: request.headers,
    url: request.raw.url ?? '',
    address: clientAddress(context, request.headers, request.socket.remoteAddress),
  });
  if (grant.headers !== undefined) reply.headers(grant.headers);
  if ('refusal' in grant) {
    answerError(context, grant.refusal, request, reply);
    return reply;
  }
  request.tier = grant.tier;
  return undefined;
}

function preflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      allow: METHODS,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': '86400',
    })
    .send();
}

function readiness(context: ServiceContext, reply: FastifyReply): FastifyReply {
  const snapshot = context.snapshot();
  if (snapshot === null) {
    return reply.code(503).header('retry-after', '5').send({ status: 'loading', reason: context.whyNotReady() });
  }
  const { version, listing, assets } = snapshot;
  return reply.send({ status: 'ready', version, rows: listing.rows, assets: assets.rows });
}

function notFound(context: ServiceContext, url: string): ApiError {
  const path = url.split('?', 1)[0] ?? url;
  const version = /^\/v(\d+)(?:\/|$)/.exec(path)?.[1];
  if (version !== undefined && version !== '1') {
    return new ApiError('unknown_version', `There is no version v${version}.`, { hint: 'The current version is /v1.' });
  }
  return new ApiError('not_found', 'There is nothing at this path.', {
    hint: `/v1/catalog lists what there is; the listing is at /v1/${context.group}/${TA_CUR.name}.`,
  });
}

/** An error is no version of what was asked for, and its body is not compressed, however far the answer had come. */
const HEADERS_OF_SUCCESS = 'etag vary link x-limit-applied server-timing content-disposition content-encoding'.split(
  ' ',
);

function answerError(context: ServiceContext, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof ApiError ? error : internal(context, error, request.id);
  const { status } = ERRORS[known.code];
  if (status === 503) reply.header('retry-after', '5');
  for (const name of HEADERS_OF_SUCCESS) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  reply
    .code(status)
    .header('content-type', PROBLEM_TYPE)
    .send(problemBody(known, request.id, context.now()));
}

/** Says nothing of the inside; the log has it under the same request id. */
function internal(context: ServiceContext, error: unknown, requestId: string): ApiError {
  context.onInternalError(error, requestId);
  return new ApiError('internal', 'Something went wrong on our side.', {
    hint: 'Try again; if it stays, tell the operator the request_id.',
  });
}
