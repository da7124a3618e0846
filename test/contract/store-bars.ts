// The store's contract: bars and closes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import type { Period } from '../../src/domain/interval.ts';
import type { Store } from '../../src/store/store.ts';
import { type Bar, batch, DAY, draft } from './fixtures.ts';
import type { Subject } from './store.ts';

let made = 0;

/** Keys of assets that no other test uses. */
export async function newAssets(store: Store, count: number): Promise<AssetNumber[]> {
  const prefix = `bars-${++made}`;
  return store.putAssets(Array.from({ length: count }, (_, i) => draft(`${prefix}-${i}`)));
}

/** All stored bars of an asset, in the form that they were put. */
export async function stored(store: Store, assetNumber: AssetNumber): Promise<Bar[]> {
  const columns = await store.bars(assetNumber, FIRST_DAY, LAST_DAY);
  return Array.from(columns.day, (day, i) => {
    const bar: Record<string, number> = { assetNumber, day: day - DAY, close: columns.close[i]! };
    for (const name of ['open', 'high', 'low', 'volume'] as const) {
      if (!Number.isNaN(columns[name][i])) bar[name] = columns[name][i]!;
    }
    // Built just above, with what a bar has.
    return bar as unknown as Bar;
  });
}

export async function closesOf(store: Store, assetNumbers: AssetNumber[], days: number): Promise<number[][]> {
  const { starts, close } = await store.closes(assetNumbers, days);
  return assetNumbers.map((_, i) => [...close.subarray(starts[i], starts[i + 1])]);
}

/** The closes that these bars of one asset, oldest first, have on each day. */
export function carried(bars: readonly Bar[], days: number): number[] {
  const last = bars.at(-1)?.day ?? 0;
  const first = Math.max(bars[0]?.day ?? 1, last - days);
  const length = Math.max(0, last - first + 1);
  return Array.from({ length }, (_, i) => bars.findLast(bar => bar.day <= first + i)!.close);
}

export async function clearPending(store: Store): Promise<void> {
  await store.publish('x', [{ rows: [], removed: await store.pending() }]);
}

