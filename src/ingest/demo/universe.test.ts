import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assetId } from '../../domain/asset.ts';
import { barColumns } from '../../domain/bar.ts';
import { type Day, dayFromIso } from '../../domain/day.ts';
import { simulateMarket, writeBars } from './prices.ts';
import { DEFAULT_ASSETS, type DemoAsset, EPOCH, HISTORY_DAYS, hasEnded, universe } from './universe.ts';

const TODAYS = ['2026-01-01', '2026-08-20', '2029-02-28', '2031-12-31', '2036-12-31'];

const WELL_KNOWN_TICKERS = [
  'BTC',
  'ETH',
  'USDT',
  'USDC',
  'XRP',
  'BNB',
  'SOL',
  'DOGE',
  'ADA',
  'TRX',
  'DOT',
  'LTC',
  'SHIB',
  'XMR',
];
const WELL_KNOWN_NAMES =
  /bitcoin|ethereum|tether|ripple|solana|dogecoin|cardano|tron\b|polkadot|litecoin|shiba|monero|binance|coinbase|avalanche/i;

function simulated(today: Day): { assets: DemoAsset[]; closes: Map<DemoAsset, Float64Array> } {
  const market = simulateMarket(today);
  const assets = universe(today);
  const columns = barColumns(HISTORY_DAYS);
  // Not before the epoch for any of the days above.
  const from = (today - HISTORY_DAYS + 1) as Day;
  const closes = new Map(
    assets.map(asset => [asset, columns.close.slice(0, writeBars(asset, market, from, today, columns, 0))]),
  );
  return { assets, closes };
}

for (const iso of TODAYS) {
  describe(`the universe of ${iso}`, () => {
    const today = dayFromIso(iso)!;
    const { assets, closes } = simulated(today);
    const of = (symbol: string) => closes.get(assets.find(asset => asset.symbol === symbol)!)!;
    const active = assets.filter(asset => !hasEnded(asset, today));

    test('has at least 600 assets with prices, most of them active', () => {
      assert.ok(assets.length >= 600, `${assets.length} assets`);
      assert.ok(active.length >= 500, `${active.length} active`);
      for (const asset of assets) assert.ok(closes.get(asset)!.length > 0, asset.id);
    });

    test('has ids made of ticker and name, and none twice', () => {
      assert.equal(new Set(assets.map(asset => asset.id)).size, assets.length);
      assert.equal(new Set(assets.map(asset => asset.name)).size, assets.length);
      for (const asset of assets) assert.equal(asset.id, assetId(asset.symbol, asset.name));
    });

    test('borrows no ticker and no name of a well-known coin', () => {
      for (const { symbol, name } of assets) {
        assert.ok(!WELL_KNOWN_TICKERS.includes(symbol), symbol);
        assert.doesNotMatch(name, WELL_KNOWN_NAMES);
      }
    });

    test('shares tickers only where meant', () => {
      const counts = new Map<string, number>();
      for (const { symbol } of assets) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
      const shared = [...counts].filter(([, count]) => count > 1);
      assert.deepEqual(shared, [
        ['TILO', 3],
        ['VARH', 2],
      ]);
    });

    test('has tickers with digits and with letters beyond A-Z', () => {
      assert.ok(active.filter(({ symbol }) => /\d/.test(symbol)).length >= 3);
      assert.ok(active.filter(({ symbol }) => /[^\p{ASCII}]/u.test(symbol)).length >= 3);
    });

    test('has newcomers of every age up to 60 days, and always one of the last five', () => {
      const ages = active.map(asset => today - asset.listed + 1).filter(age => age <= 60);
      assert.ok(ages.length >= 10, `${ages.length} newcomers`);
      assert.ok(Math.min(...ages) <= 5, `the newest is ${Math.min(...ages)} days old`);
      const listings = assets.map(asset => asset.listed).filter(day => day > today - HISTORY_DAYS && day > EPOCH);
      for (const [i, day] of listings.slice(1).entries()) {
        assert.ok(day - listings[i]! <= 5, `no listing for ${day - listings[i]!} days`);
      }
    });

    test('has dead ones whose price trailed off, some of them delisted', () => {
      const dead = assets.filter(asset => hasEnded(asset, today));
      assert.ok(dead.length >= 30, `${dead.length} dead`);
      assert.ok(dead.some(asset => asset.delisted) && dead.some(asset => !asset.delisted));
      for (const asset of dead.filter(each => 8 * closes.get(each)!.length > each.ends - each.listed)) {
        const prices = closes.get(asset)!;
        assert.ok(prices.at(-1)! < 0.6 * Math.max(...prices), `${asset.id} died at its best`);
      }
    });

    test('has stablecoins near their peg, and one that broke and recovered', () => {
      for (const price of of('HRBD')) assert.ok(Math.abs(price - 1) < 0.005, String(price));
      const broken = of('BRND');
      const fell = broken.findIndex(price => price < 0.75);
      assert.ok(fell >= 0, 'never broke');
      assert.ok(
        broken.subarray(fell).some(price => price > 0.985),
        'never recovered',
      );
    });

    test('has a flat price, tiny prices, a large one, and series with days missing', () => {
      assert.deepEqual(new Set(of('STWN')), new Set([0.25]));
      const [tiny, large] = [of('DSPW').at(-1)!, of('ALDM').at(-1)!];
      assert.ok(tiny > 1e-10 && tiny < 1e-8, String(tiny));
      assert.ok(large > 3e4 && large < 3e5, String(large));
      const missing = HISTORY_DAYS - of('PWRL').length;
      assert.ok(missing > 10 && missing < 200, `${missing} days missing`);
      assert.equal(of('VELR').length, HISTORY_DAYS);
    });
  });
}

test('a universe can be made smaller and larger', () => {
  const today = dayFromIso('2026-08-20')!;
  const [small, usual, large] = [70, DEFAULT_ASSETS, 5_000].map(size => universe(today, size));
  assert.ok(small!.length < 120, `${small!.length} assets`);
  assert.ok(usual!.length > 700 && usual!.length < 1_000, `${usual!.length} assets`);
  assert.ok(large!.length > 5_000, `${large!.length} assets`);
  for (const assets of [small!, large!]) assert.equal(new Set(assets.map(asset => asset.id)).size, assets.length);
});

test('an asset listed once keeps its facts on every later day', () => {
  const before = universe(dayFromIso('2027-03-01')!);
  const after = new Map(universe(dayFromIso('2028-06-15')!).map(asset => [asset.id, asset]));
  const kept = before.filter(asset => after.has(asset.id));
  assert.ok(kept.length > 600, `${kept.length} kept`);
  for (const asset of kept) assert.deepEqual(after.get(asset.id), asset);
});
