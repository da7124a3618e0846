import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish, type Steps } from '../../../common/steps.ts';
import { ASSET_COLUMNS } from '../../../domain/catalogue.ts';
import { packTexts } from '../../../snapshot/columns/texts.ts';
import type { Snapshot } from '../../../snapshot/table.ts';
import { COIN_ALIASES } from './coin-aliases.ts';
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

  it('are in the order of the texts', () => {
    const order = [...finish(ids.order())].map(row => ids.idAt(row));
    assert.deepEqual(order, ASSETS.map((_, row) => ids.idAt(row)).sort());
  });

  it('of 100,000 assets are made and sorted in short steps', () => {
    const many = Array.from({ length: 100_000 }, (_, i): Asset => [`s${i}-name of ${i % 90_000}`, i, true]);
    const snapshot = snapshotOf(many);
    const [made, steps] = counted(coinIdsOf(snapshot));
    assert.ok(steps >= 100_000 / 1000, `${steps} steps`);
    assert.equal(made.find('name of 89999')?.id, 's89999-name of 89999');
    assert.equal(made.idAt(95_000), 's95000-name of 5000');
    const [order, more] = counted(made.order());
    assert.ok(more >= (100_000 * Math.log2(100_000)) / 4000, `${more} steps`);
    const texts = [...order].map(row => made.idAt(row));
    assert.deepEqual(texts, texts.toSorted());
    assert.equal(new Set(order).size, 100_000);
  });
});

function counted<T>(steps: Steps<T>): [result: T, steps: number] {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return [value, count];
  }
}

describe('coins that CoinGecko names differently', () => {
  /** The best-known coins as CoinPaprika names them, and CoinGecko's ids. */
  const COINS = [
    ['btc-bitcoin', 'bitcoin'],
    ['eth-ethereum', 'ethereum'],
    ['usdt-tether', 'tether'],
    ['xrp-xrp', 'ripple'],
    ['bnb-bnb', 'binancecoin'],
    ['sol-solana', 'solana'],
    ['usdc-usd-coin', 'usd-coin'],
    ['doge-dogecoin', 'dogecoin'],
    ['trx-tron', 'tron'],
    ['ada-cardano', 'cardano'],
    ['steth-lido-staked-ether', 'staked-ether'],
    ['avax-avalanche', 'avalanche-2'],
    ['link-chainlink', 'chainlink'],
    ['xlm-stellar', 'stellar'],
    ['ton-toncoin', 'the-open-network'],
    ['shib-shiba-inu', 'shiba-inu'],
    ['ltc-litecoin', 'litecoin'],
    ['dot-polkadot', 'polkadot'],
    ['bch-bitcoin-cash', 'bitcoin-cash'],
    ['hbar-hedera', 'hedera-hashgraph'],
    ['near-near-protocol', 'near'],
    ['matic-polygon', 'matic-network'],
    ['uni-uniswap', 'uniswap'],
  ] as const;
  const sorted = COINS.map(([id], i): Asset => [id, i + 1, true]).sort(([one], [other]) => (one < other ? -1 : 1));

  it('have its ids, in answers and in requests', () => {
    const ids = finish(coinIdsOf(snapshotOf(sorted)));
    for (const [own, gecko] of COINS) {
      assert.equal(ids.find(gecko)?.id, own);
      assert.equal(ids.find(own)?.id, own);
      assert.equal(ids.idAt(sorted.findIndex(([id]) => id === own)), gecko);
      assert.equal(ids.idOf(ids.find(own)!), gecko);
    }
    // By their own names too.
    assert.equal(ids.find('avalanche')?.id, 'avax-avalanche');
    const order = [...finish(ids.order())].map(row => ids.idAt(row));
    assert.deepEqual(order, COINS.map(([, gecko]) => gecko).sort());
  });

  it('take the id from a coin of that name only if they are ranked better', () => {
    const table = (rank: number | null) =>
      [
        ['old-ripple', rank, true],
        ['xrp-xrp', 4, true],
      ] as const;
    const better = finish(coinIdsOf(snapshotOf(table(3))));
    assert.deepEqual([better.find('ripple')?.id, better.idAt(0), better.idAt(1)], ['old-ripple', 'ripple', 'xrp']);
    const worse = finish(coinIdsOf(snapshotOf(table(null))));
    assert.deepEqual([worse.find('ripple')?.id, worse.idAt(0), worse.idAt(1)], ['xrp-xrp', 'old-ripple', 'ripple']);
    assert.equal(worse.idOf(worse.find('old-ripple')!), 'old-ripple');
    assert.deepEqual([...finish(worse.order())], [0, 1]);
    assert.deepEqual([...finish(better.order())], [0, 1]);
  });

  it('each have one id here and one at CoinGecko', () => {
    const own = Object.values(COIN_ALIASES).flat();
    assert.equal(new Set(own).size, own.length);
    for (const id of own) assert.match(id, /^[a-z0-9]+-[a-z0-9-]+$/);
  });
});
