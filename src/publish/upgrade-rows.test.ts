import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { batchOf } from '../../test/contract/store-series.ts';
import type { BarColumns } from '../domain/bar.ts';
import { PUBLISHED_COLUMNS } from '../domain/catalogue.ts';
import type { Day } from '../domain/day.ts';
import { SourceRoutes } from '../ingest/source-routes.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { benchmarkIn, publicationColumns, STORED_COLUMNS } from './columns.ts';
import { recomputePending } from './publish-pending.ts';
import { addOptionalColumns, upgradeRows } from './upgrade-rows.ts';

describe('rows after an upgrade', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-upgrade-'));
  after(() => rmSync(folder, { recursive: true }));
  let files = 0;
  let store: Store;
  let bar: BarColumns;

  beforeEach(async () => {
    store = await openStore(`sqlite:${join(folder, `${files++}.db`)}`);
    const facts = {
      symbol: 'A',
      name: 'A',
      rank: null,
      type: null,
      supply: null,
      tags: '',
      provisional: false,
      delisted: false,
    };
    const [assetNumber = 0] = await store.putAssets([{ id: 'a-a', ...facts }]);
    const none = Float64Array.of(Number.NaN);
    bar = { day: Int32Array.of(100), open: none, high: none, low: none, close: Float64Array.of(7), volume: none };
    await store.putBars({ count: 1, assetNumber: Uint32Array.of(assetNumber), ...bar });
    await store.publish('older', [
      { rows: [{ assetNumber, day: 100 as Day, history: 1, price: 7, values: Float64Array.of(1) }], removed: [] },
    ]);
  });

  afterEach(() => store.close());

  it('of other columns are computed anew', async () => {
    assert.equal(await upgradeRows(store), 1);
    const { columns, rows } = await store.currentSince(0);
    assert.equal(columns, publicationColumns('default', 'BTC'));
    assert.deepEqual(
      rows.map(row => [row.price, row.values.length]),
      [[7, STORED_COLUMNS.default.valuesPerRow]],
    );
  });

  it('of the same columns are left alone', async () => {
    await recomputePending(store);
    const version = await store.version();
    assert.equal(await upgradeRows(store), 0);
    assert.equal(await store.version(), version);
  });

  it('have the optional columns once a client has asked for one', async () => {
    await addOptionalColumns(store);
    const { valuesPerRow } = STORED_COLUMNS.all;
    const fingerprint = publicationColumns('all', 'BTC');
    assert.equal((await store.currentSince(0)).columns, fingerprint);
    await store.putBars({ ...bar, day: Int32Array.of(101), count: 1, assetNumber: Uint32Array.of(1) });
    await recomputePending(store);
    const { columns, rows } = await store.currentSince(0);
    assert.deepEqual([columns, rows[0]?.day, rows[0]?.values.length], [fingerprint, 101, valuesPerRow]);
  });

  it('have the betas of another benchmark once a setting names it, and keep it', async () => {
    const days = Int32Array.from({ length: 120 }, (_, i) => 101 + i);
    const none = new Float64Array(days.length).fill(Number.NaN);
    const close = Float64Array.from(days, day => 3 + Math.sin(day));
    const bars = { day: days, open: none, high: none, low: none, close, volume: none };
    await store.putBars({ ...bars, count: days.length, assetNumber: new Uint32Array(days.length).fill(1) });
    await addOptionalColumns(store);
    const beta = async () => {
      const { columns, rows } = await store.currentSince(0);
      return [benchmarkIn(columns), rows[0]!.values[PUBLISHED_COLUMNS.findIndex(({ name }) => name === 'beta90')]];
    };
    assert.deepEqual(await beta(), ['BTC', Number.NaN]);
    assert.equal(await upgradeRows(store, 'default', 'A'), 1);
    assert.deepEqual(await beta(), ['A', 1]);
    await store.putBars({ ...bar, day: Int32Array.of(221), count: 1, assetNumber: Uint32Array.of(1) });
    await recomputePending(store);
    assert.deepEqual(await beta(), ['A', 1]);
    assert.equal(await upgradeRows(store, 'default', 'A'), 0);
  });

  it('are those of a killed load too, whose bars are merged and checked before', async () => {
    const put = async (source: string, closes: readonly (readonly [day: number, close: number])[]) => {
      const bars = batchOf(1, new Map(closes.map(([day, close]) => [day, { close }])));
      await SourceRoutes.put(store, source, '1d', bars, await store.beginLoad(source));
    };
    const quiet = Array.from({ length: 100 }, (_, i) => [101 + i, 100 + (i % 7)] as const);
    await put('csv', quiet);
    await recomputePending(store);
    await put('csv', [[150, 900]]);
    await put('kraken', [[201, 103]]);
    await addOptionalColumns(store);
    assert.deepEqual([await store.unmerged(), (await store.currentSince(0)).rows[0]?.day], [[], 201]);
    await recomputePending(store);
    const findings = await store.findings();
    assert.ok(findings.some(({ rule, period, source }) => rule === 'spike' && period === 150 && source === 'csv'));
  });

  it('are left to another process that is writing', async () => {
    const lock = await store.lock('load');
    assert.equal(await upgradeRows(store), 0);
    await lock?.release();
    assert.equal((await store.currentSince(0)).columns, 'older');
  });
});
