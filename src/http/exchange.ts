// One request and its response: who sent it, what is recorded of it, and the answer to what fails.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { TIERS } from '../domain/tiers.ts';
import { ApiError } from '../errors.ts';
import type { Caller, Grant, Granted } from './authentication/grant.ts';
import { RequestTrace } from './observe/http-observer.ts';
import { REFUSALS } from './protection/refusals.ts';
import type { Scheduler } from './protection/scheduler.ts';
import { type Client, WAITED_TOO_LONG } from './protection/scheduler-client.ts';
import type { MatchedRoute } from './routes.ts';
import type { HttpService } from './service.ts';
import type { Answer, ApiRequest } from './wire/answer.ts';
import type { HeaderLines } from './wire/head.ts';
import { networkOf } from './wire/network.ts';
import { acceptRequestId, newRequestId } from './wire/request-id.ts';
import { clientAddress } from './wire/trusted-proxy.ts';

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly trace: RequestTrace;
  /** Of every answer; those of the limits are added. */
  headers: HeaderLines;
  readonly #service: HttpService;
  readonly #caller: Caller;

  constructor(service: HttpService, request: IncomingMessage, response: ServerResponse, commonHeaders: HeaderLines) {
    const id = acceptRequestId(request.headers['x-request-id']) ?? newRequestId();
    const { headers, socket, url = '/' } = request;
    this.#service = service;
    this.request = request;
    this.response = response;
    this.trace = new RequestTrace(request, id);
    this.#caller = { headers, url, connection: socket, address: addressOf(service, request) };
    // Both kinds of id hold only characters that a header may have.
    this.headers = `x-request-id: ${id}\r\n${commonHeaders}`;
    // A server that stops makes the client go elsewhere. After an `Upgrade` with a body Node loses what follows in the same piece.
    const bytesMayBeLost =
      headers.upgrade !== undefined && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined;
    if (service.state.stopping || bytesMayBeLost) response.shouldKeepAlive = false;
  }

  /** The head of a stream was sent. Returns what to call at its end. */
  beginStream(): () => void {
    const { observer } = this.#service;
    this.trace.beginStream();
    observer.streaming(1);
    return () => observer.streaming(-1);
  }

  readonly isGone = (): boolean => this.request.socket.destroyed;

  /** Whose time slices the request uses. */
  clientOf(scheduler: Scheduler, { needsApiKey }: MatchedRoute, pipelined: boolean): Client {
    const key = needsApiKey ? this.#service.identify(this.#caller) : null;
    if (key !== null) return scheduler.clientOf(`key ${key.id}`, key.tier.weight, pipelined);
    return scheduler.clientOf(networkOf(this.#caller.address), 1, pipelined);
  }

  /** Checks and counts the API key, if the route needs one. */
  authenticate({ needsApiKey }: MatchedRoute): Grant {
    const grant = needsApiKey ? this.#service.authenticate(this.#caller) : NO_API_KEY;
    this.headers += grant.headers;
    this.trace.key = grant.key;
    return grant;
  }

  /** What the handler gets. */
  toHandle(
    scheduler: Scheduler,
    client: Client,
    rest: string,
    grant: Granted,
    body: Buffer,
    began: number,
  ): ApiRequest {
    const { headers, socket, method } = this.request;
    const { isGone } = this;
    return {
      headers,
      socket,
      run: steps => scheduler.run(client, steps, isGone),
      slot: work => scheduler.slot(client, work, isGone),
      requester: { client: client.id, isGone },
      rest,
      tier: grant.tier,
      key: grant.key,
      isHead: method === 'HEAD',
      sign: grant.sign ?? null,
      body,
      began,
    };
  }

  /** An error that the client did not cause says nothing of the inside; the log has it under the same request id. */
  problem(error: unknown, { problem }: MatchedRoute): Answer {
    const { id } = this.trace;
    const isRefusal = error instanceof ApiError;
    if (!isRefusal && error !== WAITED_TOO_LONG) this.#service.onInternalError(error, id);
    const shown = isRefusal ? error : error === WAITED_TOO_LONG ? REFUSALS.late : FAILED;
    return problem(shown, id, this.#service.now());
  }
}

export function addressOf(service: Pick<HttpService, 'trustProxy'>, { headers, socket }: IncomingMessage): string {
  return clientAddress(service, headers, socket.remoteAddress);
}

const NO_API_KEY: Grant = { tier: TIERS.free, key: null, headers: '' };

const FAILED = new ApiError('internal', 'The service failed.', {
  hint: 'Retry. If it fails again, tell the operator the request_id.',
});
