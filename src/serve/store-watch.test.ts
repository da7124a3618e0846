import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceEvent } from '../observe/events.ts';
import { Figures } from '../observe/figures.ts';
import { StoreWatch } from './store-watch.ts';

describe('the watch over the store', () => {
  it('tells once that a use of it fails and once that it works again, and counts each failure', async () => {
    const told: ServiceEvent[] = [];
    const figures = new Figures(Figures.bufferFor(1), 0);
    const watch = new StoreWatch(figures, event => told.push(event));
    const names = () => told.splice(0).map(event => event.event);
    let broken = false;
    const keys = watch.guard('keys', async () => {
      if (broken) throw new Error('gone');
    });
    await keys();
    watch.worked('data');
    assert.deepEqual([names(), figures.cellSum('storeUp')], [[], 1]);
    broken = true;
    for (let i = 0; i < 3; i++) await keys();
    watch.worked('data');
    assert.deepEqual([names(), figures.cellSum('storeUp'), figures.cellSum('storeFailures')], [['store_lost'], 0, 3]);
    broken = false;
    await keys();
    assert.deepEqual([names(), figures.cellSum('storeUp')], [['store_back'], 1]);
  });
});
