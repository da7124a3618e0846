import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceEvent } from '../observe/events.ts';
import { SharedMetrics } from '../observe/shared-metrics.ts';
import { StoreWatch } from './store-watch.ts';

describe('the watch over the store', () => {
  it('reports once that a use of it fails and once that it works again, and counts each failure', () => {
    const events: ServiceEvent[] = [];
    const metrics = new SharedMetrics(SharedMetrics.bufferFor(1), 0);
    const watch = new StoreWatch(event => events.push(event), metrics);
    const names = () => events.splice(0).map(event => event.event);
    watch.worked('keys');
    watch.worked('data');
    assert.deepEqual([names(), metrics.cellSum('storeUp')], [[], 1]);
    for (let i = 0; i < 3; i++) watch.failed('keys', new Error('gone'));
    watch.worked('data');
    assert.deepEqual(
      [names(), metrics.cellSum('storeUp'), metrics.cellSum('storeFailures')],
      [['store_unreachable'], 0, 3],
    );
    watch.worked('keys');
    assert.deepEqual([names(), metrics.cellSum('storeUp')], [['store_reachable'], 1]);
  });

  it('of a serving thread counts failures, and leaves it to the main one to say whether the store is up', () => {
    const buffer = SharedMetrics.bufferFor(2);
    const [main, thread] = [new SharedMetrics(buffer, 0), new SharedMetrics(buffer, 1)];
    const watch = new StoreWatch(() => {}, thread, { saysUp: false });
    new StoreWatch(() => {}, main).worked('data');
    watch.failed('profiles and histories', new Error('damaged'));
    assert.deepEqual([main.cellSum('storeUp'), main.cellSum('storeFailures')], [1, 1]);
    watch.worked('profiles and histories');
    assert.deepEqual([main.cellSum('storeUp'), main.cellSum('storeFailures')], [1, 1]);
  });

  it('does not report every answer that works while others fail', () => {
    const events: ServiceEvent[] = [];
    let now = 0;
    const options = { saysUp: false, settleMs: 1000, now: () => now };
    const metrics = new SharedMetrics(SharedMetrics.bufferFor(1), 0);
    const watch = new StoreWatch(event => events.push(event), metrics, options);
    for (; now <= 2000; now += 500) {
      watch.failed('profiles and histories', new Error('a node is down'));
      watch.worked('profiles and histories');
    }
    assert.deepEqual(
      events.splice(0).map(event => event.event),
      ['store_unreachable'],
    );
    now = 3000;
    watch.worked('profiles and histories');
    assert.deepEqual(events, [{ event: 'store_reachable', doing: 'profiles and histories', seconds: 3 }]);
  });
});
