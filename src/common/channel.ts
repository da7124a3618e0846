// Calls between two threads. Each side has a handler per name. A call is either sent, or a request that gets the handler's result as its
// reply, or the error with which it failed.

import { HintedError } from './hinted-error.ts';

/** Of one side: what it does for the other. Each of its methods has at most one argument. */
type Side = object;
export type Argument<S extends Side, Name extends keyof S> = S[Name] extends (argument: infer A) => unknown ? A : never;
type Reply<S extends Side, Name extends keyof S> = S[Name] extends (argument: never) => infer R ? R : never;

/** `signal`: the other side no longer needs the reply, or has ended. */
export type Handlers<S extends Side> = {
  readonly [Name in keyof S]: (
    argument: Argument<S, Name>,
    signal: AbortSignal,
  ) => Reply<S, Name> | Promise<Reply<S, Name>>;
};

/** A `Worker`, or the `parentPort` of its thread. */
interface Port {
  on(event: 'message', listener: (message: Message) => void): unknown;
  postMessage(message: Message): void;
}

/** A call without `id` gets no reply. */
type Message =
  | { readonly name: string; readonly argument: unknown; readonly id?: number }
  | { readonly cancelled: number }
  | { readonly replied: number; readonly reply: unknown }
  | { readonly replied: number; readonly error: SentError };

/** The parts of an error that are read; a thread would send an error without its code. */
interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code?: unknown;
  readonly hint?: string;
}

/** An error of the other side that a person can act on. */
class OtherSidesError extends HintedError {}

type Handler = (argument: unknown, signal: AbortSignal) => unknown;

const NEVER = new AbortController().signal;

export class Channel<Own extends Side, Other extends Side> {
  readonly #port: Port;
  readonly #handlers: Readonly<Record<string, Handler>>;
  /** Our requests that wait for a reply. */
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  /** Requests of the other side that are being handled. */
  readonly #handled = new Map<number, AbortController>();
  #lastId = 0;
  /** Once the other side has ended. */
  #closed: Error | null = null;

  constructor(port: Port, handlers: Handlers<Own>) {
    this.#port = port;
    this.#handlers = handlers as Readonly<Record<string, Handler>>; // by the names of `Own`, with its arguments
    port.on('message', message => this.#receive(message));
  }

  /** Without a reply: an error in the handler is uncaught there. */
  send<Name extends keyof Other & string>(name: Name, argument: Argument<Other, Name>): void {
    this.#port.postMessage({ name, argument });
  }

  /** After `signal`, the other side may reply early; it replies in any case. */
  request<Name extends keyof Other & string>(
    name: Name,
    argument: Argument<Other, Name>,
    signal?: AbortSignal,
  ): Promise<Reply<Other, Name>> {
    if (this.#closed !== null) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#port.postMessage({ name, argument, id });
    signal?.addEventListener('abort', () => {
      if (this.#waiting.has(id)) this.#port.postMessage({ cancelled: id });
    });
    return waiting.promise as Promise<Reply<Other, Name>>; // the handler of that name gives it
  }

  /** The other side has ended: requests fail with this error, later ones too, and the signals of the requests that it made are aborted. */
  close(error: Error): void {
    this.#closed = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const handled of this.#handled.values()) handled.abort();
  }

  #receive(message: Message): void {
    if ('cancelled' in message) this.#handled.get(message.cancelled)?.abort();
    else if ('replied' in message) this.#settle(message);
    else if (message.id === undefined) void this.#handlers[message.name]!(message.argument, NEVER);
    else void this.#reply(message.id, message.name, message.argument);
  }

  #settle(message: Extract<Message, { replied: number }>): void {
    const waiting = this.#waiting.get(message.replied);
    this.#waiting.delete(message.replied);
    if ('reply' in message) waiting?.resolve(message.reply);
    else waiting?.reject(receivedError(message.error));
  }

  async #reply(replied: number, name: string, argument: unknown): Promise<void> {
    const handled = new AbortController();
    this.#handled.set(replied, handled);
    try {
      const reply = await this.#handlers[name]!(argument, handled.signal);
      this.#port.postMessage({ replied, reply });
    } catch (error) {
      this.#port.postMessage({ replied, error: sentError(error) });
    } finally {
      this.#handled.delete(replied);
    }
  }
}

function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  const { message, stack } = error;
  return {
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(error instanceof HintedError ? { hint: error.hint } : {}),
  };
}

function receivedError(sent: SentError): Error {
  const { message, hint } = sent;
  return Object.assign(hint === undefined ? new Error(message) : new OtherSidesError(message, hint), sent);
}
