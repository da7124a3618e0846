import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asset, NOW, plainAssets, randomMarket, row, TODAY, uniform } from '../../../test/support/market.ts';
import { buildSnapshot } from '../build/build.ts';

describe('the index of a snapshot', () => {
  const assets = [
    asset({ assetNumber: 7, id: 'btc-bitcoin', symbol: 'BTC', name: 'Bitcoin', rank: 1, type: 'coin' }),
    asset({ assetNumber: 3, id: 'btc-bitcomet', symbol: 'btc', name: 'Bitcomet' }),
    asset({ assetNumber: 9, id: 'éth-ethér', symbol: 'ÉTH', name: 'Ethér' }),
  ];
  const index = buildSnapshot({ version: 1, assets, rows: [row(7, { history: 3 })], now: NOW }).assetIndex;

  it('finds an asset by its id with all that is known of it', () => {
    assert.deepEqual(index.byId('btc-bitcoin'), {
      assetNumber: 7,
      id: 'btc-bitcoin',
      symbol: 'BTC',
      name: 'Bitcoin',
      rank: 1,
      type: 'coin',
      isNew: true,
      isActive: true,
      firstDay: TODAY - 2,
      lastDay: TODAY,
    });
  });

  for (const [asked, found] of [
    ['BTC-Bitcoin', 'btc-bitcoin'],
    ['ÉTH-ethér', 'éth-ethér'],
    ['btc-bitcoi', undefined],
    ['btc-bitcoins', undefined],
    ['BTC', undefined],
    ['', undefined],
    ['zzz', undefined],
  ] as const) {
    it(`answers ${JSON.stringify(asked)} with ${found}`, () => assert.equal(index.byId(asked)?.id, found));
  }

  it('gives an asset without prices no state', () => {
    const { rank, type, isNew, isActive, firstDay, lastDay } = index.byId('btc-bitcomet')!;
    assert.deepEqual([rank, type, isNew, isActive, firstDay, lastDay], [null, null, false, false, null, null]);
  });

  for (const [asked, found] of [
    ['btc', ['btc-bitcoin', 'btc-bitcomet']],
    ['éth', ['éth-ethér']],
    ['eth', []],
    ['', []],
  ] as const) {
    it(`gives the assets with the ticker ${JSON.stringify(asked)}`, () =>
      assert.deepEqual(
        index.bySymbol(asked).map(({ id }) => id),
        found,
      ));
  }

  it('suggests the id that was meant', () => {
    assert.equal(index.nearest('btc-bitcion'), 'btc-bitcoin');
    assert.equal(index.nearest('qqqqqqqq'), null);
  });

  it('finds every asset of a random store by id and by ticker', () => {
    const market = randomMarket(300, uniform(4));
    const random = buildSnapshot({ version: 1, ...market }).assetIndex;
    for (const { id, symbol } of plainAssets(market)) {
      assert.equal(random.byId(String(id).toUpperCase().toLowerCase())?.symbol, symbol);
      assert.ok(random.bySymbol(String(symbol).toLowerCase()).some(found => found.id === id));
    }
  });

  it('of an empty snapshot finds nothing', () => {
    const empty = buildSnapshot({ version: 1, assets: [], rows: [], now: NOW }).assetIndex;
    assert.deepEqual([empty.byId('a'), empty.bySymbol('a'), empty.nearest('a')], [null, [], null]);
  });
});
