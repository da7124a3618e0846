import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FinishedPeriods, SEVERAL_TIMES } from './finished-periods.ts';

const NOON = 43_200_000;

test('a day is excluded once it is finished, except for another row at its only time', () => {
  const days = new FinishedPeriods();
  days.add(0, 100, 0);
  days.add(0, 101, NOON);
  days.add(0, 102, SEVERAL_TIMES);
  const answers = [99, 100, 101, 102, 103].map(day => [days.excludes(0, day, 0), days.excludes(0, day, NOON)]);
  assert.deepEqual(answers, [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
    [false, false],
  ]);
});

test('the first finished day may be one of several times', () => {
  const days = new FinishedPeriods();
  days.add(0, 100, SEVERAL_TIMES);
  days.add(0, 101, NOON);
  assert.deepEqual(
    [days.excludes(0, 100, NOON), days.excludes(0, 101, NOON), days.excludes(0, 101, 0)],
    [true, false, true],
  );
});

test('a day that a repetition opened again can end with several times', () => {
  const days = new FinishedPeriods();
  for (const [day, time] of [
    [100, 0],
    [101, NOON],
  ] as const) {
    days.add(0, day, time);
    days.add(0, day, SEVERAL_TIMES);
    assert.equal(days.excludes(0, day, time), true);
  }
});

test('tens of thousands of days of many assets are told apart', () => {
  const days = new FinishedPeriods();
  const isFinished = (asset: number, day: number): boolean => (asset * 7 + day * 13) % 5 < 2;
  for (let asset = 0; asset < 400; asset++) {
    for (let day = 0; day < 200; day++) if (isFinished(asset, day)) days.add(asset, day, day % 3 === 0 ? NOON : 0);
  }
  for (let day = 0; day < 200; day++) {
    for (let asset = 0; asset < 400; asset++) {
      const time = day % 3 === 0 ? NOON : 0;
      assert.equal(days.excludes(asset, day, time), false);
      assert.equal(days.excludes(asset, day, time + 1), isFinished(asset, day), `asset ${asset}, day ${day}`);
    }
  }
});
