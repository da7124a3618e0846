import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '../../../common/steps.ts';
import { ASSET_COLUMNS } from '../../../domain/catalogue.ts';
import { packTexts } from '../../../snapshot/columns/texts.ts';
import type { Snapshot } from '../../../snapshot/table.ts';
import { coinIdsOf } from './coin-ids.ts';

type Asset = readonly [id: string, rank: number | null, active: boolean];

/** A snapshot with what ids are made of. Assets are sorted by id. */
function snapshotOf(assets: readonly Asset[]): Snapshot {
  const columns = ASSET_COLUMNS.map(({ name }) => {
    if (name === 'rank') return { kind: 'number', values: Float64Array.from(assets, ([, rank]) => rank ?? Number.NaN) };
    if (name === 'is_active')
      return { kind: 'flag', values: Uint8Array.from(assets, ([, , active]) => Number(active)) };
    return packTexts(assets.map(([id]) => id));
  });
  const byId = (id: string) => {
    const assetNumber = assets.findIndex(([own]) => own === id.toLowerCase());
    return assetNumber < 0 ? null : { id: assets[assetNumber]![0], assetNumber };
  };
  return { tables: { assets: { rows: assets.length, columns } }, assetIndex: { byId } } as unknown as Snapshot; // its parts that are read
}

const ASSETS: readonly Asset[] = [
  ['aaa-bitcoin', null, true],
  ['bch-bitcoin-cash', 20, true],
  ['btc-bitcoin', 1, true],
  ['old-ether', 1, false],
  ['solo', 3, true],
  ['weth-ether', 9, true],
  ['zzz-bitcoin', 2, true],
];

describe("CoinGecko's ids", () => {
  const ids = finish(coinIdsOf(snapshotOf(ASSETS)));

  it('are ours without the ticker, for the best-ranked active asset of a name', () => {
    assert.deepEqual(
      ASSETS.map((_, row) => ids.idAt(row)),
      ['aaa-bitcoin', 'bitcoin-cash', 'bitcoin', 'old-ether', 'solo', 'ether', 'zzz-bitcoin'],
    );
  });

  for (const [asked, found] of [
    ['bitcoin', 'btc-bitcoin'],
    ['BITCOIN', 'btc-bitcoin'],
    ['zzz-bitcoin', 'zzz-bitcoin'],
    ['btc-bitcoin', 'btc-bitcoin'],
    ['bitcoin-cash', 'bch-bitcoin-cash'],
    ['ether', 'weth-ether'],
    ['solo', 'solo'],
    ['btc', null],
    ['', null],
  ] as const) {
    it(`${JSON.stringify(asked)} is ${found}`, () => assert.equal(ids.find(asked)?.id ?? null, found));
  }

  it('of 100,000 assets are found in steps of a few milliseconds', () => {
    const many = Array.from({ length: 100_000 }, (_, i): Asset => [`s${i}-name of ${i % 90_000}`, i, true]);
    const steps = coinIdsOf(snapshotOf(many));
    let longest = 0;
    for (;;) {
      const began = performance.now();
      const { done, value } = steps.next();
      longest = Math.max(longest, performance.now() - began);
      if (!done) continue;
      assert.equal(value.find('name of 89999')?.id, 's89999-name of 89999');
      assert.equal(value.idAt(95_000), 's95000-name of 5000');
      break;
    }
    assert.ok(longest < 50, `${longest} ms`);
  });
});
