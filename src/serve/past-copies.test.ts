import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { randomMarket, uniform } from '../../test/support/market.ts';
import type { Day } from '../domain/day.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import { describeSnapshot } from '../snapshot/build/share.ts';
import { collectGarbage } from './collect-garbage.ts';
import { PastCopies } from './past-copies.ts';
import type { PastRequest, SentPast } from './thread-messages.ts';

const CURRENT = { fingerprint: 'one' };
const REQUESTER = { client: 'a', isGone: () => false };
/** Of which the supervisor never sends the snapshot. */
const NEVER = 99;

function ofDay(day: number): PastDay {
  return { interval: '1d', day: day as Day, optional: false, inactive: false }; // any number is one here
}

/** As it arrives in a thread: what builds snapshots holds other references to their memory. */
function sent(id: number): SentPast {
  const { assets, rows, now } = randomMarket(20, uniform(id));
  return { id, snapshot: structuredClone(describeSnapshot(buildSnapshot({ version: 1, assets, rows, now }))) };
}

function makeCopies(): { readonly copies: PastCopies; readonly freed: number[] } {
  const freed: number[] = [];
  const copies = new PastCopies({
    request: async ({ day }: PastRequest) =>
      day === NEVER ? Promise.withResolvers<SentPast>().promise : sent(Number(day)),
    freed: id => freed.push(id),
    onForgotten: () => {},
  });
  return { copies, freed };
}

/** Garbage is collected in turns of its own, and reported in others. */
async function collected(isDone: () => boolean): Promise<void> {
  for (let turns = 0; turns < 200 && !isDone(); turns++) {
    collectGarbage();
    await wait(5);
  }
}

describe('the copies of past days in a thread', () => {
  it('free their memory once they are forgotten', async () => {
    const { copies, freed } = makeCopies();
    for (const day of [1, 2, 3]) await copies.get(CURRENT, ofDay(day), REQUESTER);
    copies.forget(ofDay(1));
    copies.forget(ofDay(3));
    await collected(() => freed.length === 2);
    assert.deepEqual(freed.toSorted(), [1, 3]);
  });

  it('free it also while other days are requested all the time', async () => {
    const { copies, freed } = makeCopies();
    await copies.get(CURRENT, ofDay(1), REQUESTER);
    Promise.resolve(copies.get(CURRENT, ofDay(NEVER), REQUESTER)).catch(() => {}); // after its time is up
    copies.forget(ofDay(1));
    await collected(() => freed.length === 1);
    assert.deepEqual(freed, [1]);
  });
});
