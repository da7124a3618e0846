import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { externalMemory, sharedDoubleColumns, sharedDoubles, tableMemory } from './shared-memory.ts';

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
