// The simulated prices: what moves all assets together, and the daily bars of one asset.

import type { BarColumns } from '../../domain/bar.ts';
import type { Day } from '../../domain/day.ts';
import { growth, hash, randomStream, rounded } from './random.ts';
import { type DemoAsset, EPOCH } from './universe.ts';
import { SECTORS } from './words.ts';

const SEED = 300;

export type Market = ReturnType<typeof simulateMarket>;

/** What moves assets together, one number per day from the epoch to `today`. Unrest is 1 on usual days and comes in spells. */
export function simulateMarket(today: Day) {
  const random = randomStream(SEED);
  let mood = 0;
  const unrest = new Float64Array(today - EPOCH + 1).map(() => {
    mood = 0.95 * mood + 0.12 * random.normal();
    return growth(mood);
  });
  const sectors = new Map(SECTORS.map(({ id }, i) => [id, levels(SEED + 2 + i, 0.011, unrest)]));
  return { unrest, level: levels(SEED + 1, 0.02, unrest), sectors };
}

/** Logarithms of a price. A trend that changes slowly makes good and bad years; a weak pull to 0 keeps levels in bounds over decades. */
function levels(seed: number, deviation: number, unrest: Float64Array): Float64Array {
  const random = randomStream(seed);
  let [trend, level] = [0, 0];
  return unrest.map(each => {
    trend = 0.99 * trend + 0.02 * deviation * random.normal();
    level += trend - level / 350 + deviation * each * random.normal();
    return level;
  });
}

/** Writes the bars of `from` … `to` to `out` from index `at` on, and returns the index after them. A bar depends on asset and day only. */
export function writeBars(asset: DemoAsset, market: Market, from: Day, to: Day, out: BarColumns, at: number): number {
  const prices = dailyPrices(asset, market, to);
  let index = at;
  for (let i = Math.max(0, from - asset.listed); i < prices.length; i++) {
    const day = asset.listed + i;
    const dice = hash(asset.seed, day);
    if (asset.quirk === 'gaps' && dice % 20 === 0 && i > 0 && day !== asset.ends) continue;
    const reach = (asset.noise * market.unrest[day - EPOCH]!) / 256;
    const [open, close] = [prices[Math.max(0, i - 1)]!, prices[i]!];
    // Large moves bring trade, and what never moves is not traded.
    const turnover = asset.noise === 0 ? 0 : (0.2 + (dice >>> 16) / 65_536) * (0.02 + Math.abs(close / open - 1) / 4);
    out.day[index] = day;
    out.open[index] = rounded(open);
    out.high[index] = rounded(Math.max(open, close) * (1 + reach * (dice & 0xff)));
    out.low[index] = rounded(Math.min(open, close) / (1 + reach * ((dice >>> 8) & 0xff)));
    out.close[index] = rounded(close);
    out.volume[index++] = Math.round(asset.supply * turnover);
  }
  return index;
}

/**
 * One price per day, from the listing to the day or to the asset's end. It follows the market and its sector, has noise of its own
 * with restless spells (GARCH) and jumps, and declines in the last eighth of its life.
 */
export function dailyPrices({ listed, ends, ...asset }: DemoAsset, market: Market, to: Day): Float64Array {
  const random = randomStream(asset.seed);
  const sector = market.sectors.get(asset.sector.id)!;
  const withers = ends - (ends - listed) / 8;
  const decline = random.between(3.5, 6) / (ends - withers);
  let [own, lost, variance] = [8 * asset.noise * random.normal(), 0, 1];
  const prices = new Float64Array(Math.min(ends, to) - listed + 1);
  for (let i = 0, today = listed - EPOCH; i < prices.length; i++, today++) {
    const shock = Math.sqrt(variance) * random.normal();
    const jump = random.chance(0.012) ? 4 * random.normal() : 0;
    variance = Math.min(8, 0.06 + 0.84 * variance + 0.1 * shock * shock + 0.1 * Math.abs(jump));
    own += asset.noise * (0.5 + 0.5 * market.unrest[today]!) * (shock + jump) - asset.pull * own;
    if (listed + i > withers) lost += decline;
    if (asset.quirk === 'breaks') lost = 0.94 * lost + (i % 800 === 380 ? 0.4 : 0);
    prices[i] = asset.basePrice * growth(asset.beta * (market.level[today]! + sector[today]!) + own - lost);
  }
  return prices;
}
