// A client of event streams for tests, written from the HTML standard: it parses fields and events as browsers do.

import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface StreamEvent {
  readonly name: string;
  /** The last `id` that was sent, of this event or of one before. */
  readonly id: string;
  readonly data: string;
}

/** A stream that says nothing for this long is broken. */
const SILENCE_MS = 10_000;

export class EventClient {
  readonly response: IncomingMessage;
  readonly #sent: ClientRequest;
  readonly events: StreamEvent[] = [];
  comments = 0;
  retryMs: number | null = null;
  ended = false;
  #read = 0;
  #rest = '';
  #fields = { name: 'message', data: [] as string[] };
  #id = '';
  #changed: () => void = () => {};

  /** Resolves with the response, whatever its status. */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventClient> {
    const sent = request(url, { headers, agent: false }).end();
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    return new EventClient(sent, response);
  }

  private constructor(sent: ClientRequest, response: IncomingMessage) {
    this.#sent = sent;
    this.response = response;
    response.setEncoding('utf8').on('data', text => this.#take(text));
    const end = () => {
      this.ended = true;
      this.#changed();
    };
    response.on('close', end).on('error', end);
    sent.on('error', end);
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get lastId(): string {
    return this.#id;
  }

  /** The next event, which must have this name. */
  async next(name?: string, silenceMs = SILENCE_MS): Promise<StreamEvent> {
    await this.until(() => this.events.length > this.#read, silenceMs);
    const event = this.events[this.#read++] ?? assert.fail('the stream ended');
    if (name !== undefined) assert.equal(event.name, name, event.data.slice(0, 300));
    return event;
  }

  /** The data of the next event. */
  async data<T>(name: string): Promise<T> {
    return JSON.parse((await this.next(name)).data);
  }

  async closed(): Promise<void> {
    await this.until(() => this.ended);
  }

  /** Waits until it holds, or the stream has ended. */
  async until(isTrue: () => boolean, silenceMs = SILENCE_MS): Promise<void> {
    const giveUp = performance.now() + silenceMs;
    while (!isTrue() && !this.ended) {
      assert.ok(performance.now() < giveUp, `nothing for ${silenceMs} ms`);
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, 1000);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#sent.destroy();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    this.#changed();
  }

  #line(line: string): void {
    if (line === '') {
      const { name, data } = this.#fields;
      this.#fields = { name: 'message', data: [] };
      if (data.length > 0) this.events.push({ name, id: this.#id, data: data.join('\n') });
      return;
    }
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === '') this.comments++;
    else if (field === 'event') this.#fields.name = value;
    else if (field === 'data') this.#fields.data.push(value);
    else if (field === 'id') this.#id = value;
    else if (field === 'retry') this.retryMs = Number(value);
    else assert.fail(`an unknown field: ${line}`);
  }
}
