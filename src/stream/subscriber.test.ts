import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deliveries, Subscriber } from './subscriber.ts';
import type { Topic } from './topic.ts';

const MESSAGE = Buffer.alloc(1000);

/** A topic that never changes. */
function topic(): Topic {
  return {
    subscribers: new Set(),
    listing: null,
    version: 1,
    since: () => null,
    refresh: () => assert.fail(),
    release: () => {},
  };
}

/** A connection that takes nothing until `read` is called. */
function slowSink() {
  const sent: (() => void)[] = [];
  const sink = {
    isOpen: true,
    isCut: false,
    write: (bytes: Buffer, onSent: () => void) => {
      sent.push(onSent);
      return bytes.length - 1;
    },
    end: () => {},
    cut: () => {
      sink.isCut = true;
    },
  };
  return { sink, read: () => sent.shift()?.() };
}

describe('messages that clients do not read', () => {
  it('count whole, and once however many clients have not read them', () => {
    const deliveries = new Deliveries(10_000, () => {});
    const clients = [slowSink(), slowSink(), slowSink()];
    for (const { sink } of clients) new Subscriber(topic(), null, sink, deliveries, 0).send(MESSAGE, 0);
    assert.equal(deliveries.pendingBytes, 1000);
    clients[0]!.read();
    clients[1]!.read();
    assert.equal(deliveries.pendingBytes, 1000);
    clients[2]!.read();
    assert.equal(deliveries.pendingBytes, 0);
  });

  it('beyond the bound close the connection of the client that would exceed it', () => {
    const deliveries = new Deliveries(2500, () => {});
    const clients = Array.from({ length: 3 }, slowSink);
    const subscribers = clients.map(({ sink }) => new Subscriber(topic(), null, sink, deliveries, 0));
    for (const subscriber of subscribers) subscriber.send(Buffer.alloc(1000), 0);
    assert.deepEqual(
      clients.map(({ sink }) => sink.isCut),
      [false, false, true],
    );
    subscribers[2]!.closed();
    assert.equal(deliveries.pendingBytes, 2000);
  });
});
