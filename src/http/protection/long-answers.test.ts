import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { LongAnswers } from './long-answers.ts';

class Client extends EventEmitter {
  readonly address: string;
  destroyed = false;
  #finish: () => void = () => {};
  began = false;
  ended = false;
  refusal: unknown = null;

  constructor(answers: LongAnswers<Client>, address = '192.0.2.1') {
    super();
    this.address = address;
    const send = () =>
      new Promise<void>(resolve => {
        this.began = true;
        this.#finish = resolve;
      });
    queueMicrotask(() =>
      answers
        .send(this, send)
        .catch(error => {
          this.refusal = error;
        })
        .finally(() => {
          this.ended = true;
        }),
    );
  }

  finish(): Promise<void> {
    this.#finish();
    return turn();
  }

  goAway(): Promise<void> {
    this.destroyed = true;
    this.emit('close');
    return turn();
  }
}

function twoAtOnce({ maxWaitMs = 60_000 } = {}) {
  const queue = { length: 0 };
  const onWaiting = (change: number) => {
    queue.length += change;
  };
  const answers = new LongAnswers<Client>(({ address }) => address, onWaiting, { most: 2, maxWaitMs });
  return { answers, queue };
}

async function clients(answers: LongAnswers<Client>, ...addresses: readonly string[]): Promise<Client[]> {
  const all = addresses.map(address => new Client(answers, address));
  await turn();
  return all;
}

const began = (all: readonly Client[]) => all.map(client => client.began);

describe('long answers', () => {
  it('are sent at once as long as their address has places', async () => {
    const { answers, queue } = twoAtOnce();
    const all = await clients(answers, '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2');
    assert.deepEqual(began(all), [true, true, true, true]);
    assert.equal(queue.length, 0);
    await Promise.all(all.map(client => client.finish()));
    assert.ok(all.every(client => client.ended));
  });

  it('of an address without a place wait, in the order in which they came', async () => {
    const { answers, queue } = twoAtOnce();
    const all = await clients(answers, ...Array<string>(4).fill('192.0.2.1'), '192.0.2.2');
    assert.deepEqual(began(all), [true, true, false, false, true]);
    assert.equal(queue.length, 2);
    await all[1]!.finish();
    assert.deepEqual(began(all), [true, true, true, false, true]);
    await all[2]!.finish();
    assert.deepEqual(began(all), [true, true, true, true, true]);
    assert.equal(queue.length, 0);
  });

  it('share the places of an IPv6 network', async () => {
    const { answers } = twoAtOnce();
    const all = await clients(answers, '2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::3');
    assert.deepEqual(began(all), [true, true, false, true]);
  });

  it('are not sent to clients that have gone while they waited', async () => {
    const { answers, queue } = twoAtOnce();
    const all = await clients(answers, ...Array<string>(4).fill('192.0.2.1'));
    await all[2]!.goAway();
    assert.ok(all[2]!.ended);
    assert.equal(all[2]!.refusal, null);
    assert.equal(queue.length, 1);
    await all[0]!.finish();
    assert.deepEqual(began(all), [true, true, false, true]);
  });

  it('are not sent to clients that had gone before', async () => {
    const { answers, queue } = twoAtOnce();
    await clients(answers, ...Array<string>(2).fill('192.0.2.1'));
    const late = new Client(answers);
    late.destroyed = true;
    await turn();
    assert.deepEqual([late.began, late.ended, queue.length], [false, true, 0]);
  });

  it('give their place back when a client goes away, and only once', async () => {
    const { answers } = twoAtOnce();
    const all = await clients(answers, ...Array<string>(3).fill('192.0.2.1'));
    await all[2]!.goAway();
    await all[0]!.finish();
    await all[1]!.finish();
    const later = await clients(answers, ...Array<string>(3).fill('192.0.2.1'));
    assert.deepEqual(began(later), [true, true, false]);
  });

  it('are refused when they have waited for too long', async () => {
    const { answers, queue } = twoAtOnce({ maxWaitMs: 1 });
    const all = await clients(answers, ...Array<string>(3).fill('192.0.2.1'));
    while (!all[2]!.ended) await turn();
    const { refusal } = all[2]!;
    assert.ok(refusal instanceof ApiError);
    assert.equal(refusal.code, 'overloaded');
    assert.equal(queue.length, 0);
    await all[0]!.finish();
    assert.deepEqual(began(all), [true, true, false]);
    assert.deepEqual(began(await clients(answers, '192.0.2.1')), [true]);
  });
});
