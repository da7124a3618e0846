// The store's contract: current rows, pending marks and the version.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetNumber } from '../../src/domain/asset.ts';
import type { CurrentPart, CurrentRow, Store } from '../../src/store/store.ts';
import { draft, row } from './fixtures.ts';
import type { Subject } from './store.ts';

async function withAssets(store: Store): Promise<[AssetNumber, AssetNumber, AssetNumber]> {
  const [a, b, c] = await store.putAssets([draft('a'), draft('b'), draft('c')]);
  return [a!, b!, c!];
}

export function currentContract(use: () => Subject): void {
  test('before anything was published the version is 0 and there are no rows', async () => {
    const store = await use().fresh();
    assert.equal(await store.version(), 0);
    assert.deepEqual(await store.currentSince(0), { version: 0, columns: null, all: true, rows: [] });
  });

  test('published rows come back exactly, unknown values included', async () => {
    const store = await use().fresh();
    const [a, b] = await withAssets(store);
    const none = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
    const rows = [row(a, 0.1 + 0.2, [Number.NaN, -0, 5e-324, 1.7976931348623157e308]), row(b, 2, none)];
    const columns = 'x,"y",sma5,a b#definitions';
    const version = await store.publish(columns, [{ rows, removed: [] }]);
    assert.deepEqual(await store.currentSince(0), { version, columns, all: true, rows });
  });

  test('each publication raises the version and clears the marks of what it writes and removes', async () => {
    const store = await use().fresh();
    const [a, b, c] = await withAssets(store);
    const first = await store.publish('x', [{ rows: [row(a, 1)], removed: [b] }]);
    assert.deepEqual(await store.pending(), [c]);
    const second = await store.publish('x', [{ rows: [], removed: [] }]);
    assert.ok(second > first && first > 0, `${first}, then ${second}`);
    assert.deepEqual(await store.pending(), [c]);
    assert.equal(await store.version(), second);
    assert.deepEqual([(await store.totals()).version, (await store.totals()).pending], [second, 1]);
  });

  test('many parts are one publication, and may ask the store while they are made', async () => {
    const store = await use().fresh();
    const [a, b, c] = await withAssets(store);
    const first = await store.publish('x', [{ rows: [row(c, 1)], removed: [] }]);
    const seen: number[] = [];
    async function* parts(): AsyncGenerator<CurrentPart> {
      for (const assetNumber of [a, b]) {
        seen.push((await store.closes([assetNumber], 7)).close.length, (await store.currentSince(0)).rows.length);
        yield { rows: [row(assetNumber, 2)], removed: [] };
      }
      yield { rows: [], removed: [c] };
    }
    const version = await store.publish('x', parts());
    assert.deepEqual(seen, [0, 1, 0, 1]);
    const rows = [row(a, 2), row(b, 2)];
    assert.deepEqual(await store.currentSince(first), { version, columns: 'x', all: true, rows });
    assert.deepEqual(await store.pending(), []);
  });

  test('of an asset that is in several parts the last one counts', async () => {
    const store = await use().fresh();
    const [a, b, c] = await withAssets(store);
    await store.publish('x', [
      { rows: [row(a, 1), row(b, 1), row(c, 1)], removed: [] },
      { rows: [row(a, 2)], removed: [b] },
      { rows: [row(a, 3, [Number.NaN])], removed: [c] },
      { rows: [row(c, 4)], removed: [] },
    ]);
    assert.deepEqual((await store.currentSince(0)).rows, [row(a, 3, [Number.NaN]), row(c, 4)]);
  });

  test('a publication whose parts end in an error leaves all as it was', async () => {
    const store = await use().fresh();
    const [a, b, c] = await withAssets(store);
    await store.publish('x', [{ rows: [row(a, 1), row(b, 1)], removed: [] }]);
    const before = await store.currentSince(0);
    async function* parts(): AsyncGenerator<CurrentPart> {
      yield { rows: [row(a, 2), row(c, 2)], removed: [b] };
      throw new Error('out of numbers');
    }
    for (const columns of ['x', 'y']) {
      await assert.rejects(store.publish(columns, parts()), { message: 'out of numbers' });
      assert.deepEqual(await store.currentSince(0), before);
      assert.deepEqual(await store.pending('x'), [c]);
    }
  });

  test('rows since a version are those published after it', async () => {
    const store = await use().fresh();
    const [a, b, c] = await withAssets(store);
    const first = await store.publish('x', [{ rows: [row(a, 1), row(b, 1)], removed: [] }]);
    const version = await store.publish('x', [{ rows: [row(b, 2), row(c, 2)], removed: [] }]);
    const changes = { version, columns: 'x', all: false };
    assert.deepEqual(await store.currentSince(first), { ...changes, rows: [row(b, 2), row(c, 2)] });
    assert.deepEqual(await store.currentSince(version), { ...changes, rows: [] });
    // Those of another store, or of this one before it was restored.
    for (const unknown of [0, -1, first - 1, version + 1]) {
      const all = await store.currentSince(unknown);
      assert.deepEqual(all, { ...changes, all: true, rows: [row(a, 1), row(b, 2), row(c, 2)] });
    }
  });

  test('rows of many assets come back by key, each with its own version', async () => {
    const store = await use().fresh();
    const assetNumbers = await store.putAssets(Array.from({ length: 1500 }, (_, i) => draft(`asset-${i}`)));
    const rowsOf = (some: readonly AssetNumber[], price: number) =>
      some.map(assetNumber => row(assetNumber, price + assetNumber, [assetNumber, price]));
    const first = await store.publish('x,y', [{ rows: rowsOf(assetNumbers.toReversed(), 1), removed: [] }]);
    const [changed, kept] = [assetNumbers.filter((_, i) => i % 40 === 7), assetNumbers.filter((_, i) => i % 40 !== 7)];
    await store.publish('x,y', [{ rows: rowsOf(changed, 2), removed: [] }]);
    assert.deepEqual((await store.currentSince(first)).rows, rowsOf(changed, 2));
    const all = [...rowsOf(kept, 1), ...rowsOf(changed, 2)].sort((a, b) => a.assetNumber - b.assetNumber);
    assert.deepEqual((await store.currentSince(0)).rows, all);
    assert.deepEqual(await store.pending(), []);
  });

  test('rows that are read in parts are those that are read at once', async () => {
    const store = await use().fresh();
    const assetNumbers = await store.putAssets(Array.from({ length: 100 }, (_, i) => draft(`asset-${i}`)));
    const publish = (some: readonly AssetNumber[], price: number) =>
      store.publish('x', [{ rows: some.map(assetNumber => row(assetNumber, price)), removed: [] }]);
    const first = await publish(assetNumbers.slice(0, 90), 1);
    const second = await publish(assetNumbers.slice(50, 60), 2);
    for (const seen of [0, first, second, second + 1]) {
      const rows: CurrentRow[] = [];
      const changes = await store.readCurrentSince(seen, part => rows.push(...part));
      assert.deepEqual({ ...changes, rows }, await store.currentSince(seen), `since ${seen}`);
    }
  });

  test('rows of some assets can be asked for, if they have the wanted columns', async () => {
    const store = await use().fresh();
    const assetNumbers = await store.putAssets(Array.from({ length: 100 }, (_, i) => draft(`asset-${i}`)));
    await store.publish('x', [
      { rows: assetNumbers.slice(0, 90).map(assetNumber => row(assetNumber, assetNumber)), removed: [] },
    ]);
    const wanted = [assetNumbers[95]!, assetNumbers[70]!, assetNumbers[3]!, 99_999];
    const found = await store.currentOf(wanted, 'x');
    assert.deepEqual(
      [...found].sort((a, b) => a.assetNumber - b.assetNumber),
      [row(assetNumbers[3]!, assetNumbers[3]!), row(assetNumbers[70]!, assetNumbers[70]!)],
    );
    assert.deepEqual(await store.currentOf(wanted, 'y'), []);
    assert.deepEqual(await store.currentOf([], 'x'), []);
  });

  test('after a removal, readers that have not seen it start anew', async () => {
    const store = await use().fresh();
    const [a, b] = await withAssets(store);
    const first = await store.publish('x', [{ rows: [row(a, 1), row(b, 1)], removed: [] }]);
    const second = await store.publish('x', [{ rows: [], removed: [b] }]);
    const version = await store.publish('x', [{ rows: [row(a, 3)], removed: [] }]);
    assert.deepEqual(await store.currentSince(first), { version, columns: 'x', all: true, rows: [row(a, 3)] });
    assert.equal((await store.currentSince(second)).all, false);
  });

  test('removing what has no row is no removal', async () => {
    const store = await use().fresh();
    const [a, b] = await withAssets(store);
    const first = await store.publish('x', [{ rows: [row(a, 1)], removed: [] }]);
    const version = await store.publish('x', [{ rows: [], removed: [b] }]);
    assert.deepEqual(await store.currentSince(first), { version, columns: 'x', all: false, rows: [] });
  });

  test('other columns make every row stale', async () => {
    const store = await use().fresh();
    const [a, b, c] = await withAssets(store);
    const first = await store.publish('x', [{ rows: [row(a, 1), row(b, 1)], removed: [c] }]);
    assert.deepEqual(await store.pending('x'), []);
    assert.deepEqual(await store.pending('y,x'), [a, b, c]);
    const version = await store.publish('y,x', [{ rows: [row(a, 2, [2, 2])], removed: [] }]);
    assert.deepEqual(await store.pending('y,x'), [b]);
    const rows = [row(a, 2, [2, 2])];
    assert.deepEqual(await store.currentSince(first), { version, columns: 'y,x', all: true, rows });
  });

  const failures: [name: string, bad: (a: AssetNumber) => ReturnType<typeof row>][] = [
    ['a row without a price', a => row(a, Number.NaN, [1])],
    ['a row of an unknown asset', () => row(99_999, 1)],
  ];
  for (const [name, bad] of failures) {
    test(`a publication that fails on ${name} leaves all as it was`, async () => {
      const store = await use().fresh();
      const [a, b, c] = await withAssets(store);
      await store.publish('x', [{ rows: [row(a, 1), row(b, 1)], removed: [] }]);
      const before = await store.currentSince(0);
      await assert.rejects(store.publish('x', [{ rows: [row(c, 1), bad(a)], removed: [b] }]));
      assert.deepEqual(await store.currentSince(0), before);
      assert.deepEqual(await store.pending(), [c]);
      assert.equal(await store.version(), before.version);
    });
  }
}
