// Server-Sent Events over `fetch`, which unlike `EventSource` can send an API key: the text format, and connecting again after a loss.

import { ApiError, NetworkError } from './errors.ts';
import { backOff, delay } from './retry.ts';
import type { RequestOptions, Transport } from './transport.ts';

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** The `version` of the last event that the program has seen: the stream continues after it. */
  readonly lastEventId?: string | number;
}

export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** Of this event, or of the last one that had an id. */
  readonly id: string;
}

/** What a reader of the stream keeps for the next connection. */
interface Place {
  lastEventId: string;
  /** Milliseconds that the service asks to wait before the next connection; null: it does not say. */
  retry: number | null;
}

/** The events of the service, with the members of their data. */
export async function* events<Event>(
  transport: Transport,
  path: string,
  query: object,
  options: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  for await (const { event, data } of serverSentEvents(transport, path, query, options)) {
    // The service sends JSON, of the form that its documentation states.
    if (event !== 'goodbye') yield { event, ...(JSON.parse(data) as object) } as Event;
  }
}

/**
 * Every event, for as long as the loop runs. After a broken connection, or when the server stops, it connects again and continues
 * after the last event. It ends by `break`, by the signal, or by an error that a repetition cannot mend.
 */
export async function* serverSentEvents(
  transport: Transport,
  path: string,
  query: object,
  { signal, lastEventId = '' }: StreamOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const place: Place = { lastEventId: String(lastEventId), retry: null };
  let failures = 0;
  for (let connected = false; ; ) {
    try {
      const response = await connect(transport, path, query, place, signal);
      connected = true;
      for await (const event of read(response, place, transport.timeout)) {
        failures = 0;
        yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // Before the first connection the program should learn of the failure; after it, the service may be restarting.
      const passes = error instanceof ApiError ? error.status >= 500 : error instanceof NetworkError;
      if (!connected || !passes) throw error;
    }
    await delay(place.retry ?? backOff(++failures), signal);
    place.retry = null;
  }
}

function connect(
  transport: Transport,
  path: string,
  query: object,
  { lastEventId }: Place,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const resume = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
  const options: RequestOptions = {
    signal,
    headers: { accept: 'text/event-stream', ...resume },
    cache: 'no-store',
  };
  return transport.send(path, query, async response => response, options);
}

/** The lines of https://html.spec.whatwg.org/multipage/server-sent-events.html. Ends when the connection does. */
async function* read(response: Response, place: Place, timeout: number): AsyncGenerator<ServerSentEvent> {
  const reader = response.body!.getReader(); // `fetch` has one for every GET with status 200
  const decoder = new TextDecoder();
  /** Of a line that has not ended yet. */
  let text = '';
  let [event, id] = ['', place.lastEventId];
  let data: string[] = [];
  let endedWithCr = false;
  try {
    for (;;) {
      const chunk = await within(timeout, reader.read());
      if (chunk.done) return;
      const decoded = decoder.decode(chunk.value, { stream: true });
      if (decoded === '') continue;
      // A CR ends its line at once, because nothing may follow for long; if a LF does, it belongs to it.
      const lines = (endedWithCr ? decoded.replace(/^\n/, '') : decoded).split(/\r\n|\n|\r/);
      endedWithCr = decoded.endsWith('\r');
      lines[0] = text + lines[0];
      text = lines.pop()!; // a split has at least one part
      for (const line of lines) {
        const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!; // matches every text
        if (name === 'event') event = value;
        else if (name === 'data') data.push(value);
        else if (name === 'id' && !value.includes('\0')) id = value;
        else if (name === 'retry' && /^\d+$/.test(value)) place.retry = Number(value);
        if (line !== '') continue;
        place.lastEventId = id;
        if (data.length > 0) yield { event, data: data.join('\n'), id };
        [event, data] = ['', []];
      }
    }
  } finally {
    // Closes the connection after a `break`. What a broken one says to it is of no interest.
    reader.cancel().catch(() => {});
  }
}

/** A server that is silent for longer than its heartbeat is gone, even if the connection looks open. */
async function within<T>(timeout: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NetworkError(`nothing received for ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([work, limit]);
  } catch (cause) {
    throw cause instanceof NetworkError ? cause : new NetworkError('the connection broke', { cause });
  } finally {
    clearTimeout(timer);
  }
}
