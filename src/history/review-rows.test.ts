import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Asset, AssetNumber } from '../domain/asset.ts';
import type { Day } from '../domain/day.ts';
import type { FindingSelection, StoredFinding } from '../store/store.ts';
import { readFindings } from './review-rows.ts';

const ASSETS = 1200;
const PER_ASSET = 3;
const NEWEST = 1000;

const finding = (assetNumber: number, period: number): StoredFinding => ({
  ...{ assetNumber: assetNumber as AssetNumber, interval: '1d', period, rule: 'gap', source: '' },
  ...{ value: 1, expected: 0, detail: '1 day without a bar' },
});

/** Asset 7 is stale, since long ago. */
function storeOf(asked: number[]) {
  const assets = Array.from({ length: ASSETS }, (_, i) => {
    const asset = { assetNumber: i as AssetNumber, id: `a${String(i).padStart(4, '0')}`, symbol: `A${i}` };
    return { ...asset, lastDay: (i === 7 ? 10 : NEWEST) as Day, delisted: false } as unknown as Asset; // what is read
  });
  return {
    version: async () => 5,
    assets: async () => assets.toReversed(),
    acceptances: async () => [],
    corrections: async () => [],
    checks: async () => [],
    findings: async ({ assets: numbers = [] }: FindingSelection = {}) => {
      asked.push(numbers.length);
      return numbers.flatMap(i => Array.from({ length: PER_ASSET }, (_, k) => finding(i, 100 * (k + 1) + (i % 10))));
    },
  };
}

const read = (asked: number[], most?: number) =>
  // The reviews of a store, and no more of it.
  readFindings(storeOf(asked) as unknown as Parameters<typeof readFindings>[0], most);

it('findings are read in parts, by id and time, with those of the rule stale', async () => {
  const asked: number[] = [];
  const { version, rows } = await read(asked);
  assert.equal(version, 5);
  assert.deepEqual(asked, [500, 500, 200]);
  assert.equal(rows.length, ASSETS * PER_ASSET + 1);
  const places = rows.map(({ id, minute }) => `${id} ${String(minute).padStart(9, '0')}`);
  assert.deepEqual(places, places.toSorted());
  assert.deepEqual(
    rows.filter(({ rule }) => rule === 'stale').map(({ id }) => id),
    ['a0007'],
  );
});

it('of many findings the newest are kept, in the same order', async () => {
  const { rows: all } = await read([]);
  const most = 150;
  const { rows } = await read([], most);
  const times = all.map(({ minute }) => minute).sort((a, b) => b - a);
  assert.deepEqual(
    rows.map(({ minute }) => minute).sort((a, b) => b - a),
    times.slice(0, most),
  );
  const ids = rows.map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted());
});
