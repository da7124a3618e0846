import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Steps } from '../../common/steps.ts';
import { MAX_WAITING, Scheduler } from './scheduler.ts';
import { CLIENT_GONE, type Client, WAITED_TOO_LONG } from './scheduler-client.ts';

/** A scheduler with a clock of its own, and a record of what was done. */
function scheduled(shedAfterMs = 0, share = 1) {
  const time = { now: 1000 };
  const counts = { queued: 0 };
  const scheduler = new Scheduler({
    shedAfterMs,
    onQueued: change => {
      counts.queued += change;
    },
    now: () => time.now,
    share,
  });
  const done: string[] = [];
  const request = (client: Client, name: string, millis: number) =>
    scheduler.admit(client, refused => {
      done.push(refused === null ? name : `${name} ${refused}`);
      if (refused === null) time.now += millis;
    });
  function* steps(name: string, count: number, millis = 1): Steps<string> {
    try {
      for (let i = 1; i <= count; i++) {
        time.now += millis;
        done.push(`${name}${i}`);
        yield;
      }
      return name;
    } finally {
      done.push(`${name} end`);
    }
  }
  const settled = async () => {
    do await nextTurn();
    while (scheduler.waiting > 0);
    await nextTurn();
  };
  return { scheduler, time, counts, done, request, steps, settled };
}

const here = () => false;

