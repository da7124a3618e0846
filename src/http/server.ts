// The HTTP server: takes requests, lets them in or not, hands them to their handler, and sends what it answers.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { TA_CUR } from '../domain/datasets.ts';
import { TIERS } from '../domain/tiers.ts';
import { ApiError } from '../errors.ts';
import type { Grant, ServiceContext } from './context.ts';
import { Exchange, NO_ROUTE } from './observe/http-observer.ts';
import { LINE_LIMITS, type LineLimits, limitLines, serverOptions } from './protection/connection-limits.ts';
import { LongAnswers } from './protection/long-answers.ts';
import { CutAddresses } from './protection/reconnect-penalty.ts';
import { RequestQueue } from './protection/request-queue.ts';
import { HeldAnswers } from './protection/tarpit.ts';
import { serviceRoutes } from './routes.ts';
import type { Answer } from './wire/answer.ts';
import { answerClientErrors, answerInsteadOfNode, METHODS, methodNotAllowed } from './wire/client-error.ts';
import { type HeaderLines, headerLines } from './wire/head.ts';
import { ALLOWED_HEADERS, EXPOSED_HEADERS } from './wire/headers.ts';
import { createServer as createHttpServer } from './wire/node-http.ts';
import { problemAnswer } from './wire/problem.ts';
import { acceptRequestId, newRequestId } from './wire/request-id.ts';
import { type Found, labelOf, Routes } from './wire/route-matcher.ts';
import { transmit } from './wire/transmit.ts';
import { clientAddress } from './wire/trusted-proxy.ts';

export function createServer(context: ServiceContext, limits: LineLimits = LINE_LIMITS): Server {
  const cut = new CutAddresses();
  const take = requestTaker(context, cut, limits);
  // Node would refuse a request without Host itself, with an empty body.
  const server = createHttpServer({ ...serverOptions(limits), requireHostHeader: false }, take);
  const { observer } = context;
  // Behind a proxy, its address is everybody's.
  const perAddress = context.trustProxy !== null ? Number.POSITIVE_INFINITY : limits.perAddress;
  limitLines(server, { ...limits, perAddress }, observer.refused);
  if (context.trustProxy === null) cut.delay(server);
  answerClientErrors(server, observer.unreadable);
  answerInsteadOfNode(server, observer.unreadable);
  server.on('connection', socket => {
    if (socket.destroyed) return;
    observer.connected(1);
    socket.once('close', () => observer.connected(-1));
  });
  return server;
}

