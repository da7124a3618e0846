import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TurnClock } from './turn-clock.ts';

function clocked(limitMs: number) {
  const time = { now: 1000 };
  return { time, clock: new TurnClock(limitMs, () => time.now) };
}

describe('a clock of turns', () => {
  it('finds requests too late that come after the limit in one turn of the loop', async () => {
    const { time, clock } = clocked(200);
    assert.equal(clock.isTooLate(), false);
    time.now += 200;
    assert.equal(clock.isTooLate(), false);
    time.now += 1;
    assert.equal(clock.isTooLate(), true);
    await nextTurn();
    assert.equal(clock.isTooLate(), false, 'the next turn begins anew');
  });

  it('finds all too late while timers come late over and over, and none as soon as one is in time', () => {
    const { time, clock } = clocked(200);
    const tickAfter = (millis: number) => {
      time.now += millis;
      clock.tick();
    };
    const late = [1000, 1000, 1000, 50].map(millis => {
      tickAfter(millis);
      return clock.isLagging;
    });
    assert.deepEqual(late, [false, false, true, false]);
  });

  it('with the limit 0 finds nothing too late', () => {
    const { time, clock } = clocked(0);
    clock.isTooLate();
    time.now += 1e6;
    assert.equal(clock.isTooLate(), false);
  });
});
