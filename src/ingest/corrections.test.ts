// Undoing loads, merging and removing assets whose bars several sources delivered, in both stores.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { draft } from '../../test/contract/fixtures.ts';
import { type Bars, barsOf, batchOf, DAY, HOUR, MINUTE } from '../../test/contract/store-series.ts';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { type BaseInterval, LAST_PERIOD, type Period } from '../domain/interval.ts';
import { recomputePending } from '../publish/publish-pending.ts';
import { readSources } from '../publish/sources-of.ts';
import { openStore } from '../store/open.ts';
import type { BarPlaces, Store } from '../store/store.ts';
import { planUndo, removeAsset, undoLoad } from './corrections.ts';
import { mergeAssets } from './merge-assets.ts';
import { SourceRoutes } from './source-routes.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-corrections-'));
after(() => rmSync(folder, { recursive: true }));

let file = 0;
const STORES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, `${file++}.db`)}`,
  PostgreSQL: () => freshPostgresUrl(),
};
const START: Readonly<Record<BaseInterval, number>> = { '1m': MINUTE, '1h': HOUR, '1d': DAY };

for (const [name, make] of Object.entries(STORES)) {
  describe(`several sources in a ${name} store`, () => {
    let store: Store;
    let [a, b]: AssetNumber[] = [];
    beforeEach(async () => {
      store = await openStore(await make());
      [a, b] = await store.putAssets([draft('a'), draft('b')]);
    });
    afterEach(async () => {
      await store.checkIntegrity();
      assert.deepEqual([await store.unmerged(), await store.pending()], [[], []]);
      await store.close();
    });

    /** Loads closes by their offsets from the first period, publishes them, and returns the number of the load. */
    async function loaded(
      source: string,
      asset: AssetNumber,
      closes: Readonly<Record<number, number>>,
      interval: BaseInterval = '1d',
    ): Promise<number> {
      const bars: Bars = new Map(
        Object.entries(closes).map(([at, close]) => [START[interval] + Number(at), { close }]),
      );
      const number = await store.beginLoad(`ccxt:${source}`);
      await SourceRoutes.put(store, source, interval, batchOf(asset, bars), number);
      await recomputePending(store);
      return number;
    }

    const offsets = (bars: ReturnType<typeof barsOf>, interval: BaseInterval) =>
      Object.fromEntries(Array.from(bars, ([period, { close }]) => [period - START[interval], close]));
    const served = async (asset: AssetNumber, interval: BaseInterval = '1d') =>
      offsets(barsOf(await store.series(interval).bars(asset, 0 as Period, LAST_PERIOD as Period)), interval);
    const said = async (asset: AssetNumber, interval: BaseInterval = '1d') =>
      Object.fromEntries(
        (await readSources(store, asset, interval, 0, LAST_PERIOD)).map(({ source, period, ...numbers }) => [
          source,
          offsets(barsOf({ day: period, ...numbers }), interval),
        ]),
      );
    const assetOf = async (asset: AssetNumber) => (await store.assets()).find(each => each.assetNumber === asset)!;

    async function undo(number: number) {
      const plan = (await planUndo(store, number))!;
      const { removed } = await undoLoad(store, plan);
      return { bars: plan.bars['1d'], replaced: plan.replaced, removed };
    }

    it('an undone load of the deciding source leaves the price to the other', async () => {
      const kraken = await loaded('kraken', a!, { 0: 100, 1: 110, 2: 120 });
      const binance = await loaded('binance', a!, { 0: 101, 1: 115, 3: 130 });
      await loaded('kraken', b!, { 0: 7 });
      assert.deepEqual(await served(a!), { 0: 100, 1: 110, 2: 120, 3: 130 });
      assert.deepEqual(await undo(kraken), { bars: 3, replaced: 0, removed: 3 });
      assert.deepEqual(await served(a!), { 0: 101, 1: 115, 3: 130 });
      assert.deepEqual(await said(a!), { binance: { 0: 101, 1: 115, 3: 130 } });
      assert.deepEqual([...new Set((await store.series('1d').origins(a!)).values())], [binance]);
      await loaded('kraken', a!, { 1: 111 });
      assert.deepEqual(await served(a!), { 0: 101, 1: 111, 3: 130 });
      assert.deepEqual(await undo(binance), { bars: 3, replaced: 0, removed: 3 });
      assert.deepEqual([await served(a!), await served(b!)], [{ 1: 111 }, { 0: 7 }]);
    });

    it('an undone load takes only what it delivered, and what was made of it', async () => {
      await loaded('kraken', a!, { 0: 100, 1: 110 });
      await loaded('binance', a!, { 0: 101, 2: 121 });
      const second = await loaded('binance', a!, { 2: 122, 3: 130 });
      const minutes = await loaded('binance', a!, { 5760: 140, 5761: 141, 5820: 142 }, '1m');
      assert.deepEqual(await served(a!), { 0: 100, 1: 110, 2: 122, 3: 130, 4: 142 });
      assert.deepEqual(await said(a!, '1h'), { binance: { 96: 141, 97: 142 } });
      assert.equal((await undo(minutes)).removed, 3);
      assert.deepEqual([await said(a!, '1h'), await served(a!, '1h'), await served(a!, '1m')], [{}, {}, {}]);
      assert.deepEqual(await undo(second), { bars: 2, replaced: 1, removed: 2 });
      assert.deepEqual(await served(a!), { 0: 100, 1: 110 });
      assert.deepEqual(await said(a!), { kraken: { 0: 100, 1: 110 }, binance: { 0: 101 } });
    });

    it('a merged asset gives each source’s bars of the periods that the other lacks', async () => {
      const kraken = await loaded('kraken', a!, { 0: 100, 1: 110, 2: 120 });
      const binance = await loaded('binance', a!, { 0: 101, 2: 121, 4: 140 });
      await loaded('csv', b!, { 2: 20, 3: 30 });
      const { moved, removed } = await mergeAssets(store, await assetOf(a!), await assetOf(b!));
      assert.deepEqual([moved, removed], [3, 4]);
      assert.deepEqual(await served(b!), { 0: 100, 1: 110, 2: 20, 3: 30, 4: 140 });
      const expected = { csv: { 2: 20, 3: 30 }, kraken: { 0: 100, 1: 110 }, binance: { 0: 101, 4: 140 } };
      assert.deepEqual(await said(b!), expected);
      assert.deepEqual([await served(a!), await said(a!), await store.sources([a!])], [{}, {}, []]);
      // They are still those of their loads.
      assert.equal((await undo(kraken)).removed, 2);
      assert.deepEqual(await served(b!), { 0: 101, 2: 20, 3: 30, 4: 140 });
      assert.equal((await undo(binance)).removed, 2);
      assert.deepEqual(await served(b!), { 2: 20, 3: 30 });
    });

    it('a merge leaves the bars of the other asset as they are, also those made of minutes', async () => {
      await loaded('kraken', a!, { 0: 100, 1: 101, 60: 102, 1440: 110 }, '1m');
      await loaded('csv', b!, { 0: 50 });
      const { moved } = await mergeAssets(store, await assetOf(a!), await assetOf(b!));
      assert.deepEqual(await served(b!), { 0: 50, 1: 110 });
      assert.deepEqual(await served(b!, '1h'), { 0: 101, 1: 102, 24: 110 });
      assert.deepEqual(await served(b!, '1m'), { 0: 100, 1: 101, 60: 102, 1440: 110 });
      assert.equal(moved, 8);
    });

    const wrong = (assetNumber: AssetNumber, offset: number, close: number | null) =>
      store.addCorrection({
        ...{ assetNumber, interval: '1d', period: DAY + offset, open: null, high: null, low: null, close },
        ...{ volume: null, reason: 'a wrong tick' },
      });

    it('a merged asset gives the corrections of its bars too, and they can be undone', async () => {
      await loaded('csv', a!, { 0: 100, 1: 110, 2: 120, 3: 130 });
      await loaded('csv', b!, { 2: 20, 4: 40 });
      const first = await wrong(a!, 0, 101);
      const drop = await wrong(a!, 1, null);
      await wrong(a!, 2, 121);
      await recomputePending(store);
      assert.deepEqual(await served(a!), { 0: 101, 2: 121, 3: 130 });
      const { reviews, moved } = await mergeAssets(store, await assetOf(a!), await assetOf(b!));
      assert.deepEqual([reviews.corrections, moved], [2, 2]);
      assert.deepEqual(await served(b!), { 0: 101, 2: 20, 3: 130, 4: 40 });
      assert.deepEqual(await store.corrections([a!]), []);
      for (const number of [first, drop]) await store.undoCorrection(number);
      await recomputePending(store);
      assert.deepEqual(await served(b!), { 0: 100, 1: 110, 2: 20, 3: 130, 4: 40 });
    });

    it('a merged asset gives its redenominations, unless they would change other bars of the one that stays', async () => {
      const redenominated = (assetNumber: AssetNumber, offset: number) => {
        return { assetNumber, day: DAY + offset, ratio: 10, fromAsset: null, reason: 'test' };
      };
      await loaded('csv', a!, { 0: 1, 1: 2, 2: 30 });
      await loaded('csv', b!, { 1: 21, 3: 40 });
      const [number] = await store.addActions([redenominated(a!, 2)]);
      await recomputePending(store);
      assert.deepEqual(await served(a!), { 0: 10, 1: 20, 2: 30 });
      const merge = async () => mergeAssets(store, await assetOf(a!), await assetOf(b!));
      await assert.rejects(merge(), {
        message: `b has bars before 2024-03-03, the day of action ${number} of a, and does not have this action`,
      });
      assert.deepEqual(
        [await served(a!), await served(b!)],
        [
          { 0: 10, 1: 20, 2: 30 },
          { 1: 21, 3: 40 },
        ],
      );
      const [own] = await store.addActions([redenominated(b!, 2)]);
      assert.equal((await merge()).reviews.actions, 0);
      assert.deepEqual(await served(b!), { 0: 10, 1: 210, 2: 30, 3: 40 });
      assert.deepEqual(
        (await store.actions()).map(action => action.number),
        [own],
      );

      const [c] = (await store.putAssets([draft('c')])) as [AssetNumber];
      await loaded('csv', c, { 3: 41, 5: 60 });
      assert.equal((await mergeAssets(store, await assetOf(b!), await assetOf(c))).reviews.actions, 1);
      assert.deepEqual(await served(c), { 0: 10, 1: 210, 2: 30, 3: 41, 5: 60 });
    });

    it('an asset that continues another is not merged into it', async () => {
      await loaded('csv', a!, { 3: 1 });
      await loaded('csv', b!, { 0: 1 });
      await store.addActions([{ assetNumber: a!, day: DAY + 2, ratio: 1, fromAsset: b!, reason: 'test' }]);
      await recomputePending(store);
      const merge = async (from: AssetNumber, into: AssetNumber) =>
        mergeAssets(store, await assetOf(from), await assetOf(into));
      await assert.rejects(merge(a!, b!), { message: 'a continues the bars of b, by action 1' });
      await assert.rejects(merge(b!, a!), { message: 'another asset continues the bars of b, by action 1' });
    });

    it('recorded findings and acceptances follow the bars of a merged asset', async () => {
      await loaded('csv', a!, { 0: 100, 1: 110 });
      await loaded('csv', b!, { 1: 20, 2: 30 });
      const found = [0, 1].map(offset => ({
        ...{ assetNumber: a!, interval: '1d' as const, period: DAY + offset, rule: 'inconsistent' as const },
        ...{ source: 'csv', value: 1, expected: 2, detail: 'The high is below the low.' },
      }));
      await store.recordFindings(found);
      for (const finding of found) await store.accept(finding, 'it is known');
      await recomputePending(store);
      const { reviews } = await mergeAssets(store, await assetOf(a!), await assetOf(b!));
      assert.deepEqual([reviews.findings, reviews.acceptances], [1, 1]);
      assert.deepEqual(await store.findings(), [{ ...found[0]!, assetNumber: b }]);
      assert.deepEqual(
        (await store.acceptances()).map(({ assetNumber, period }) => [assetNumber, period]),
        [[b, DAY]],
      );
    });

    it('an asset whose removal was killed has all of its bars or no source whose bars are hidden', async () => {
      for (const source of ['kraken', 'binance']) await loaded(source, a!, { 0: 100, 1: 101, 2: 102 });
      const killed = async () => Promise.reject(new Error('killed'));
      const series = (interval: BaseInterval) => {
        const own = store.series(interval);
        const removeBars = (places: BarPlaces) => own.removeBars(places).then(killed);
        return interval === '1d' ? { ...own, removeBars } : own;
      };
      await assert.rejects(removeAsset({ ...store, series }, await assetOf(a!)), /killed/);
      await loaded('binance', a!, { 3: 103 });
      assert.deepEqual([await served(a!), await store.separateAssets()], [{ 3: 103 }, []]);
      await removeAsset(store, await assetOf(a!));
    });

    it('a removed asset leaves nothing of its sources, and can come again with one', async () => {
      await loaded('kraken', a!, { 0: 100 });
      await loaded('binance', a!, { 0: 101, 1: 111 });
      for (const source of ['kraken', 'binance']) await loaded(source, b!, { 0: 7 });
      assert.equal((await removeAsset(store, await assetOf(a!))).removed, 2);
      assert.deepEqual(await store.separateAssets(), [b]);
      assert.deepEqual([await served(a!), await store.sources([a!])], [{}, []]);
      assert.deepEqual((await store.sourceBars([a!], '1d', 0, LAST_PERIOD)).get(a!), []);
      assert.deepEqual(await said(b!), { kraken: { 0: 7 }, binance: { 0: 7 } });
      const [again] = (await store.putAssets([draft('a')])) as [AssetNumber];
      assert.notEqual(again, a);
      await loaded('binance', again, { 0: 1 });
      assert.deepEqual(await said(again), { binance: { 0: 1 } });
      assert.deepEqual(await store.separateAssets(), [b]);
    });
  });
}
