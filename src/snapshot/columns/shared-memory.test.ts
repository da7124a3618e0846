import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  consecutive,
  externalMemory,
  rowNumbers,
  sharedDoubleColumns,
  sharedDoubles,
  tableMemory,
} from './shared-memory.ts';

describe('shared memory', () => {
  it('holds columns in one piece, one after the other', () => {
    const columns = sharedDoubleColumns(3, 2);
    for (const [i, column] of columns.entries()) column.fill(i);
    assert.deepEqual([...new Float64Array(columns[0]!.buffer)], [0, 0, 1, 1, 2, 2]);
    assert.deepEqual(sharedDoubleColumns(2, 0), [sharedDoubles(0), sharedDoubles(0)]);
  });

  it('is counted by what is kept with it, which has no memory of its own', () => {
    const bytes = 2 ** 28;
    const before = process.memoryUsage();
    const kept = [sharedDoubles(bytes / 8)];
    assert.ok(process.memoryUsage().external - before.external < bytes / 2, 'V8 does not count it by itself');
    const { external: owner } = externalMemory(bytes);
    const after = process.memoryUsage();
    // Not compared with the time before: a collection of garbage in between frees other memory.
    assert.ok(after.external >= bytes);
    assert.ok(after.rss - before.rss < bytes / 2);
    assert.equal(owner.byteLength, kept[0]!.byteLength);
  });

  it('of a table is counted in part: a quarter of a small one, all but 48 MiB of a large one', () => {
    const counted = [0, 4, 64, 128, 1024].map(
      megabytes => tableMemory(megabytes * 2 ** 20).external.byteLength / 2 ** 20,
    );
    assert.deepEqual(counted, [0, 1, 16, 80, 976]);
  });
});

describe('consecutive numbers', () => {
  it('begin where they are told to, also behind all that were asked for before', () => {
    for (const [from, count] of [
      [0, 0],
      [0, 3],
      [7, 2],
      [20_000, 1500],
      [5, 0],
    ] as const) {
      assert.deepEqual(
        [...consecutive(from, count)],
        Array.from({ length: count }, (_, i) => from + i),
      );
    }
  });

  it('are row numbers from 0 on, those that were given before included', () => {
    const few = rowNumbers(2);
    assert.deepEqual([...rowNumbers(40_000)].at(-1), 39_999);
    assert.deepEqual([...few], [0, 1]);
    assert.deepEqual([...rowNumbers(0)], []);
  });

  it('share their memory', () => {
    assert.equal(consecutive(3, 9).buffer, rowNumbers(5).buffer);
  });
});
