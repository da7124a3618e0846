import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomMarket, uniform } from '../../test/support/market.ts';
import type { Day } from '../domain/day.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import { bytesOfSnapshot, describeSnapshot } from '../snapshot/build/share.ts';
import { LentMemory } from './lent-memory.ts';
import { MAX_WAITING, MAX_WAITING_PER_CLIENT, type PastAnswer, PastDays } from './past-days.ts';

const EMPTY = describeSnapshot(buildSnapshot({ version: 1, rows: [], assets: [], now: 0 }));
const ofDay = (number: number, client = 'a') => ({
  fingerprint: 'one',
  client,
  interval: '1d' as const,
  day: number as Day, // any number is one here
  optional: false,
  inactive: false,
});

/** Builds when it is let, and notes which days. */
class Builder {
  readonly built: number[] = [];
  readonly forgotten: number[] = [];
  fails = false;
  keptBytes = 0;
  #open = Promise.withResolvers<void>();
  readonly days = (maxBytes = 1e9, memory = new LentMemory(() => {}), estimate = 0) =>
    new PastDays({
      build: this.build,
      onForgotten: forgotten => this.forgotten.push(forgotten.day ?? 0),
      maxBytes,
      memory,
      estimate: () => estimate,
    });

  readonly build = async ({ day: wanted, optional }: PastDay) => {
    this.built.push((optional ? -1 : 1) * (wanted ?? 0));
    await this.#open.promise;
    if (this.fails) throw new Error('the store is unreachable');
    return { snapshot: EMPTY, keptBytes: this.keptBytes };
  };

  go(): void {
    this.#open.resolve();
  }
}

function isSent(answer: PastAnswer): boolean {
  return typeof answer === 'object' && answer.snapshot === EMPTY;
}

