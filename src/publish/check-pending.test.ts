import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { batch, DAY, draft } from '../../test/contract/fixtures.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { FIRST_DAY, LAST_DAY } from '../domain/day.ts';
import { check } from '../quality/check.ts';
import { DEFAULT_RULE_SETTINGS } from '../quality/settings.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { mergeSources } from './merge-sources.ts';
import { recomputePending } from './publish-pending.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-check-'));
after(() => rmSync(folder, { recursive: true }));
let stores = 0;

async function storeWith(assets: number): Promise<{ store: Store; numbers: AssetNumber[] }> {
  const store = await openStore(`sqlite:${join(folder, `${stores++}.db`)}`);
  return { store, numbers: await store.putAssets(Array.from({ length: assets }, (_, i) => draft(`a${i}-asset`))) };
}

/** Those of a check of all bars that are stored. */
async function expected(store: Store, asset: AssetNumber): Promise<string[]> {
  const { day: period, ...numbers } = await store.bars(asset, FIRST_DAY, LAST_DAY);
  const served = { source: null, period, ...numbers };
  return check({ served, sources: [served], newest: null }, DEFAULT_RULE_SETTINGS)
    .map(({ rule, period, value, expected, detail }) => `${period - DAY} ${rule} ${value} ${expected} ${detail}`)
    .sort();
}

async function found(store: Store, asset: AssetNumber): Promise<string[]> {
  const findings = await store.findings({ assets: [asset] });
  return findings
    .map(({ rule, period, value, expected, detail }) => `${period - DAY} ${rule} ${value} ${expected} ${detail}`)
    .sort();
}

const price = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 95, max: 105 }) },
  { weight: 4, arbitrary: fc.constant(100) },
  fc.constantFrom(10, 300, 1000),
);
const bar = fc.record({
  close: price,
  high: fc.oneof({ weight: 30, arbitrary: fc.constant(5000) }, fc.constant(90)),
  volume: fc.oneof({ weight: 15, arbitrary: fc.integer({ min: 50, max: 90 }) }, fc.constantFrom(0, 9000)),
});
/** Bars from a day on, of every day or of every second. */
const part = fc.record({
  from: fc.integer({ min: -40, max: 700 }),
  step: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.constantFrom(2, 7)),
  bars: fc.array(bar, { minLength: 1, maxLength: 150, size: 'max' }),
  removed: fc.option(fc.integer({ min: 0, max: 149 }), { freq: 4 }),
  appended: fc.boolean(),
  prices: fc.constantFrom('drawn', 'drawn', 'equal', 'quiet', 'shifted'),
});

/** Some rules find nothing in prices that are drawn. */
function otherPrices(prices: string, i: number) {
  const quiet = { close: 100 + (i % 5), high: 200, volume: 70 };
  if (prices === 'quiet') return quiet;
  if (prices === 'shifted') return i < 20 ? quiet : { ...quiet, close: 1000 + (i % 5), high: 2000 };
  return prices === 'equal' ? { close: 100 } : {};
}

test('after any loads and removals, the findings are those of a check of all bars', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 5 }), async parts => {
      const { store, numbers } = await storeWith(3);
      const [asset, other] = numbers as [AssetNumber, AssetNumber];
      let end = 0;
      for (const { from, step, bars, removed, appended, prices } of parts) {
        const first = appended ? end : from;
        // No more gaps than are kept.
        const loaded = bars
          .slice(0, step === 1 ? 150 : 35)
          .map((each, i) => ({ assetNumber: asset, day: first + i * step, ...each, ...otherPrices(prices, i) }));
        end = Math.max(end, first + bars.length * step);
        await store.putBars(batch([...loaded, { assetNumber: other, day: end, close: 5 }]));
        await recomputePending(store);
        assert.deepEqual(await found(store, asset), await expected(store, asset));
        if (removed === null) continue;
        const day = DAY + (loaded[removed % loaded.length]?.day ?? 0);
        await store.removeBars({ assetNumber: Uint32Array.of(asset), day: Int32Array.of(day) });
        await recomputePending(store);
        assert.deepEqual(await found(store, asset), await expected(store, asset));
      }
      for (const { rule } of await store.findings()) seen.add(rule);
      await store.close();
    }),
    { numRuns: 60 },
  );
  assert.deepEqual([...seen].sort(), ['flat', 'gap', 'inconsistent', 'shift', 'spike', 'volume']);
});

for (const numbers of [{}, { high: 200, volume: 70 }]) {
  test(`a long gap is no finding once the bar behind it is removed: bars with ${Object.keys(numbers).length + 1} numbers`, async () => {
    const { store, numbers: assets } = await storeWith(1);
    const [asset] = assets as [AssetNumber];
    const bar = (day: number) => ({ assetNumber: asset, day, close: 100 + (day % 5), ...numbers });
    for (const days of [[0, 1, 2], [50]]) {
      await store.putBars(batch(days.map(bar)));
      await recomputePending(store);
    }
    assert.deepEqual(await found(store, asset), ['3 gap 47 0 There is no bar for 47 periods.']);
    await store.removeBars({ assetNumber: Uint32Array.of(asset), day: Int32Array.of(DAY + 50) });
    await recomputePending(store);
    assert.deepEqual(await found(store, asset), []);
    await store.close();
  });
}

