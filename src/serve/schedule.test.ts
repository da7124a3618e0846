import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../test/support/test-clock.ts';
import { parseInterval } from '../common/interval.ts';
import { parseSchedule, repeat } from './schedule.ts';

describe('a schedule', () => {
  it('is a list of intervals and sources', () => {
    assert.deepEqual(parseSchedule(' 1h coinpaprika ; 2d  ccxt --exchange kraken --quote USD;'), [
      { interval: '1h', everyMs: 3_600_000, argv: ['coinpaprika'] },
      { interval: '2d', everyMs: 172_800_000, argv: ['ccxt', '--exchange', 'kraken', '--quote', 'USD'] },
    ]);
    assert.deepEqual(parseSchedule(''), []);
  });

  it('may keep a process running that follows live prices', () => {
    assert.deepEqual(parseSchedule('live binance,kraken --quote USDT'), [
      { interval: null, everyMs: null, argv: ['live', '--exchange', 'binance,kraken', '--quote', 'USDT'] },
    ]);
    assert.throws(() => parseSchedule('live'), /or 'live binance'/);
  });

  for (const text of ['hourly coinpaprika', '1h', '0m coinpaprika', '1w coinpaprika', '1.5h coinpaprika']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseSchedule(text), /such as '1h coinpaprika'/));
  }

  it('knows seconds, minutes, hours and days', () => {
    assert.deepEqual(['90s', '15m', '1h', '1d', '', 'h', '-1h'].map(parseInterval), [
      90_000,
      900_000,
      3_600_000,
      86_400_000,
      null,
      null,
      null,
    ]);
  });
});

describe('repeated work', () => {
  it('runs at once and then at every interval', async () => {
    const clock = new TestClock();
    let runs = 0;
    const stop = repeat(100, async () => void runs++, clock);
    await clock.pass(0);
    assert.equal(runs, 1);
    await clock.pass(99);
    assert.equal(runs, 1);
    await clock.pass(1);
    assert.equal(runs, 2);
    await stop();
    await clock.pass(1000);
    assert.equal(runs, 2);
  });

  it('never runs twice at the same time, and goes on at once when a run was longer than the interval', async () => {
    const clock = new TestClock();
    const finish: (() => void)[] = [];
    const stop = repeat(100, () => new Promise<void>(resolve => finish.push(resolve)), clock);
    await clock.pass(250);
    assert.equal(finish.length, 1);
    finish[0]?.();
    await clock.pass(0);
    await clock.pass(0);
    assert.equal(finish.length, 2);
    finish[1]?.();
    await stop();
  });

  it('is stopped only when a run under way has ended', async () => {
    let finish = () => {};
    let stopped = false;
    const stop = repeat(100, () => new Promise<void>(resolve => (finish = resolve)), new TestClock());
    const stopping = stop().then(() => {
      stopped = true;
    });
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(stopped, false);
    finish();
    await stopping;
    assert.equal(stopped, true);
  });
});
