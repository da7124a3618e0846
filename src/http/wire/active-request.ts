// One request from its arrival to its answer: match the route, wait for a turn, check the API key, run the handler, send.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RunSteps } from '../../common/steps.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { TIERS } from '../../domain/tiers.ts';
import { ApiError } from '../../errors.ts';
import type { Caller, Grant, ServiceContext } from '../context.ts';
import { NO_ROUTE, RequestTrace } from '../observe/http-observer.ts';
import { networkOf } from '../protection/connections-per-address.ts';
import type { LongAnswers } from '../protection/long-answers.ts';
import { MAX_WAITING, type Scheduler } from '../protection/scheduler.ts';
import { CLIENT_GONE, type Client, type Refusal, WAITED_TOO_LONG } from '../protection/scheduler-client.ts';
import { holdBack } from '../protection/tarpit.ts';
import { acceptWeights } from './accept.ts';
import { type Answer, type ApiRequest, isEventStream } from './answer.ts';
import { METHODS, methodNotAllowed, POST_METHODS } from './client-error.ts';
import { type HeaderLines, headerLines } from './head.ts';
import { ALLOWED_HEADERS, BODY_HEADERS } from './headers.ts';
import { problemAnswer, rpcProblemAnswer } from './problem.ts';
import { type BodyReader, NO_BODY } from './request-body.ts';
import { acceptRequestId, newRequestId } from './request-id.ts';
import type { MatchedRoute, Routes } from './route-matcher.ts';
import { transmit } from './transmit.ts';
import { clientAddress } from './trusted-proxy.ts';

/** What all requests of one server share. */
export interface RequestServices {
  readonly context: ServiceContext;
  readonly routes: Routes;
  readonly scheduler: Scheduler;
  readonly longAnswers: LongAnswers<ServerResponse>;
  readonly bodies: BodyReader;
  /** On every answer, beside its request id. */
  readonly commonHeaders: HeaderLines;
  readonly idleSeconds: number;
}

type Granted = Exclude<Grant, { readonly refusal: ApiError }>;

export class ActiveRequest {
  readonly #services: RequestServices;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #trace: RequestTrace;
  readonly #caller: Caller;
  #headers: HeaderLines;
  #query = '';
  /** Whose time slices it uses; known once it has started. */
  #client!: Client;
  /** Whether the client expects JSON-RPC. */
  #isRpc = false;

  constructor(services: RequestServices, request: IncomingMessage, response: ServerResponse) {
    const id = acceptRequestId(request.headers['x-request-id']) ?? newRequestId();
    const { headers, socket, url = '/' } = request;
    this.#services = services;
    this.#request = request;
    this.#response = response;
    this.#trace = new RequestTrace(request, id);
    this.#caller = { headers, url, connection: socket, address: addressOf(services.context, request) };
    // Both kinds of id hold only characters that a header may have.
    this.#headers = `x-request-id: ${id}\r\n${services.commonHeaders}`;
  }

