// The whole life of a request, from its arrival to its record, in one function.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { settled, type Wait, type Waits } from '../common/waits.ts';
import { Exchange } from './exchange.ts';
import { matchRoute, splitUrl } from './match.ts';
import { REFUSALS } from './protection/refusals.ts';
import { type BodyReader, NO_BODY } from './protection/request-body.ts';
import { CLIENT_GONE, type Refusal } from './protection/scheduler-client.ts';
import { holdBack } from './protection/tarpit.ts';
import type { Routes } from './routes.ts';
import { type SendServices, type Sent, send } from './send.ts';
import type { HttpService, NotFound } from './service.ts';
import type { Answer } from './wire/answer.ts';
import { encoded } from './wire/encoding.ts';
import type { HeaderLines } from './wire/head.ts';

/** What all requests of one server share. */
export interface RequestServices extends SendServices {
  readonly service: HttpService;
  readonly routes: Routes;
  readonly notFound: NotFound;
  readonly bodies: BodyReader;
  /** On every answer, beside its request id. */
  readonly commonHeaders: HeaderLines;
}

/** `pipelined`: the connection has sent a request before the one before it was answered. */
export function* serveRequest(
  server: RequestServices,
  request: IncomingMessage,
  response: ServerResponse,
  pipelined: boolean,
): Waits<void> {
  const { service, scheduler, bodies } = server;
  const { observer } = service;

  // Accept, and route.
  const exchange = new Exchange(service, request, response, server.commonHeaders);
  const { trace, isGone } = exchange;
  observer.taken();
  const [path, query] = splitUrl(request);
  const route = matchRoute(server.routes, request, path, server.notFound);
  trace.route = route.label;

  const client = exchange.clientOf(scheduler, route, pipelined);
  let answer: Answer;
  let sent: Sent;
  try {
    // Limit: every request waits for a turn, so that no kind of request can take the thread.
    const turn: Wait = goOn => scheduler.admit(client, goOn);
    const isUrgent = route.urgent && !pipelined;
    // What the scheduler calls back with.
    const refused = (yield isUrgent ? goOn => scheduler.urgent(() => goOn(null)) : turn) as Refusal | null;
    if (isGone()) throw CLIENT_GONE;
    if (refused !== null) throw REFUSALS[refused];

    // Authenticate, before anything is parsed. A client that goes on after many refusals is answered late.
    const grant = exchange.authenticate(route);
    if ('refusal' in grant) {
      if (grant.holdMs > 0) yield* holdBack(request.socket, grant.holdMs, observer.held);
      throw grant.refusal;
    }

    // Parse. When a body has arrived, the request waits for another turn, and is not refused any more: it was counted.
    const began = performance.now();
    const handle = route.parse(query);
    const arriving = route.post === null ? NO_BODY : bodies.read(request, route.post.maxBodyBytes);
    const body = arriving instanceof Promise ? yield* settled(arriving) : arriving;
    if (route.post !== null) yield turn;
    if (isGone()) throw CLIENT_GONE;

    // Handle, encode, send.
    const made = handle(exchange.toHandle(scheduler, client, route.rest, grant, body, began));
    const plain = made instanceof Promise ? yield* settled(made) : made;
    const coded = encoded(plain, request.headers['accept-encoding']);
    answer = coded instanceof Promise ? yield* settled(coded) : coded;
    const sending = send(server, exchange, client, answer);
    sent = sending instanceof Promise ? yield* settled(sending) : sending;
  } catch (error) {
    if (error === CLIENT_GONE) return observer.dropped();
    answer = exchange.problem(error, route);
    const sending = send(server, exchange, client, answer);
    sent = sending instanceof Promise ? yield* settled(sending) : sending;
  }

  // Observe.
  if (sent.bytes === null) return observer.dropped();
  trace.code = answer.code ?? null;
  observer.answered(trace.end(answer.status, sent.bytes, sent.aborted));
}