export function barContract(use: () => Subject): void {
  test('bars come back exactly as they were put, oldest first', async () => {
    const { store } = use();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    const bars = [
      { assetNumber, day: 0, close: 0.1 + 0.2, open: 1e-18, high: 1e15, low: 5e-324, volume: 0 },
      { assetNumber, day: 1, close: 1.7976931348623157e308 },
      { assetNumber, day: 5, close: 3, volume: 123456789.125 },
    ];
    assert.deepEqual(await store.putBars(batch(bars.toReversed(), 3)), { inserted: 3, replaced: 0, unchanged: 0 });
    assert.deepEqual(await stored(store, assetNumber), bars);
  });

  test('a read of closes tells that there is no other number, and never if there is one on these days', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const onlyCloses = async (assets: readonly AssetNumber[], days: number, until?: Period) =>
      (await store.series('1d').closes(assets, days, until, { onlyCloses: true })).onlyCloses;
    const closes = [a, b].flatMap(assetNumber => [0, 1, 400].map(day => ({ assetNumber, day, close: day + 1 })));
    await store.putBars(batch(closes));
    assert.equal(await onlyCloses([a, b], 1000), true);
    assert.equal(await onlyCloses([a, b], 1), true);
    await store.putBars(batch([{ assetNumber: b, day: 400, close: 3, volume: 0 }]));
    assert.equal(await onlyCloses([a, b], 1), false);
    assert.equal(await onlyCloses([b], 400), false);
    await store.putBars(batch([{ assetNumber: b, day: 0, close: 3, high: 4 }]));
    assert.equal(await onlyCloses([b], 1, (DAY + 1) as Period), false);
  });

  test('the memory of bars may be used for others as soon as they are put', async () => {
    const { store } = use();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    const bars = batch([0, 1].map(day => ({ assetNumber, day, close: day + 1 })));
    const put = store.putBars(bars);
    bars.assetNumber.fill(0);
    bars.day.fill(0);
    bars.close.fill(9);
    await put;
    assert.deepEqual(
      await stored(store, assetNumber),
      [0, 1].map(day => ({ assetNumber, day, close: day + 1 })),
    );
  });

  test('bars are given from a day to a day, both included', async () => {
    const { store } = use();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    await store.putBars(batch([0, 1, 2, 3].map(day => ({ assetNumber, day, close: day + 1 }))));
    const some = await store.bars(assetNumber, (DAY + 1) as typeof DAY, (DAY + 2) as typeof DAY);
    assert.deepEqual([...some.close], [2, 3]);
    assert.equal((await store.bars(99_999, FIRST_DAY, LAST_DAY)).day.length, 0);
  });

  test('repeating a batch changes nothing and leaves nothing pending', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const bars = batch([
      { assetNumber: a, day: 0, close: 1, open: 2 },
      { assetNumber: b, day: 0, close: 1 },
      { assetNumber: b, day: 3, close: 1, volume: 4 },
    ]);
    await store.putBars(bars);
    await clearPending(store);
    assert.deepEqual(await store.putBars(bars), { inserted: 0, replaced: 0, unchanged: 3 });
    assert.deepEqual(await store.pending(), []);
  });

  test('the assets whose bars changed are pending, in the same transaction', async () => {
    const store = await use().fresh();
    const [a, b, c, d] = (await newAssets(store, 4)) as [AssetNumber, AssetNumber, AssetNumber, AssetNumber];
    await store.putBars(batch([a, b, c, d].map(assetNumber => ({ assetNumber, day: 0, close: 1 }))));
    await clearPending(store);
    const changes = await store.putBars(
      batch([
        { assetNumber: a, day: 0, close: 2 },
        { assetNumber: b, day: 0, close: 1 },
        { assetNumber: c, day: 1, close: 1 },
      ]),
    );
    assert.deepEqual(changes, { inserted: 1, replaced: 1, unchanged: 1 });
    assert.deepEqual(await store.pending(), [a, c]);
  });

  const known = { day: 0, close: 10, open: 1, high: 2, low: 3, volume: 4 };
  const bare = { day: 0, close: 10 };
  const meetings: [name: string, before: typeof bare, put: typeof bare, after: object, what: string][] = [
    ['an equal bar', known, known, known, 'unchanged'],
    ['a close alone, equal', known, bare, known, 'unchanged'],
    ['a close alone, other', known, { ...bare, close: 11 }, { ...known, close: 11 }, 'replaced'],
    ['more numbers than before', bare, known, known, 'replaced'],
    ['another volume', known, { ...known, volume: 5 } as typeof bare, { ...known, volume: 5 }, 'replaced'],
    ['some numbers', known, { ...bare, high: 9 } as typeof bare, { ...known, high: 9 }, 'replaced'],
    ['nothing more', bare, bare, bare, 'unchanged'],
  ];
  for (const [name, before, put, after, what] of meetings) {
    test(`${name} leaves the bar ${what}, and erases no known number`, async () => {
      const { store } = use();
      const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
      await store.putBars(batch([{ assetNumber, ...before }]));
      const changes = await store.putBars(batch([{ assetNumber, ...put }]));
      assert.deepEqual(changes, { inserted: 0, replaced: 0, unchanged: 0, [what]: 1 });
      assert.deepEqual(await stored(store, assetNumber), [{ assetNumber, ...after }]);
    });
  }

  test('the later of two bars in a batch counts, and takes over what only the earlier knows', async () => {
    const { store } = use();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const changes = await store.putBars(
      batch([
        { assetNumber: b, day: 1, close: 1, open: 7, volume: 8 },
        { assetNumber: a, day: 1, close: 5 },
        { assetNumber: b, day: 1, close: 2, open: 9 },
        { assetNumber: b, day: 0, close: 3 },
      ]),
    );
    assert.deepEqual(changes, { inserted: 3, replaced: 0, unchanged: 0 });
    assert.deepEqual(await stored(store, b), [
      { assetNumber: b, day: 0, close: 3 },
      { assetNumber: b, day: 1, close: 2, open: 9, volume: 8 },
    ]);
  });

  test('the batch that a caller gives is not changed', async () => {
    const { store } = use();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    await store.putBars(batch([{ assetNumber, day: 0, close: 1, open: 2 }]));
    const given = batch([{ assetNumber, day: 0, close: 3 }]);
    await store.putBars(given);
    assert.deepEqual(given, batch([{ assetNumber, day: 0, close: 3 }]));
  });

  test('first day, last day and number of bars follow every change', async () => {
    const store = await use().fresh();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    const coverage = async () => {
      const [asset] = await store.assets();
      return [asset!.firstDay! - DAY, asset!.lastDay! - DAY, asset!.bars];
    };
    const put = (days: number[]) => store.putBars(batch(days.map(day => ({ assetNumber, day, close: 1 }))));
    const steps: [days: number[], after: number[]][] = [
      [
        [10, 20],
        [10, 20, 2],
      ],
      [[15], [10, 20, 3]],
      [
        [30, 25],
        [10, 30, 5],
      ],
      [
        [5, 10, 12],
        [5, 30, 7],
      ],
      [
        [5, 30],
        [5, 30, 7],
      ],
    ];
    for (const [days, after] of steps) {
      await put(days);
      assert.deepEqual(await coverage(), after);
    }
    const { assets, bars, firstDay, lastDay } = await store.totals();
    assert.deepEqual([assets, bars, firstDay! - DAY, lastDay! - DAY], [1, 7, 5, 30]);
  });

  test('a batch with an unknown asset fails as a whole', async () => {
    const { store } = use();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    const bars = [assetNumber, 99_999].map(one => ({ assetNumber: one, day: 0, close: 1 }));
    await assert.rejects(store.putBars(batch(bars)), { code: 'unknown_asset' });
    assert.deepEqual(await stored(store, assetNumber), []);
  });

  test('a batch that the database refuses fails as a whole, and the store goes on', async () => {
    const { store } = use();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    const bars = Array.from({ length: 30_000 }, (_, day) => ({ assetNumber, day: day - 19_000, close: 1 }));
    await assert.rejects(store.putBars(batch([...bars, { assetNumber, day: 20_000, close: Number.NaN }])));
    assert.deepEqual(await stored(store, assetNumber), []);
    await store.putBars(batch([{ assetNumber, day: 0, close: 1 }]));
    assert.equal((await stored(store, assetNumber)).length, 1);
  });

  test('an empty batch is no change', async () => {
    assert.deepEqual(await use().store.putBars(batch([])), { inserted: 0, replaced: 0, unchanged: 0 });
  });

  test('any sequence of batches leaves what putting bar after bar would', async () => {
    const { store } = use();
    const number = fc.option(fc.constantFrom(1, 2, 3), { nil: undefined, freq: 2 });
    const bar = fc.record({
      asset: fc.nat(2),
      // Close together, where bars meet, and apart, so that they lie in different blocks.
      day: fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(-700, -70, -33, -8, -7, 24, 25, 60)),
      close: fc.constantFrom(1, 2, 3),
      open: number,
      high: number,
      low: number,
      volume: number,
    });
    const batches = fc.array(fc.array(bar, { maxLength: 25 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(batches, async sequence => {
        const assetNumbers = await newAssets(store, 3);
        const model = new Map<string, Bar>();
        for (const bars of sequence) {
          const before = new Map(model);
          const touched = new Set<string>();
          const put: Bar[] = [];
          for (const { asset, ...numbers } of bars) {
            const given = Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
            // Its day and close are always there.
            const next = { assetNumber: assetNumbers[asset]!, ...given } as Bar;
            const id = `${asset} ${next.day}`;
            model.set(id, { ...model.get(id), ...next });
            touched.add(id);
            put.push(next);
          }
          const expected = { inserted: 0, replaced: 0, unchanged: 0 };
          for (const id of touched) expected[outcomeOf(before.get(id), model.get(id)!)]++;
          assert.deepEqual(await store.putBars(batch(put)), expected);
        }
        const assets = await store.assets();
        for (const assetNumber of assetNumbers) {
          const own = [...model.values()].filter(one => one.assetNumber === assetNumber).sort((a, b) => a.day - b.day);
          assert.deepEqual(await stored(store, assetNumber), own);
          const asset = assets.find(one => one.assetNumber === assetNumber)!;
          const days = asset.bars === 0 ? [] : [asset.firstDay! - DAY, asset.lastDay! - DAY];
          assert.deepEqual([asset.bars, ...days], own.length === 0 ? [0] : [own.length, own[0]!.day, own.at(-1)!.day]);
          for (const days of [0, 5, 40, 900])
            assert.deepEqual(await closesOf(store, [assetNumber], days), [carried(own, days)]);
        }
      }),
      { numRuns: 40 },
    );
  });
}

function outcomeOf(before: Bar | undefined, after: Bar): 'inserted' | 'replaced' | 'unchanged' {
  if (!before) return 'inserted';
  const names = ['open', 'high', 'low', 'close', 'volume'] as const;
  return names.every(name => before[name] === after[name]) ? 'unchanged' : 'replaced';
}
