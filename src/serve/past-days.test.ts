import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Day } from '../domain/day.ts';
import { buildSnapshot } from '../snapshot/build.ts';
import type { PastDay } from '../snapshot/past-snapshot.ts';
import { describeSnapshot } from '../snapshot/share.ts';
import { MAX_WAITING, PastDays } from './past-days.ts';

const EMPTY = describeSnapshot(buildSnapshot({ version: 1, rows: [], assets: [], now: 0 }));
const day = (number: number) => number as Day;
const ofDay = (number: number, fingerprint = 'one') => ({
  fingerprint,
  day: day(number),
  optional: false,
  inactive: false,
});

/** Builds when it is let, and notes which days. */
class Builder {
  readonly built: number[] = [];
  readonly forgotten: number[] = [];
  fails = false;
  #open = Promise.withResolvers<void>();
  readonly days = (maxBytes = 1e9) =>
    new PastDays(this.build, forgotten => this.forgotten.push(forgotten.day ?? 0), maxBytes);

  readonly build = async ({ day: wanted, optional }: PastDay) => {
    this.built.push((optional ? -1 : 1) * (wanted ?? 0));
    await this.#open.promise;
    if (this.fails) throw new Error('the store is unreachable');
    return EMPTY;
  };

  go(): void {
    this.#open.resolve();
  }
}

describe('the snapshots of past days', () => {
  it('are built once for a thousand requests at once, and not again', async () => {
    const builder = new Builder();
    const days = builder.days();
    const answers = Array.from({ length: 1000 }, () => days.get(ofDay(7)));
    builder.go();
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([EMPTY]));
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
    const answers = Array.from({ length: MAX_WAITING + 3 }, (_, i) => days.get(ofDay(i)));
    await new Promise(setImmediate);
    assert.deepEqual(builder.built, [0]);
    builder.go();
    const found = await Promise.all(answers);
    assert.equal(found.filter(answer => answer === 'busy').length, 2);
    assert.deepEqual(builder.built, [...Array(MAX_WAITING + 1).keys()]);
    assert.equal(await days.get(ofDay(MAX_WAITING + 2)), EMPTY, 'a later request succeeds');
  });

  it('are built anew for another publication, and the old ones are forgotten', async () => {
    const builder = new Builder();
    builder.go();
    const days = builder.days();
    await days.get(ofDay(1));
    await days.get(ofDay(1, 'two'));
    assert.deepEqual([builder.built, builder.forgotten], [[1, 1], [1]]);
  });

  it('are forgotten when memory is short', async () => {
    const builder = new Builder();
    builder.go();
    const days = builder.days(0);
    await days.get(ofDay(1));
    await new Promise(setImmediate);
    assert.deepEqual(builder.forgotten, [1]);
  });

  it('are tried again after a failure', async () => {
    const builder = new Builder();
    builder.go();
    builder.fails = true;
    const days = builder.days();
    assert.equal(await days.get(ofDay(1)), 'unavailable');
    builder.fails = false;
    assert.equal(await days.get(ofDay(1)), EMPTY);
  });
});
