import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { collectGarbage } from './collect-garbage.ts';
import { SpareMemory } from './spare-memory.ts';

const MB = 2 ** 20;

/** A heap that a collection brings down to what is needed. */
function heap(t: TestContext, needed: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const state = { bytes: needed, needed, collections: 0 };
  const collect = () => {
    state.bytes = state.needed;
    state.collections++;
  };
  const memory = new SpareMemory(collect, () => state.bytes);
  const refresh = (garbage: number, kept = 0) => {
    state.bytes += garbage + kept;
    state.needed += kept;
    memory.refreshed();
  };
  return { state, refresh, later: () => t.mock.timers.tick(1000) };
}

describe('memory that a refresh leaves behind', () => {
  it('is returned once it is large, but not before the refresh has reached all threads', t => {
    const { state, refresh, later } = heap(t, 20 * MB);
    refresh(100 * MB);
    assert.equal(state.collections, 0);
    later();
    assert.deepEqual([state.collections, state.bytes], [1, 20 * MB]);
  });

  it('is left alone while it is little', t => {
    const { state, refresh, later } = heap(t, 20 * MB);
    refresh(MB);
    later();
    assert.equal(state.collections, 0);
  });

  it('is collected once for several refreshes in a row', t => {
    const { state, refresh, later } = heap(t, 20 * MB);
    for (let i = 0; i < 5; i++) refresh(50 * MB);
    later();
    assert.equal(state.collections, 1);
  });

  it('is collected also while refreshes come one upon the other, but seldom, and after the last one', t => {
    const { state, refresh } = heap(t, 20 * MB);
    for (let i = 0; i < 200; i++) {
      refresh(50 * MB);
      t.mock.timers.tick(100);
    }
    assert.equal(state.collections, 2, 'in twenty seconds');
    for (let i = 0; i < 20; i++) t.mock.timers.tick(1000);
    assert.deepEqual([state.collections, state.bytes], [3, 20 * MB]);
  });

  it('is measured against what was needed after the last collection', t => {
    const { state, refresh, later } = heap(t, 20 * MB);
    refresh(100 * MB, 200 * MB);
    later();
    refresh(MB);
    later();
    assert.deepEqual([state.collections, state.bytes], [1, 221 * MB]);
  });

  it('is really less afterwards', async () => {
    let garbage: number[][] | null = Array.from({ length: 40 }, () => new Array<number>(2 ** 16).fill(0.5));
    const before = process.memoryUsage().heapTotal;
    const memory = new SpareMemory(undefined, () => (garbage === null ? before : 0));
    garbage = null;
    memory.refreshed();
    await new Promise(resolve => setTimeout(resolve, 1000));
    assert.ok(process.memoryUsage().heapTotal < before);
    assert.equal('gc' in globalThis, false);
  });

  it('can be collected by this version of Node', () => assert.equal(collectGarbage(), true));
});
