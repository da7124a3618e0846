// The HTTP server, put together: limits on connections, one request at a time per connection, and what cannot be parsed.

import type { Server, ServerResponse } from 'node:http';
import type { ServiceContext } from './context.ts';
import { NO_ROUTE } from './observe/http-observer.ts';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitConnections,
  serverOptions,
} from './protection/connection-limits.ts';
import { LongAnswers } from './protection/long-answers.ts';
import { ReconnectPenalty } from './protection/reconnect-penalty.ts';
import { RequestGate } from './protection/request-gate.ts';
import { Scheduler } from './protection/scheduler.ts';
import { serviceRoutes } from './routes.ts';
import { ActiveRequest, addressOf, type RequestServices } from './wire/active-request.ts';
import { answerClientErrors, answerInsteadOfNode } from './wire/client-error.ts';
import { type HeaderLines, headerLines } from './wire/head.ts';
import { EXPOSED_HEADERS } from './wire/headers.ts';
import { createServer as createHttpServer } from './wire/node-internals.ts';
import { BodyReader } from './wire/request-body.ts';
import { labelOf, type Route, Routes } from './wire/route-matcher.ts';

export function createServer(
  context: ServiceContext,
  limits: ConnectionLimits = CONNECTION_LIMITS,
  routes: readonly Route[] = serviceRoutes(context),
): Server {
  const { observer, trustProxy } = context;
  const services = requestServices(context, limits, routes);
  const penalty = new ReconnectPenalty();
  const gate = new RequestGate({
    take: (request, response, pipelined) => {
      // The socket may have closed while the request waited behind another one.
      if (!request.socket.destroyed) new ActiveRequest(services, request, response).start(pipelined);
    },
    onOverflow: socket => penalty.remember(socket),
  });
  // Node would refuse a request without Host itself, with an empty body.
  const server = createHttpServer({ ...serverOptions(limits), requireHostHeader: false }, gate.dispatch);
  // Behind a proxy, all clients have its address.
  const perAddress = trustProxy !== null ? Number.POSITIVE_INFINITY : limits.perAddress;
  limitConnections(server, { ...limits, perAddress }, observer.refused);
  if (trustProxy === null) penalty.delay(server);
  gate.guard(server);
  answerClientErrors(server, gate, observer.unreadable);
  answerInsteadOfNode(server, gate, observer.unreadable);
  server.on('connection', socket => {
    services.scheduler.accepted();
    if (socket.destroyed) return;
    observer.connected(1);
    socket.once('close', () => observer.connected(-1));
  });
  return server;
}

function requestServices(
  context: ServiceContext,
  { idleMs }: ConnectionLimits,
  routes: readonly Route[],
): RequestServices {
  const { observer, shedAfterMs } = context;
  observer.routes([NO_ROUTE, ...routes.map(labelOf)]);
  return {
    context,
    routes: new Routes(routes),
    scheduler: new Scheduler({ shedAfterMs, onQueued: observer.queued }),
    longAnswers: new LongAnswers<ServerResponse>(({ req }) => addressOf(context, req), observer.waiting),
    bodies: new BodyReader(),
    commonHeaders: commonHeaders(context),
    idleSeconds: Math.floor(idleMs / 1000),
  };
}

function commonHeaders({ simulated }: ServiceContext): HeaderLines {
  const lines = headerLines(
    'x-content-type-options',
    'nosniff',
    'access-control-allow-origin',
    '*',
    'access-control-expose-headers',
    EXPOSED_HEADERS,
  );
  return simulated ? lines + headerLines('x-tidemark-simulated', 'true') : lines;
}
