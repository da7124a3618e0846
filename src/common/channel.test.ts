import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { Channel, type Handlers } from './channel.ts';

interface Server {
  double(n: number): number;
  fail(code: string): never;
  wait(name: string): string;
  note(text: string): void;
}

/** A client of these handlers; both ends are closed at the end of the test. */
function connected(handlers: Partial<Handlers<Server>>): Channel<object, Server> & Disposable {
  const { port1, port2 } = new MessageChannel();
  new Channel<Server, object>(port1, handlers as Handlers<Server>);
  const client = new Channel<object, Server>(port2, {});
  return Object.assign(client, {
    [Symbol.dispose]: () => port1.close(),
  });
}

describe('a channel between threads', () => {
  it('gives each request its own reply, in whatever order the replies come', async () => {
    const first = Promise.withResolvers<string>();
    using client = connected({ wait: name => (name === 'first' ? first.promise : name), double: n => 2 * n });
    const waiting = client.request('wait', 'first');
    assert.equal(await client.request('double', 21), 42);
    assert.equal(await client.request('wait', 'second'), 'second');
    first.resolve('first');
    assert.equal(await waiting, 'first');
  });

  it('handles what is sent and what is requested in order', async () => {
    const notes: string[] = [];
    using client = connected({ note: text => void notes.push(text), double: () => notes.length });
    client.send('note', 'a');
    client.send('note', 'b');
    assert.equal(await client.request('double', 0), 2);
    assert.deepEqual(notes, ['a', 'b']);
  });

  it('passes on the message and the code of an error', async () => {
    using client = connected({
      fail: code => {
        throw Object.assign(new Error('cannot listen'), { code });
      },
    });
    await assert.rejects(client.request('fail', 'EADDRINUSE'), { message: 'cannot listen', code: 'EADDRINUSE' });
  });

  it('fails for a result that cannot be sent', async () => {
    using client = connected({ wait: () => (() => {}) as unknown as string });
    await assert.rejects(client.request('wait', ''), /could not be cloned/);
  });

  it('tells the handler that a reply is no longer wanted, and still gives its reply', async () => {
    using client = connected({
      wait: (_, signal) => new Promise(resolve => signal.addEventListener('abort', () => resolve('withdrawn'))),
    });
    const wanted = new AbortController();
    const reply = client.request('wait', '', wanted.signal);
    wanted.abort();
    assert.equal(await reply, 'withdrawn');
  });

  it('fails the requests to a side that has ended', async () => {
    using client = connected({ wait: () => new Promise(() => {}) });
    const reply = client.request('wait', '');
    client.close(new Error('the thread ended'));
    await assert.rejects(reply, /the thread ended/);
    await assert.rejects(client.request('wait', ''), /the thread ended/);
  });

  it('aborts the requests of a side that has ended', async () => {
    const { port1, port2 } = new MessageChannel();
    const aborted = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const server = new Channel<Pick<Server, 'wait'>, object>(port1, {
      wait: (_, signal) => {
        signal.addEventListener('abort', () => aborted.resolve());
        begun.resolve();
        return new Promise(() => {});
      },
    });
    void new Channel<object, Server>(port2, {}).request('wait', '');
    await begun.promise;
    server.close(new Error('the thread ended'));
    await aborted.promise;
    port1.close();
  });
});
