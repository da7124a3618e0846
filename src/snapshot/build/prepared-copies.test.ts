import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedBytes } from '../columns/shared-memory.ts';
import { PreparedCopies } from './prepared-copies.ts';
import { HELPED_ROWS } from './work-list.ts';

/** Different in every place of 4 MB and more. */
function numbered(bytes: number): Uint8Array<SharedArrayBuffer> {
  const memory = sharedBytes(bytes);
  for (let i = 0; i < bytes; i++) memory[i] = i % 251;
  return memory;
}

describe('copies for the next snapshot', () => {
  for (const rows of [10, HELPED_ROWS]) {
    it(`are ready for what the newest one changed, with ${rows} rows`, () => {
      const copies = new PreparedCopies();
      for (const bytes of [0, 1, 5000, 9_000_001]) {
        const first = numbered(bytes);
        copies.begin(rows);
        const second = sharedBytes(copies.copy(first.buffer));
        copies.end(true);
        copies.prepare();
        second.fill(7);
        copies.begin(rows);
        const { memory, isCopied } = copies.take(second.buffer);
        assert.ok(isCopied);
        // As it was when it was prepared: a published array does not change.
        assert.deepEqual(Buffer.from(memory), Buffer.from(first));
        assert.notEqual(memory, second.buffer);
      }
    });
  }

  it('are given out once, and prepared once', () => {
    const copies = new PreparedCopies();
    copies.begin(1);
    const source = copies.copy(numbered(100).buffer);
    copies.end(true);
    copies.prepare();
    copies.prepare();
    assert.ok(copies.isReady);
    copies.begin(1);
    const [first, second] = [copies.take(source), copies.take(source)];
    assert.deepEqual([first.isCopied, second.isCopied], [true, false]);
    assert.notEqual(first.memory, second.memory);
  });

  it('are dropped if the next snapshot does not use them, or changed many rows', () => {
    const copies = new PreparedCopies();
    for (const again of [true, false]) {
      copies.begin(1);
      copies.copy(numbered(100).buffer);
      copies.end(again);
      copies.prepare();
      assert.equal(copies.isReady, again);
    }
    copies.begin(1);
    copies.end(true);
    copies.prepare();
    assert.ok(!copies.isReady);
  });
});
