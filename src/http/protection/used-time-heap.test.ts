import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type HeapItem, UsedTimeHeap } from './used-time-heap.ts';

describe('the heap of clients', () => {
  it('always has the client that has used the least time first', () => {
    const action = fc.record({ item: fc.nat(9), kind: fc.constantFrom('put', 'use', 'remove'), time: fc.nat(100) });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), actions => {
        const heap = new UsedTimeHeap<HeapItem>();
        const items = Array.from({ length: 10 }, (): HeapItem => ({ used: 0, position: -1 }));
        const inside = new Set<HeapItem>();
        for (const { item: i, kind, time } of actions) {
          const item = items[i]!;
          if (kind === 'remove') {
            heap.remove(item);
            inside.delete(item);
          } else if (kind === 'put' || inside.has(item)) {
            item.used = kind === 'put' ? time : item.used + time;
            heap.put(item);
            inside.add(item);
          }
          assert.equal(heap.size, inside.size);
          const least = Math.min(...[...inside].map(({ used }) => used));
          assert.equal(heap.first?.used ?? Number.POSITIVE_INFINITY, least);
        }
      }),
    );
  });
});