describe('the scheduler', () => {
  it('begins requests at once while the turn is young', () => {
    const { scheduler, done, request } = scheduled();
    const a = scheduler.clientOf('a', 1);
    for (let i = 0; i < 10; i++) request(a, `a${i}`, 0.1);
    assert.equal(done.length, 10);
    assert.equal(scheduler.waiting, 0);
  });

  it('makes the others wait for the next turns, in the order of their arrival', async () => {
    const { scheduler, counts, done, request, settled } = scheduled();
    const a = scheduler.clientOf('a', 1);
    for (let i = 0; i < 6; i++) request(a, `${i}`, 2);
    assert.deepEqual([done, scheduler.waiting, counts.queued], [['0'], 5, 5]);
    await settled();
    assert.deepEqual([done, counts.queued], [['0', '1', '2', '3', '4', '5'], 0]);
    request(a, '6', 2);
    assert.equal(done.length, 7, 'once nothing waits, requests begin at once again');
  });

  it('serves a client with one request before the hundred of another', async () => {
    const { scheduler, done, request, settled } = scheduled();
    const [busy, other] = [scheduler.clientOf('busy', 1), scheduler.clientOf('other', 1)];
    for (let i = 0; i < 100; i++) request(busy, 'busy', 3);
    await nextTurn();
    await nextTurn();
    const before = done.length;
    request(other, 'other', 1);
    await nextTurn();
    assert.ok(done.slice(before).includes('other'), `${done.slice(before)}`);
    await settled();
    assert.equal(done.length, 101);
  });

  it('gives a client with four times the weight four times the time', async () => {
    const { scheduler, done, request, settled } = scheduled();
    const [free, pro] = [scheduler.clientOf('free', 1), scheduler.clientOf('pro', 4)];
    request(free, 'first', 2);
    for (let i = 0; i < 100; i++) {
      request(free, 'free', 1);
      request(pro, 'pro', 1);
    }
    await settled();
    const share = done.slice(0, 50).filter(name => name === 'pro').length / 50;
    assert.ok(share > 0.75 && share < 0.85, `${share}`);
  });

  it('does not save up the time that a client has not used', async () => {
    const { scheduler, done, request, settled } = scheduled();
    const [early, late] = [scheduler.clientOf('early', 1), scheduler.clientOf('late', 1)];
    for (let i = 0; i < 50; i++) request(early, 'early', 2);
    await settled();
    for (let i = 0; i < 10; i++) request(early, 'early', 2);
    for (let i = 0; i < 10; i++) request(late, 'late', 2);
    await settled();
    const together = done.slice(50, 60);
    assert.ok(together.includes('early') && together.includes('late'), `${together}`);
  });

  it('runs urgent work in the next turn, whatever waits', async () => {
    const { scheduler, done, request } = scheduled();
    const a = scheduler.clientOf('a', 1);
    for (let i = 0; i < 100; i++) request(a, 'a', 3);
    scheduler.urgent(() => done.push('urgent'));
    assert.ok(!done.includes('urgent'));
    await nextTurn();
    assert.ok(done.indexOf('urgent') <= 2, `${done}`);
  });

  it('waits while connections arrive, so that the next one is accepted soon, but not for long', async () => {
    const { scheduler, time, done, request } = scheduled();
    const a = scheduler.clientOf('a', 1);
    for (let i = 0; i < 100; i++) request(a, 'a', 0.2);
    await nextTurn();
    const quiet = done.length;
    for (let i = 0; i < 5; i++) {
      scheduler.accepted();
      time.now += 0.1;
      await nextTurn();
    }
    assert.equal(done.length, quiet);
    scheduler.accepted();
    time.now += 20;
    await nextTurn();
    assert.equal(done.length, quiet + 10);
  });

  describe('with computations', () => {
    it('returns the result at once if the steps fit into the turn', () => {
      const { scheduler, steps } = scheduled();
      const a = scheduler.clientOf('a', 1);
      let result: unknown;
      scheduler.admit(a, () => {
        result = scheduler.run(a, steps('x', 2, 0.1), here);
      });
      assert.equal(result, 'x');
    });

    it('stops a long one after a time slice, and serves others in between', async () => {
      const { scheduler, done, request, steps } = scheduled();
      const [a, b] = [scheduler.clientOf('a', 1), scheduler.clientOf('b', 1)];
      let result: unknown;
      scheduler.admit(a, () => {
        result = scheduler.run(a, steps('x', 20), here);
      });
      assert.deepEqual(done, ['x1', 'x2']);
      request(b, 'b', 1);
      await nextTurn();
      assert.ok(done.indexOf('b') <= 4, `${done}`);
      assert.equal(await result, 'x');
      assert.equal(done.at(-1), 'x end');
    });

    it('lets four of a client take turns, and begins the others after them', async () => {
      const { scheduler, done, steps } = scheduled();
      const a = scheduler.clientOf('a', 1);
      const results = Array.from({ length: 6 }, (_, i) => scheduler.run(a, steps(`${i}-`, 8), here));
      await Promise.all(results);
      const firstOf = (i: number) => done.indexOf(`${i}-1`);
      const firstEnd = done.findIndex(name => name.endsWith('end'));
      assert.ok([0, 1, 2, 3].every(i => firstOf(i) < firstEnd));
      assert.ok([4, 5].every(i => firstOf(i) > firstEnd));
    });

    it('does not begin one whose client has gone, and ends one that has begun', async () => {
      const { scheduler, done, steps } = scheduled();
      const a = scheduler.clientOf('a', 1);
      let gone = false;
      const begun = scheduler.run(a, steps('begun', 50), () => gone);
      await nextTurn();
      gone = true;
      const late = scheduler.run(a, steps('late', 5), () => gone);
      await assert.rejects(Promise.resolve(begun), CLIENT_GONE);
      await assert.rejects(Promise.resolve(late), CLIENT_GONE);
      assert.ok(!done.includes('late1'));
      assert.ok(done.includes('begun end') && !done.includes('begun50'));
    });

    it('passes on an error of a step, and goes on', async () => {
      const { scheduler, steps } = scheduled();
      const a = scheduler.clientOf('a', 1);
      function* failing(): Steps<never> {
        yield;
        throw new RangeError('no such row');
      }
      const [failed, other] = [scheduler.run(a, failing(), here), scheduler.run(a, steps('x', 3), here)];
      await assert.rejects(Promise.resolve(failed), RangeError);
      assert.equal(await other, 'x');
    });

    it('sends the parts of long responses between computations of the same client', async () => {
      const { scheduler, done, steps } = scheduled();
      const a = scheduler.clientOf('a', 1);
      const long = [1, 2, 3, 4, 5].map(i => scheduler.run(a, steps(`${i}-`, 50), here));
      const piece = await scheduler.piece(a, () => done.push('piece'), here);
      assert.ok(piece < 20, `the part came after ${piece} steps`);
      await Promise.all(long);
    });
  });

  describe('with work that reads the store', () => {
    it('begins four of a client at a time, and the others in their order', async () => {
      const { scheduler } = scheduled();
      const turns = async () => {
        for (let i = 0; i < 10; i++) await nextTurn();
      };
      const [a, b] = [scheduler.clientOf('a', 1), scheduler.clientOf('b', 1)];
      const begun: string[] = [];
      const ends: (() => void)[] = [];
      const work = (name: string) => () => {
        begun.push(name);
        return new Promise<void>(resolve => ends.push(resolve));
      };
      const all = [1, 2, 3, 4, 5, 6].map(i => scheduler.slot(a, work(`a${i}`), here));
      all.push(scheduler.slot(b, work('b'), here));
      await turns();
      assert.deepEqual(begun.toSorted(), ['a1', 'a2', 'a3', 'a4', 'b']);
      ends[0]!();
      await turns();
      assert.deepEqual(begun.slice(5), ['a5']);
      while (begun.length < 7) {
        for (const end of ends) end();
        await nextTurn();
      }
      for (const end of ends) end();
      await Promise.all(all);
    });

    it('begins the next ones while reads take long, eight of them per client and sixteen for all', async t => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const { scheduler } = scheduled();
      const names = ['a', 'b', 'c'] as const;
      const begun = { a: 0, b: 0, c: 0 };
      const ends: { readonly of: string; readonly end: () => void }[] = [];
      const hangs = (of: keyof typeof begun) => () => {
        begun[of]++;
        return new Promise<void>(resolve => ends.push({ of, end: resolve }));
      };
      const all = names.flatMap(name => {
        const client = scheduler.clientOf(name, 1);
        return Array.from({ length: 20 }, () => scheduler.slot(client, atTurn => atTurn(hangs(name)), here));
      });
      /** A slot is given in one turn, and its read begins in the next. */
      const readsBegin = async () => {
        for (let i = 0; i < 4; i++) await nextTurn();
      };
      const later: number[][] = [];
      for (let i = 0; i < 5; i++) {
        await readsBegin();
        later.push(Object.values(begun));
        t.mock.timers.tick(250);
      }
      assert.deepEqual(later, [
        [4, 4, 4],
        [8, 8, 8],
        [12, 8, 8],
        [12, 8, 8],
        [12, 8, 8],
      ]);
      // Reads of one client that end let those of another one that have taken long give up their slots.
      for (const { end } of ends.filter(({ of }) => of === 'a').slice(0, 4)) end();
      await readsBegin();
      t.mock.timers.tick(250);
      await readsBegin();
      assert.deepEqual(Object.values(begun), [12, 12, 8]);
      while (ends.length > 0) {
        ends.shift()!.end();
        await readsBegin();
      }
      await Promise.all(all);
      const before = begun.a;
      const client = scheduler.clientOf('a', 1);
      const again = Array.from({ length: 5 }, () => scheduler.slot(client, atTurn => atTurn(hangs('a')), here));
      await readsBegin();
      assert.equal(begun.a - before, 4, 'four at a time');
      for (const { end } of ends.splice(0)) end();
      await readsBegin();
      for (const { end } of ends) end();
      await Promise.all(again);
    });

    it('counts the long reads of a client that pipelines on another connection together', async t => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const { scheduler } = scheduled();
      const ends: (() => void)[] = [];
      const hangs = () => new Promise<void>(resolve => ends.push(resolve));
      const all = [false, true].flatMap(isPipelining => {
        const client = scheduler.clientOf('a', 1, isPipelining);
        return Array.from({ length: 12 }, () => scheduler.slot(client, atTurn => atTurn(hangs), here));
      });
      for (let i = 0; i < 4; i++) {
        for (let turn = 0; turn < 8; turn++) await nextTurn();
        t.mock.timers.tick(250);
      }
      assert.equal(ends.length, 16, 'eight long ones, and four in the places of each');
      while (ends.length > 0) {
        ends.shift()!();
        for (let turn = 0; turn < 8; turn++) await nextTurn();
      }
      await Promise.all(all);
    });

    it('does not begin what has waited too long, or what a client has left', async () => {
      const { scheduler, time } = scheduled(100);
      const a = scheduler.clientOf('a', 1);
      const ends: (() => void)[] = [];
      const held = [1, 2, 3, 4].map(() =>
        scheduler.slot(a, () => new Promise<void>(resolve => ends.push(resolve)), here),
      );
      while (ends.length < 4) await nextTurn();
      const late = scheduler.slot(a, () => assert.fail(), here);
      time.now += 150;
      scheduler.refuseLate();
      await assert.rejects(late, WAITED_TOO_LONG);
      const left = scheduler.slot(
        a,
        () => assert.fail(),
        () => true,
      );
      const other = scheduler.slot(a, async () => 'other', here);
      for (const end of ends) end();
      await assert.rejects(left, CLIENT_GONE);
      assert.equal(await other, 'other');
      await Promise.all(held);
    });
  });

  describe('with a limit on waiting', () => {
    it('refuses a request that has waited longer', async () => {
      const { scheduler, done, request, settled } = scheduled(100);
      const a = scheduler.clientOf('a', 1);
      for (let i = 0; i < 10; i++) request(a, `${i}`, 30);
      await settled();
      // The first one took 30 ms before the others came; 1 to 4 then waited 0, 30, 60 and 90 ms.
      assert.deepEqual(done, ['0', '1', '2', '3', '4', ...[5, 6, 7, 8, 9].map(number => `${number} late`)]);
    });

    it('refuses light ones as well', async () => {
      const { scheduler, done, request, settled } = scheduled(100);
      const a = scheduler.clientOf('a', 1);
      for (let i = 0; i < 1999; i++) request(a, `${i}`, 0.1);
      await settled();
      const refused = done.filter(name => name.endsWith('late')).length;
      assert.ok(refused > 900 && refused < 1050, `${refused}`);
    });

    it('refuses no request of a client that did not cause the load', async () => {
      const { scheduler, done, request, settled } = scheduled(100);
      const [busy, other] = [scheduler.clientOf('busy', 8), scheduler.clientOf('other', 1)];
      for (let i = 0; i < 300; i++) request(busy, 'busy', 5);
      for (let i = 0; i < 40; i++) {
        request(other, 'other', 1);
        await nextTurn();
      }
      await settled();
      assert.ok(done.includes('busy late'));
      assert.equal(done.filter(name => name === 'other').length, 40);
    });

    it('refuses late requests and computations in time, also while another computation has the turns', async () => {
      const { scheduler, time, done, request, steps } = scheduled(100);
      const a = scheduler.clientOf('a', 1);
      const started = [1, 2, 3, 4].map(i => scheduler.run(a, steps(`${i}-`, 10), here));
      const late = scheduler.run(a, steps('late', 1), here);
      await nextTurn();
      request(a, 'request', 1);
      time.now += 150;
      scheduler.refuseLate();
      await assert.rejects(Promise.resolve(late), WAITED_TOO_LONG);
      assert.ok(done.includes('request late'));
      await Promise.all(started);
    });

    it('refuses at once beyond a number of waiting requests of one client, and takes those of another', async () => {
      const { scheduler, done, request, settled } = scheduled();
      const [a, b] = [scheduler.clientOf('a', 1), scheduler.clientOf('b', 1)];
      for (let i = 0; i < MAX_WAITING + 3; i++) request(a, 'a', 3);
      request(b, 'b', 3);
      assert.deepEqual(done, ['a', 'a too many', 'a too many']);
      await settled();
      assert.equal(done.filter(name => name === 'b').length, 1);
    });
  });

  it('leaves two thirds of the time unused by a client that pipelines, while others have requests', async () => {
    const { scheduler, time, done, request } = scheduled();
    const [a, b] = [scheduler.clientOf('a', 1, true), scheduler.clientOf('b', 1)];
    for (let i = 0; i < 20; i++) request(a, 'a', 3);
    request(b, 'b', 0.1);
    for (let i = 0; i < 4; i++) await nextTurn();
    const before = done.length;
    for (let i = 0; i < 10; i++) await nextTurn();
    assert.equal(done.length, before, 'it pauses');
    time.now += 200;
    await wait(20);
    for (let i = 0; i < 30; i++) await nextTurn();
    assert.equal(done.length, 21, 'once the others have no requests, it goes on');
  });
});