  /** Waits for a turn, then answers. Every request passes the scheduler, so that no kind of request can take the thread. */
  start(pipelined: boolean): void {
    const { context, scheduler } = this.#services;
    const { headers } = this.#request;
    context.observer.taken();
    // A server that stops makes the client go elsewhere. After an `Upgrade` with a body Node loses what follows in the same piece.
    const bytesMayBeLost =
      headers.upgrade !== undefined && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined;
    if (context.state.stopping || bytesMayBeLost) this.#response.shouldKeepAlive = false;
    const route = this.#match();
    this.#trace.route = route.label;
    const begin = (refused: Refusal | null) => {
      if (this.#isGone()) context.observer.dropped();
      else if (refused !== null) this.#fail(REFUSALS[refused]);
      else this.#handle(route);
    };
    this.#client = this.#clientOf(route, pipelined);
    if (route.urgent && !pipelined) scheduler.urgent(() => begin(null));
    else scheduler.admit(this.#client, begin);
  }

  #clientOf({ needsApiKey }: MatchedRoute, pipelined: boolean): Client {
    const { context, scheduler } = this.#services;
    const key = needsApiKey ? context.identify(this.#caller) : null;
    if (key !== null) return scheduler.clientOf(`key ${key.id}`, key.tier.weight, pipelined);
    return scheduler.clientOf(networkOf(this.#caller.address), 1, pipelined);
  }

  readonly #isGone = (): boolean => this.#request.socket.destroyed;

  #match(): MatchedRoute {
    const { method, url = '/' } = this.#request;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    this.#query = mark < 0 ? '' : url.slice(mark + 1);
    this.#isRpc = method === 'POST' && this.#services.routes.isPost(path);
    try {
      requireHost(this.#request);
      if (method === 'OPTIONS' || method === undefined) return this.#preflight(path);
      const isRead = method === 'GET' || method === 'HEAD';
      const route = isRead || method === 'POST' ? this.#services.routes.find(path) : null;
      if (route === null && isRead) return this.#missing(path);
      const calls = this.#services.routes.isPost(path);
      if (route === null || isRead === calls) {
        const allowed = calls ? POST_METHODS : METHODS;
        this.#headers += headerLines('allow', allowed);
        throw methodNotAllowed(method, allowed);
      }
      route.post?.check(this.#request);
      return route;
    } catch (error) {
      return { ...PREFLIGHT_ROUTE, handle: () => Promise.reject(error) };
    }
  }

  #preflight(path: string): MatchedRoute {
    return this.#services.routes.isPost(path) ? { ...PREFLIGHT_ROUTE, handle: () => POST_PREFLIGHT } : PREFLIGHT_ROUTE;
  }

  #missing(path: string): MatchedRoute {
    const missing = notFound(this.#services.context, path);
    const isBrowser = (acceptWeights(this.#request.headers.accept ?? '').get('text/html') ?? 0) > 0;
    if (!isBrowser) throw missing;
    return { ...PREFLIGHT_ROUTE, handle: request => this.#missingPage(request, missing) };
  }

  /** The explorer, which says that there is no such page; the problem if the explorer is not built. */
  async #missingPage(request: ApiRequest, missing: ApiError): Promise<Answer> {
    const { 'if-none-match': _, ...headers } = request.headers;
    const page = await this.#services.routes.find('/')?.handle({ ...request, headers });
    if (page === undefined) throw missing;
    this.#trace.code = missing.code;
    return { ...page, status: 404 };
  }

  #handle(route: MatchedRoute): void {
    try {
      // Before anything is parsed, and without throwing: a request that is refused must cost little.
      const grant = route.needsApiKey ? this.#services.context.authenticate(this.#caller) : NO_API_KEY;
      this.#headers += grant.headers;
      this.#trace.key = grant.key;
      if ('refusal' in grant) {
        this.#refuse(grant.refusal, grant.holdMs);
        return;
      }
      if (route.post === null) this.#answer(route, grant, NO_BODY);
      else this.#readBody(route, route.post.maxBodyBytes, grant);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** When the body has arrived, the request waits for another turn. It is not refused any more: it was counted. */
  #readBody(route: MatchedRoute, maxBytes: number, grant: Granted): void {
    const { context, scheduler, bodies } = this.#services;
    const read = (body: Buffer) =>
      scheduler.admit(this.#client, () => {
        if (this.#isGone()) context.observer.dropped();
        else this.#answer(route, grant, body);
      });
    bodies.read(this.#request, maxBytes, read, this.#fail, () => context.observer.dropped());
  }

  #answer(route: MatchedRoute, { tier, key, sign }: Granted, body: Buffer): void {
    try {
      const { headers, socket, method } = this.#request;
      const isHead = method === 'HEAD';
      const answer = route.handle({
        headers,
        socket,
        run: this.#run,
        slot: this.#slot,
        requester: { client: this.#client.id, isGone: this.#isGone },
        query: this.#query,
        rest: route.rest,
        tier,
        key,
        isHead,
        sign: sign ?? null,
        body,
      });
      if (answer instanceof Promise) answer.then(this.#send).catch(this.#fail);
      else this.#send(answer);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #slot: ApiRequest['slot'] = work => this.#services.scheduler.slot(this.#client, work, this.#isGone);

  readonly #run: RunSteps = steps => this.#services.scheduler.run(this.#client, steps, this.#isGone);

  /** A client that goes on after many refusals is answered late. */
  #refuse(refusal: ApiError, holdMs: number): void {
    if (holdMs === 0) {
      this.#fail(refusal);
      return;
    }
    const { observer } = this.#services.context;
    observer.held(1);
    holdBack(this.#request.socket, holdMs, isOpen => {
      observer.held(-1);
      if (isOpen) this.#fail(refusal);
      else observer.dropped();
    });
  }

  readonly #fail = (error: unknown): void => {
    const { context } = this.#services;
    const { id } = this.#trace;
    if (error === CLIENT_GONE) {
      context.observer.dropped();
      return;
    }
    const problem = error === WAITED_TOO_LONG ? REFUSALS.late : toApiError(context, error, id);
    this.#trace.code = problem.code;
    this.#send((this.#isRpc ? rpcProblemAnswer : problemAnswer)(problem, id, context.now()));
  };

  readonly #send = (answer: Answer): void => {
    const { idleSeconds, longAnswers, scheduler } = this.#services;
    const response = this.#response;
    const piece = <T>(work: () => T | Promise<T>) => scheduler.piece(this.#client, work, this.#isGone);
    const withBody = this.#request.method !== 'HEAD';
    const sent = transmit(response, { answer, always: this.#headers, withBody, idleSeconds, longAnswers, piece });
    if (sent instanceof Promise && answer.body !== null && isEventStream(answer.body)) {
      this.#stream(answer.status, sent);
    } else if (sent instanceof Promise) {
      sent.then(bytes => this.#end(answer.status, bytes, !response.writableFinished)).catch(this.#fail);
    } else this.#end(answer.status, sent, false);
  };

  /** It is logged at its end. Most clients end it by disconnecting. */
  #stream(status: number, sent: Promise<number | null>): void {
    const { observer } = this.#services.context;
    this.#trace.beginStream();
    observer.streaming(1);
    sent.then(bytes => {
      observer.streaming(-1);
      this.#end(status, bytes, false);
    });
  }

  /** `bytes`: null if nothing was sent because the client had gone. */
  #end(status: number, bytes: number | null, aborted: boolean): void {
    const { observer } = this.#services.context;
    if (bytes === null) observer.dropped();
    else observer.answered(this.#trace.end(status, bytes, aborted));
  }
}

export function addressOf(context: ServiceContext, { headers, socket }: IncomingMessage): string {
  return clientAddress(context, headers, socket.remoteAddress);
}

const NO_API_KEY: Grant = { tier: TIERS.free, key: null, headers: '' };

/** Made once: refusing must cost next to nothing. It comes before the API key is looked at, so it costs the client nothing either. */
const REFUSALS: Readonly<Record<Refusal, ApiError>> = {
  late: new ApiError('overloaded', 'The request has waited too long for its turn.', {
    hint: 'Retry after Retry-After seconds, and send fewer requests at once.',
  }),
  'too many': new ApiError(
    'too_many_at_once',
    `${MAX_WAITING} requests of this API key or address wait for their turn.`,
    {
      hint: 'Retry after Retry-After seconds, and send fewer requests at once.',
    },
  ),
};

const PREFLIGHT = preflight(METHODS, ALLOWED_HEADERS);
/** Only pages that `check` of the route lets through get an answer to their POST. */
const POST_PREFLIGHT = preflight(POST_METHODS, `${ALLOWED_HEADERS}, ${BODY_HEADERS}`);

function preflight(methods: string, headers: string): Answer {
  return {
    status: 204,
    headers: headerLines(
      'allow',
      methods,
      'access-control-allow-methods',
      methods,
      'access-control-allow-headers',
      headers,
      'access-control-max-age',
      86_400,
    ),
    body: null,
  };
}

const PREFLIGHT_ROUTE: MatchedRoute = {
  label: NO_ROUTE,
  needsApiKey: false,
  urgent: false,
  handle: () => PREFLIGHT,
  post: null,
  rest: '',
};

/** RFC 9112 3.2. Only HTTP/1.0 may omit it. */
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
  return new ApiError('not_found', 'There is no endpoint at this path.', {
    hint: `/v1/catalog lists the datasets; the listing is at /v1/${context.group}/${TA_CUR.name}.`,
  });
}

/** An error that the client did not cause says nothing of the inside; the log has it under the same request id. */
function toApiError(context: ServiceContext, error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  context.onInternalError(error, requestId);
  return new ApiError('internal', 'The service failed.', {
    hint: 'Retry. If it fails again, tell the operator the request_id.',
  });
}
