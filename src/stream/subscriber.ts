// One client of a stream. While its connection does not take the last bytes, nothing more is sent; then it gets the newest state at
// once. A client that reads slowly therefore costs no more memory than one message.

import type { Sink } from '../http/wire/answer.ts';
import type { Recipient, Topic } from './topic.ts';

/** What all subscribers of a thread share. */
export class Deliveries {
  readonly maxPendingBytes: number;
  readonly onUpdate: () => void;
  /** How many connections have not taken all of each message. */
  readonly #pending = new Map<Buffer, number>();
  /** Of the messages that some connection has not taken: a message stays in memory as a whole, once for all of its recipients. */
  pendingBytes = 0;

  constructor(maxPendingBytes: number, onUpdate: () => void) {
    this.maxPendingBytes = maxPendingBytes;
    this.onUpdate = onUpdate;
  }

  hold(message: Buffer): void {
    const holders = this.#pending.get(message) ?? 0;
    this.#pending.set(message, holders + 1);
    if (holders === 0) this.pendingBytes += message.length;
  }

  release(message: Buffer): void {
    const holders = this.#pending.get(message);
    if (holders === undefined) return;
    if (holders > 1) this.#pending.set(message, holders - 1);
    else {
      this.#pending.delete(message);
      this.pendingBytes -= message.length;
    }
  }
}

export class Subscriber implements Recipient {
  readonly topic: Topic;
  /** Public id of the API key; null without one. */
  readonly key: string | null;
  readonly #sink: Sink;
  readonly #deliveries: Deliveries;
  /** What the client has seen. */
  #version: number;
  #isBusy = false;
  /** The message that the connection has not taken. */
  #pending: Buffer | null = null;
  #lastSent: number;

  constructor(topic: Topic, key: string | null, sink: Sink, deliveries: Deliveries, now: number) {
    this.topic = topic;
    this.key = key;
    this.#sink = sink;
    this.#deliveries = deliveries;
    this.#version = topic.version;
    this.#lastSent = now;
  }

  /** Sends what the client has not seen, unless it still reads. */
  update(now: number): void {
    if (this.#isBusy || this.#version === this.topic.version) return;
    const bytes = this.topic.since(this.#version);
    this.#version = this.topic.version;
    if (bytes === null) return;
    this.#deliveries.onUpdate();
    this.send(bytes, now);
  }

  /** Sends bytes to keep the connection open if it was silent for so long. */
  keepAlive(bytes: Buffer, now: number, silentMs: number): void {
    if (!this.#isBusy && now - this.#lastSent >= silentMs) this.send(bytes, now);
  }

  send(bytes: Buffer, now: number): void {
    if (!this.#sink.isOpen) return;
    this.#lastSent = now;
    const left = this.#sink.write(bytes, this.#sent);
    if (left === 0) return;
    this.#isBusy = true;
    this.#pending = bytes;
    this.#deliveries.hold(bytes);
    if (this.#deliveries.pendingBytes > this.#deliveries.maxPendingBytes) this.#sink.cut();
  }

  end(bytes: Buffer): void {
    if (this.#sink.isOpen) this.#sink.end(bytes);
  }

  /** The connection has closed. */
  closed(): void {
    this.#isBusy = true;
    this.#settle();
  }

  readonly #sent = (): void => {
    this.#settle();
    if (!this.#sink.isOpen) return;
    this.#isBusy = false;
    this.update(performance.now());
  };

  #settle(): void {
    if (this.#pending !== null) this.#deliveries.release(this.#pending);
    this.#pending = null;
  }
}
