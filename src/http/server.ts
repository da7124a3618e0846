// The HTTP server, put together: limits on connections, one request at a time per connection, and what cannot be parsed.

import type { Server, ServerResponse } from 'node:http';
import { proceed } from '../common/waits.ts';
import { answerClientErrors, answerInsteadOfNode } from './client-error.ts';
import { addressOf } from './exchange.ts';
import { NO_ROUTE } from './observe/http-observer.ts';
import { type ConnectionLimits, limitConnections, serverOptions } from './protection/connection-limits.ts';
import { LongAnswers } from './protection/long-answers.ts';
import { ReconnectPenalty } from './protection/reconnect-penalty.ts';
import { BodyReader } from './protection/request-body.ts';
import { RequestGate } from './protection/request-gate.ts';
import { Scheduler } from './protection/scheduler.ts';
import { type RequestServices, serveRequest } from './request.ts';
import { labelOf, type Route, Routes } from './routes.ts';
import type { HttpService, NotFound } from './service.ts';
import { type HeaderLines, headerLines } from './wire/head.ts';
import { EXPOSED_HEADERS } from './wire/headers.ts';
import { createServer as createHttpServer } from './wire/node-internals.ts';

export function createServer(
  service: HttpService,
  limits: ConnectionLimits,
  routes: readonly Route[],
  notFound: NotFound,
): Server {
  const { observer, trustProxy } = service;
  const services = requestServices(service, limits, routes, notFound);
  const penalty = new ReconnectPenalty();
  const gate = new RequestGate({
    take: (request, response, pipelined) => {
      // The socket may have closed while the request waited behind another one.
      if (!request.socket.destroyed) proceed(serveRequest(services, request, response, pipelined));
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
  service: HttpService,
  { idleMs }: ConnectionLimits,
  routes: readonly Route[],
  notFound: NotFound,
): RequestServices {
  const { observer, shedAfterMs } = service;
  observer.routes([NO_ROUTE, ...routes.map(labelOf)]);
  return {
    service,
    routes: new Routes(routes),
    notFound,
    scheduler: new Scheduler({ shedAfterMs, onQueued: observer.queued }),
    longAnswers: new LongAnswers<ServerResponse>(({ req }) => addressOf(service, req), observer.waiting),
    bodies: new BodyReader(),
    commonHeaders: commonHeaders(service),
    idleSeconds: Math.floor(idleMs / 1000),
  };
}

function commonHeaders({ simulated }: HttpService): HeaderLines {
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