describe('the snapshots of past days', () => {
  it('are built once for a thousand requests at once, and not again', async () => {
    const builder = new Builder();
    const days = builder.days();
    const answers = Array.from({ length: 1000 }, () => days.get(ofDay(7)));
    builder.go();
    assert.ok((await Promise.all(answers)).every(isSent));
    await days.get(ofDay(7));
    assert.deepEqual(builder.built, [7]);
  });

  it('are built apart with the inactive assets, and for the newest publication', async () => {
    const builder = new Builder();
    builder.go();
    const days = builder.days();
    for (const inactive of [false, true, true, false]) await days.get({ ...ofDay(7), inactive });
    for (const optional of [false, true, false]) await days.get({ ...ofDay(7), day: null, inactive: true, optional });
    assert.deepEqual(builder.built, [7, 7, 0, -0]);
  });

  it('are built apart with the optional columns', async () => {
    const builder = new Builder();
    builder.go();
    const days = builder.days();
    for (const optional of [false, true, true, false]) await days.get({ ...ofDay(7), optional });
    assert.deepEqual(builder.built, [7, -7]);
  });

  it('are built one after the other; too many different days are refused', async () => {
    const builder = new Builder();
    const days = builder.days();
    const answers = Array.from({ length: MAX_WAITING + 3 }, (_, i) => days.get(ofDay(i, `client ${i}`)));
    await nextTurn();
    assert.deepEqual(builder.built, [0]);
    builder.go();
    const found = await Promise.all(answers);
    assert.equal(found.filter(answer => answer === 'busy').length, 2);
    assert.deepEqual(builder.built, [...Array(MAX_WAITING + 1).keys()]);
    assert.ok(isSent(await days.get(ofDay(MAX_WAITING + 2))), 'a later request succeeds');
  });

  it('of one client do not keep another one waiting for more than two', async () => {
    const builder = new Builder();
    const days = builder.days();
    const greedy = Array.from({ length: 12 }, (_, i) => days.get(ofDay(i, 'greedy')));
    const modest = days.get(ofDay(100, 'modest'));
    builder.go();
    assert.ok(isSent(await modest));
    const answers = await Promise.all(greedy);
    assert.equal(answers.filter(answer => answer === 'busy').length, 12 - 1 - MAX_WAITING_PER_CLIENT);
    assert.ok(builder.built.indexOf(100) <= 2, `${builder.built}`);
  });

  it('are not built if all clients that have requested them are gone', async () => {
    const builder = new Builder();
    const days = builder.days();
    const first = days.get(ofDay(1));
    const withdrawn = [ofDay(2), ofDay(2), ofDay(3)];
    const answers = withdrawn.map(request => days.get(request));
    const other = days.get(ofDay(3, 'b'));
    for (const request of withdrawn) days.withdraw(request);
    builder.go();
    await Promise.all([first, ...answers]);
    assert.ok(isSent(await other));
    assert.deepEqual(builder.built, [1, 3]);
  });

  it('are built if a client is gone that has requested them of the publication before', async () => {
    const builder = new Builder();
    const days = builder.days();
    const gone = ofDay(1);
    const first = days.get(gone);
    days.published();
    const second = days.get(ofDay(1, 'b'));
    days.withdraw(gone);
    builder.go();
    await first;
    assert.ok(isSent(await second));
    assert.deepEqual(builder.built, [1, 1]);
  });

  it('that were forgotten are freed once they take much memory', async () => {
    let collections = 0;
    const memory = new LentMemory(() => void collections++);
    const builder = new Builder();
    builder.go();
    const days = builder.days(1e9, memory);
    await days.get(ofDay(1));
    await days.freeForgotten();
    assert.equal(collections, 0, 'little');
    memory.add(1000, 64e6, {});
    await days.freeForgotten();
    assert.equal(collections, 1);
  });

  it('are built anew for another publication, and the old ones are forgotten', async () => {
    const builder = new Builder();
    builder.go();
    const days = builder.days();
    await days.get(ofDay(1));
    days.published();
    await days.get(ofDay(1));
    assert.deepEqual([builder.built, builder.forgotten], [[1, 1], [1]]);
  });

  it('that wait stay as few as before while there are publications', async () => {
    const builder = new Builder();
    const days = builder.days();
    const answers: Promise<PastAnswer>[] = [];
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 20; i++) answers.push(days.get(ofDay(20 * round + i, `client ${i}`)));
      days.published();
    }
    builder.go();
    const found = await Promise.all(answers);
    assert.equal(found.filter(isSent).length, MAX_WAITING + 1);
    assert.equal(builder.built.length, MAX_WAITING + 1);
  });

  it('are not of a publication before the request', async () => {
    const builder = new Builder();
    const days = builder.days();
    const before = days.get(ofDay(1));
    await nextTurn();
    days.published();
    const after = days.get(ofDay(1));
    builder.go();
    const ids = (await Promise.all([before, after])).map(answer => (typeof answer === 'object' ? answer.id : answer));
    assert.deepEqual([builder.built, new Set(ids).size], [[1, 1], 2]);
  });

  it('are forgotten when memory is short', async () => {
    const builder = new Builder();
    builder.go();
    const days = builder.days(0);
    await days.get(ofDay(1));
    await nextTurn();
    assert.deepEqual(builder.forgotten, [1]);
  });

  it('are not built while the threads hold too much, and are once it is free', async () => {
    const builder = new Builder();
    builder.go();
    let collected = 0;
    const thread = {};
    const memory = new LentMemory(() => {
      if (++collected > 1) memory.freed(99, thread);
    });
    memory.add(99, 800, {});
    memory.lend(99, thread);
    const days = builder.days(1000, memory, 300);
    assert.equal(await days.get(ofDay(1)), 'busy');
    assert.ok(isSent(await days.get(ofDay(1))));
    assert.deepEqual([builder.built, collected], [[1], 2]);
  });

  it('make room for others if one that was forgotten is still read by a request', async () => {
    const { assets, rows, now } = randomMarket(20, uniform(1));
    const snapshot = describeSnapshot(buildSnapshot({ version: 1, assets, rows, now }));
    const forgotten: number[] = [];
    const thread = {};
    /** A thread that frees what is forgotten, except the first day. Days are numbered as they are built. */
    class Memory extends LentMemory {
      override add(id: number, bytes: number): void {
        super.add(id, bytes, {});
        this.lend(id, thread);
      }
    }
    const memory = new Memory(() => {
      for (const day of forgotten) if (day !== 1) memory.freed(day, thread);
    });
    const days = new PastDays({
      build: async () => ({ snapshot, keptBytes: 0 }),
      onForgotten: ({ day }) => forgotten.push(Number(day)),
      maxBytes: 3.5 * bytesOfSnapshot(snapshot),
      memory,
      estimate: () => bytesOfSnapshot(snapshot),
    });
    for (const day of [1, 2, 3, 4]) assert.equal(typeof (await days.get(ofDay(day))), 'object', `day ${day}`);
    assert.deepEqual(forgotten, [1, 2]);
  });

  it('have less memory if the thread that builds them keeps some', async () => {
    const builder = new Builder();
    builder.go();
    const memory = new LentMemory(() => {});
    const days = builder.days(1000, memory, 300);
    memory.add(99, 400, {});
    builder.keptBytes = 400;
    assert.ok(isSent(await days.get(ofDay(1))));
    assert.equal(await days.get(ofDay(2)), 'busy');
  });

  it('are tried again after a failure', async () => {
    const builder = new Builder();
    builder.go();
    builder.fails = true;
    const days = builder.days();
    assert.equal(await days.get(ofDay(1)), 'unavailable');
    builder.fails = false;
    assert.ok(isSent(await days.get(ofDay(1))));
  });
});