test('an asset that ended long before its neighbour, which has closes alone, is checked with all of its numbers', async () => {
  const { store, numbers } = await storeWith(2);
  const [ended, current] = numbers as [AssetNumber, AssetNumber];
  const whole = (day: number, volume: number) => ({
    assetNumber: ended,
    day,
    close: 100 + (day % 5),
    high: 200,
    volume,
  });
  const plain = (day: number) => ({ assetNumber: current, day, close: 100 + (day % 5) });
  const days = Array.from({ length: 100 }, (_, i) => i);
  await store.putBars(batch([...days.map(i => whole(i, i === 95 ? 90_000 : 70)), ...days.map(i => plain(900 + i))]), 1);
  await recomputePending(store);
  await store.putBars(batch([whole(100, 80_000), plain(1000)]), 2);
  await recomputePending(store);
  assert.deepEqual(await found(store, ended), await expected(store, ended));
  assert.equal((await found(store, ended)).length, 2);
  // Every row is computed anew, without a change of any bar.
  await recomputePending(store, false, 'all');
  assert.equal((await found(store, ended)).length, 2);
  await store.close();
});

test('what a source changed before a publication that was killed after its merge is checked by the next one', async () => {
  const { store, numbers } = await storeWith(1);
  const [asset] = numbers as [AssetNumber];
  const closes = (first: number, count: number, close?: number) =>
    batch(
      Array.from({ length: count }, (_, i) => ({
        assetNumber: asset,
        day: first + i,
        close: close ?? 100 + ((first + i) % 5),
      })),
    );
  await store.separateSources(
    asset,
    ['x', 'y'].map((name, i) => ({ name, firstLoad: i + 1, bars: {} })),
  );
  for (const source of ['x', 'y']) await store.putSourceBars(source, '1d', closes(0, 900), 1);
  await recomputePending(store);
  await store.putSourceBars('y', '1d', closes(100, 1, 150), 2);
  await mergeSources(store, await store.unmerged()); // and killed
  for (const source of ['x', 'y']) await store.putSourceBars(source, '1d', closes(900, 1), 3);
  await recomputePending(store);
  const findings = await store.findings({ assets: [asset] });
  assert.deepEqual(
    findings.map(({ rule, period }) => `${period - DAY} ${rule}`),
    ['100 disagree'],
  );
  assert.deepEqual(await store.unmerged(), []);
  await store.close();
});

test('an appended bar does not make the whole history be read', async () => {
  const { store, numbers } = await storeWith(1);
  const [asset] = numbers as [AssetNumber];
  const closes = Array.from({ length: 2000 }, (_, day) => ({ assetNumber: asset, day, close: 100 + (day % 7) }));
  await store.putBars(batch(closes));
  await recomputePending(store);
  const read: number[][] = [];
  const series: Store['series'] = interval => {
    const own = store.series(interval);
    const barsFrom: typeof own.barsFrom = (assets, from) => {
      read.push(from.map(day => day - DAY));
      return own.barsFrom(assets, from);
    };
    return { ...own, barsFrom };
  };
  const append = async (day: number, bar: { readonly close: number; readonly volume?: number }) => {
    await store.putBars(batch([{ assetNumber: asset, day, ...bar }]));
    await recomputePending({ ...store, series });
  };
  // The closes that the row is computed from show that there is nothing to doubt.
  await append(2000, { close: 100 });
  await append(2001, { close: 101 });
  assert.deepEqual(read, []);
  await append(2002, { close: 300 });
  assert.deepEqual(read, [[2001 - 61]]);
  // Volumes are not among them.
  await append(2003, { close: 301, volume: 5 });
  assert.deepEqual(read, [[2001 - 61], [2002 - 61]]);
  assert.deepEqual(await store.findings(), []);
  await store.close();
});

test('bars that were never checked are checked with the next publication, and again when thresholds change', async () => {
  const { store, numbers } = await storeWith(1);
  const [asset] = numbers as [AssetNumber];
  const bars = Array.from({ length: 100 }, (_, day) => ({
    assetNumber: asset,
    day,
    close: day === 50 ? 300 : 100 + (day % 7),
  }));
  await store.putBars(batch(bars));
  await recomputePending(store);
  assert.equal((await store.findings()).length, 1);
  // As in a store of an earlier version.
  await store.removeFindings('1d');
  await store.removeCheck('1d');
  const version = await store.version();
  const { newFindings, version: next } = await recomputePending(store);
  assert.deepEqual([newFindings, (await store.findings())[0]!.period - DAY], [{ spike: 1 }, 50]);
  assert.ok(next > version);
  await store.putCheck({ interval: '1d', settings: { 'spike-factor': 4 }, complete: false });
  await recomputePending(store);
  assert.deepEqual(await store.findings(), []);
  assert.deepEqual((await recomputePending(store)).newFindings, {});
  await store.close();
});

test('a publication can find more than a call takes as arguments', async () => {
  const { store, numbers } = await storeWith(800);
  const days = Array.from({ length: 201 }, (_, i) => 2 * i);
  for (const assetNumber of numbers as AssetNumber[]) {
    await store.putBars(batch(days.map(day => ({ assetNumber, day, close: 100 + (day % 7) }))));
  }
  const { newFindings } = await recomputePending(store);
  assert.deepEqual(newFindings, { gap: 800 * 200 });
  await store.close();
});