function requestTaker(
  context: ServiceContext,
  cut: CutAddresses,
  { idleMs }: LineLimits,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { observer } = context;
  const served = serviceRoutes(context);
  observer.routes([NO_ROUTE, ...served.map(labelOf)]);
  const routes = new Routes(served);
  const always = commonHeaders(context);
  const idleSeconds = Math.floor(idleMs / 1000);
  const held = new HeldAnswers(socket => cut.remember(socket));
  const queue = new RequestQueue(context.shedAfterMs, observer.queued);
  const longAnswers = new LongAnswers<ServerResponse>(({ req }) => addressOf(context, req), observer.waiting);

  return (request, response) => {
    // The rest of what a client had sent at once when it was cut off.
    if (request.socket.destroyed) return;
    const id = acceptRequestId(request.headers['x-request-id']) ?? newRequestId();
    let headers = headerLines('x-request-id', id) + always;
    const exchange = new Exchange(request, id);
    observer.taken();
    const send = (answer: Answer) => {
      const withBody = request.method !== 'HEAD';
      const sent = transmit(response, { answer, always: headers, withBody, idleSeconds, longAnswers });
      const ended = (bytes: number | null, aborted: boolean) =>
        bytes === null ? observer.dropped() : observer.answered(exchange.end(answer.status, bytes, aborted));
      if (sent instanceof Promise) sent.then(bytes => ended(bytes, !response.writableFinished)).catch(fail);
      else ended(sent, false);
    };
    const fail = (error: unknown) => {
      const problem = toApiError(context, error, id);
      exchange.code = problem.code;
      send(problemAnswer(problem, id, context.now()));
    };
    // The client goes elsewhere with its next request.
    if (context.state.stopping) response.shouldKeepAlive = false;
    const refuse = (refusal: ApiError, holdMs: number) => {
      if (holdMs === 0) return fail(refusal);
      observer.held(1);
      const after = (then: () => void) => () => {
        observer.held(-1);
        then();
      };
      held.hold(
        request.socket,
        holdMs,
        after(() => fail(refusal)),
        after(observer.dropped),
      );
    };
    const handle = ({ route, rest }: Found, url: string, query: string) => {
      try {
        const { headers: asked, socket } = request;
        const grant = route.keyed ? authenticate(context, request, url) : UNKEYED;
        headers += grant.headers;
        exchange.key = grant.key;
        if ('refusal' in grant) return refuse(grant.refusal, grant.holdMs);
        const answer = route.handle({ headers: asked, socket, query, rest, tier: grant.tier });
        if (answer instanceof Promise) answer.then(send).catch(fail);
        else send(answer);
      } catch (error) {
        fail(error);
      }
    };
    try {
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
      requireHost(request);
      if (request.method === 'OPTIONS') return send(PREFLIGHT);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        headers += headerLines('allow', METHODS);
        throw methodNotAllowed(request.method ?? 'This method');
      }
      const found = routes.find(path);
      if (found === null) throw notFound(context, path);
      exchange.route = labelOf(found.route);
      // Who looks after the service is always answered, and so are its pages, whose bytes lie ready.
      if (!found.route.keyed) return handle(found, url, query);
      queue.take(refused => {
        if (request.socket.destroyed) observer.dropped();
        else if (refused) fail(OVERLOADED);
        else handle(found, url, query);
      });
    } catch (error) {
      fail(error);
    }
  };
}

const UNKEYED: Grant = { tier: TIERS.free, key: null, headers: '' };

/** Made once: refusing must cost next to nothing. It comes before the key is looked at, so it costs the client nothing either. */
const OVERLOADED = new ApiError('overloaded', 'The service has more to do than it can.', {
  hint: 'Ask again as late as Retry-After says.',
});

/** Before anything is parsed, and without throwing: who may not ask costs little. */
function authenticate(context: ServiceContext, request: IncomingMessage, url: string): Grant {
  const { headers, socket } = request;
  return context.authenticate({ headers, url, connection: socket, address: addressOf(context, request) });
}

function addressOf(context: ServiceContext, { headers, socket }: IncomingMessage): string {
  return clientAddress(context, headers, socket.remoteAddress);
}

/** What every answer has, beside its request id. */
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

const PREFLIGHT: Answer = {
  status: 204,
  headers: headerLines(
    'allow',
    METHODS,
    'access-control-allow-methods',
    METHODS,
    'access-control-allow-headers',
    ALLOWED_HEADERS,
    'access-control-max-age',
    86_400,
  ),
  body: null,
};

/** RFC 9112 3.2. Only HTTP/1.0 goes without. */
function requireHost({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) throw new ApiError('bad_request', 'The request has two Host headers.', { hint: 'Send one.' });
  if (headers.host !== undefined || httpVersion === '1.0') return;
  throw new ApiError('bad_request', 'The request has no Host header.', { hint: 'HTTP/1.1 requires one.' });
}

function notFound(context: ServiceContext, path: string): ApiError {
  const version = /^\/v(\d+)(?:\/|$)/.exec(path)?.[1];
  if (version !== undefined && version !== '1') {
    return new ApiError('unknown_version', `There is no version v${version}.`, { hint: 'The current version is /v1.' });
  }
  return new ApiError('not_found', 'There is nothing at this path.', {
    hint: `/v1/catalog lists what there is; the listing is at /v1/${context.group}/${TA_CUR.name}.`,
  });
}

/** What is not a client's mistake says nothing of the inside; the log has it under the same request id. */
function toApiError(context: ServiceContext, error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  context.onInternalError(error, requestId);
  return new ApiError('internal', 'Something went wrong on our side.', {
    hint: 'Try again; if it stays, tell the operator the request_id.',
  });
}
