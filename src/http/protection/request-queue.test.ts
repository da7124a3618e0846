import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { type Importance, RequestQueue } from './request-queue.ts';

/** A queue with a clock of its own, and a record of what became of each request, by its number. */
function queued(limitMs: number) {
  const time = { now: 1000 };
  const told = { waiting: 0 };
  const onQueued = (change: number) => {
    told.waiting += change;
  };
  const queue = new RequestQueue(limitMs, onQueued, () => time.now);
  const done: string[] = [];
  let number = 0;
  const take = (millis: number, importance: Importance = {}) => {
    const mine = number++;
    queue.take(refused => {
      done.push(refused ? `${mine} refused` : `${mine}`);
      time.now += refused ? 0 : millis;
    }, importance);
  };
  return { time, told, queue, done, take };
}

describe('the queue of requests', () => {
  it('lets requests through at once while the turn is young', () => {
    const { done, take } = queued(100);
    for (let i = 0; i < 10; i++) take(0.1);
    assert.equal(done.length, 10);
  });

  it('makes the others wait for the next turns, in the order of their arrival', async () => {
    const { queue, told, done, take } = queued(100);
    for (let i = 0; i < 6; i++) take(2);
    assert.deepEqual([done, queue.waiting, told.waiting], [['0'], 5, 5]);
    await nextTurn();
    assert.deepEqual(done, ['0', '1']);
    take(2);
    while (queue.waiting > 0) await nextTurn();
    assert.deepEqual(done, ['0', '1', '2', '3', '4', '5', '6']);
    assert.equal(told.waiting, 0);
    take(2);
    assert.equal(done.length, 8, 'once the queue is empty, requests are let through again');
  });

  it('refuses only requests that have waited longer than the limit', async () => {
    const { queue, done, take } = queued(100);
    for (let i = 0; i < 10; i++) take(30);
    while (queue.waiting > 0) await nextTurn();
    // The first one took 30 ms before the others came; 1 to 4 then waited 0, 30, 60 and 90 ms.
    const refused = [5, 6, 7, 8, 9].map(number => `${number} refused`);
    assert.deepEqual(done, ['0', '1', '2', '3', '4', ...refused]);
  });

  it('refuses no request for waiting while answering takes no longer than refusing', async () => {
    const { queue, done, take } = queued(100);
    for (let i = 0; i < 2000; i++) take(0.1);
    while (queue.waiting > 0) await nextTurn();
    assert.ok(done.length === 2000 && !done.join().includes('refused'), 'the last ones waited 200 ms');
    for (let i = 0; i < 100; i++) take(5);
    while (queue.waiting > 0) await nextTurn();
    assert.ok(done.slice(2000).join().includes('refused'), 'what takes longer is soon found out');
  });

  it('is not deceived by a machine that stops the thread now and then', async () => {
    const { queue, done, take } = queued(100);
    for (let i = 0; i < 2000; i++) take(i % 20 === 0 ? 10 : 0.1);
    while (queue.waiting > 0) await nextTurn();
    assert.ok(done.length === 2000 && !done.join().includes('refused'), 'the last ones waited a second');
  });

  it('answers some that are late, and notices by them that requests have become lighter', async () => {
    const { queue, done, take } = queued(100);
    const refused = () => done.filter(text => text.endsWith('refused')).length;
    for (let i = 0; i < 200; i++) take(5);
    while (queue.waiting > 0) await nextTurn();
    const heavy = refused();
    assert.ok(heavy > 100, `${heavy} are refused`);
    // So many at once that most are late whatever becomes of them.
    for (let i = 0; i < 15_000; i++) take(0.1);
    while (queue.waiting > 0) await nextTurn();
    const light = refused() - heavy;
    assert.ok(light < 5000, `${light} light ones are refused`);
  });

  it('never refuses urgent requests, and lets each wait for one other request at most', async () => {
    const { queue, done, take } = queued(100);
    for (let i = 0; i < 10; i++) take(30);
    take(1, { urgent: true });
    take(1, { urgent: true });
    while (queue.waiting > 0) await nextTurn();
    assert.deepEqual(done.slice(0, 5), ['0', '10', '1', '11', '2']);
    assert.equal(done.length, 12);
  });

  it('goes on with ordinary requests while urgent ones keep coming', async () => {
    const { queue, done, take } = queued(100);
    for (let i = 0; i < 100; i++) take(2, { urgent: i % 2 === 1 || i > 20 });
    while (queue.waiting > 0) await nextTurn();
    const last = Math.max(...[2, 4, 6, 8, 10].map(number => done.indexOf(`${number}`)));
    assert.ok(last < 20, `the fifth ordinary request is number ${last}`);
  });

  it('lets pipelined requests wait behind all others, also behind those that come later', async () => {
    const { done, take, queue } = queued(100);
    take(0.1, { pipelined: true });
    take(0.1, { pipelined: true });
    take(0.1);
    take(0.1, { urgent: true });
    assert.deepEqual(done, ['2', '3']);
    while (queue.waiting > 0) await nextTurn();
    assert.deepEqual(done, ['2', '3', '0', '1']);
  });

  it('pauses pipelined requests for twice the time that they took while there are others', async () => {
    const { time, done, take, queue } = queued(0);
    take(1);
    for (let i = 0; i < 4; i++) take(1, { pipelined: true });
    await nextTurn();
    assert.deepEqual(done, ['0', '1']);
    for (let i = 0; i < 3; i++) await nextTurn();
    assert.deepEqual(done, ['0', '1'], 'they have paused for no time yet');
    take(0.1);
    await nextTurn();
    assert.deepEqual(done, ['0', '1', '5'], 'another request does not wait, and does not end the pause');
    time.now += 2;
    while (done.length < 4) await wait(1);
    assert.deepEqual(done, ['0', '1', '5', '2']);
    await nextTurn();
    // The others have gone: no pause after the next one.
    time.now += 200;
    while (queue.waiting > 0) await wait(1);
    assert.deepEqual(done, ['0', '1', '5', '2', '3', '4']);
  });

  it('saves short pauses up, because a timer has whole milliseconds', async () => {
    const { done, take, queue } = queued(0);
    take(0.1);
    for (let i = 0; i < 12; i++) take(0.4, { pipelined: true });
    for (let i = 0; i < 6; i++) await nextTurn();
    // Two take 0.8 ms per turn, for which 1.6 ms are due; the pause begins after the second turn.
    assert.deepEqual([done.length, queue.waiting], [5, 8]);
  });

  it('does not pause pipelined requests for health checks', async () => {
    const { done, take, queue } = queued(0);
    take(0.1, { urgent: true });
    for (let i = 0; i < 6; i++) take(1, { pipelined: true });
    while (queue.waiting > 0) await nextTurn();
    assert.equal(done.length, 7);
  });

  it('ends a turn after a short time for pipelined requests, and does one after each pause however many others wait', async () => {
    const { done, take } = queued(0);
    for (let i = 0; i < 6; i++) take(0.3, { pipelined: true });
    await nextTurn();
    assert.deepEqual(done, ['0', '1']);
    for (let i = 0; i < 6; i++) take(2);
    for (let i = 0; i < 4; i++) await nextTurn();
    assert.deepEqual(done, ['0', '1', '6', '7', '8', '9', '10', '2']);
  });

  it('refuses late pipelined requests, but never urgent ones', async () => {
    const { done, take, queue } = queued(100);
    for (let i = 0; i < 10; i++) take(30, { pipelined: true });
    take(1, { pipelined: true, urgent: true });
    while (queue.waiting > 0) await nextTurn();
    assert.deepEqual(done.slice(3), ['3', ...[4, 5, 6, 7, 8, 9].map(i => `${i} refused`), '10']);
  });

  it('with the limit 0 refuses no request', async () => {
    const { queue, done, take } = queued(0);
    for (let i = 0; i < 10; i++) take(1e6);
    while (queue.waiting > 0) await nextTurn();
    assert.ok(done.length === 10 && !done.join().includes('refused'));
  });

  it('refuses what comes when more are waiting than there is room for', () => {
    const { queue, done, take } = queued(100);
    for (let i = 0; i < 20_010; i++) take(2);
    assert.deepEqual([queue.waiting, done.length], [20_000, 10]);
    assert.equal(done.filter(text => text.endsWith('refused')).length, 9);
  });

  it('refuses while timers come late over and over, until one is in time', () => {
    const { time, queue } = queued(200);
    const lagging = [1000, 1000, 1000, 50].map(millis => {
      time.now += millis;
      queue.tick();
      return queue.isLagging;
    });
    assert.deepEqual(lagging, [false, false, true, false]);
  });
});
