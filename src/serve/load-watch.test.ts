import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceEvent } from '../observe/events.ts';
import type { StoredLoad } from '../store/store.ts';
import { LoadWatch } from './load-watch.ts';

function load(id: number, source: string, state: StoredLoad['state'], rejected = 0): StoredLoad {
  const counts = { read: 9, inserted: 5, replaced: 0, unchanged: 0, rejected };
  return { id, source, state, error: null, startedAt: '2026-01-01T00:00:00.000Z', endedAt: null, ...counts };
}

describe('the watch over loads', () => {
  it('reports each that begins and ends, once, and counts those that ended since it began', async () => {
    const events: ServiceEvent[] = [];
    let stored: StoredLoad[] = [];
    const watch = new LoadWatch({ loads: async limit => stored.toReversed().slice(0, limit) }, event =>
      events.push(event),
    );
    const look = async (...loads: StoredLoad[]) => {
      stored = loads;
      events.length = 0;
      await watch.look();
      return events.map(event => [event.event, 'load' in event ? event.load : null]);
    };
    const before = [load(1, 'csv', 'done', 7), load(2, 'csv a.csv', 'running')];
    assert.deepEqual(await look(...before), []);
    assert.deepEqual(await look(...before), []);
    const ended = [
      before[0]!,
      load(2, 'csv a.csv', 'done', 3),
      load(3, 'ccxt', 'running'),
      load(4, 'csv b.csv --symbol BTC', 'failed', 1),
    ];
    assert.deepEqual(await look(...ended), [
      ['load_ended', 2],
      ['load_started', 3],
      ['load_ended', 4],
    ]);
    assert.deepEqual(await look(...ended), []);
    assert.deepEqual(
      watch.sources.map(({ source, ended: counts, rejected, last }) => [source, counts, rejected, last.id]),
      [
        ['csv', { done: 1, failed: 1, stopped: 0 }, 4, 4],
        ['ccxt', { done: 0, failed: 0, stopped: 0 }, 0, 3],
      ],
    );
  });

  it('counts the first load of a store that was empty', async () => {
    const events: ServiceEvent[] = [];
    let stored: StoredLoad[] = [];
    const watch = new LoadWatch({ loads: async () => [...stored] }, event => events.push(event));
    await watch.look();
    stored = [load(1, 'demo', 'done')];
    await watch.look();
    assert.deepEqual(
      events.map(event => event.event),
      ['load_ended'],
    );
  });
});
