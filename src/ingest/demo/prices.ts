// The daily bars of one simulated asset: a walk from its listing, of which the wanted days are kept.

import type { BarColumns } from '../../domain/bar.ts';
import type { Day } from '../../domain/day.ts';
import { EPOCH, type Market } from './market.ts';
import { growth, hash, Random, rounded } from './random.ts';
import type { DemoAsset } from './universe.ts';

/** Digits of a price, as exchanges give them. */
export const PRICE_DIGITS = 6;
/** How a peg breaks: the first time on this day of its life, then every so many days, by these steps on successive days. */
const BREAKS = { first: 380, every: 800, steps: [0.12, 0.22, 0.1] };

/**
 * Writes the bars of `from` … `to` to `out`, beginning at index `at`, and returns how many there are. A bar depends on the
 * asset and its day only, never on the days asked for.
 */
export function writeBars(asset: DemoAsset, market: Market, from: Day, to: Day, out: BarColumns, at: number): number {
  const prices = walk(asset, market, to);
  let index = at;
  for (let i = Math.max(0, from - asset.listed); i < prices.length; i++) {
    const day = asset.listed + i;
    if (isMissing(asset, day)) continue;
    const dice = hash(asset.seed, day);
    const reach = (asset.noise * market.unrest[day - EPOCH]!) / 256;
    const [open, close] = [prices[Math.max(0, i - 1)]!, prices[i]!];
    out.day[index] = day;
    out.open[index] = rounded(open, PRICE_DIGITS);
    out.high[index] = rounded(Math.max(open, close) * (1 + reach * (dice & 0xff)), PRICE_DIGITS);
    out.low[index] = rounded(Math.min(open, close) / (1 + reach * ((dice >>> 8) & 0xff)), PRICE_DIGITS);
    out.close[index] = rounded(close, PRICE_DIGITS);
    out.volume[index++] = rounded(volume(asset, day, Math.abs(close - open) / open, dice >>> 16), 5);
  }
  return index - at;
}

/** The last price up to a day, unrounded. */
export function priceOn(asset: DemoAsset, market: Market, day: Day): number {
  return walk(asset, market, day).at(-1)!;
}

/**
 * One price per day, from the listing to the day or to the asset's end. It follows the market and its sector, and has noise of its
 * own with restless spells (GARCH), jumps, and a loud start, unless it has been trading long before the first day.
 */
function walk({ listed, ends, withers, ...asset }: DemoAsset, market: Market, to: Day): Float64Array {
  const random = new Random(asset.seed);
  const sector = market.sectors.get(asset.sector.id)!;
  const decline = random.between(3.5, 6) / (ends - withers);
  let [hype, own] = listed > EPOCH ? [random.between(-0.6, 1.4), 0] : [0, 8 * asset.noise * random.normal()];
  let [lost, variance] = [0, 1];
  const prices = new Float64Array(Math.min(ends, to) - listed + 1);
  for (let i = 0, today = listed - EPOCH; i < prices.length; i++, today++) {
    const shock = Math.sqrt(variance) * random.normal();
    const jump = random.chance(0.012) ? 4 * random.normal() : 0;
    variance = Math.min(8, 0.06 + 0.84 * variance + 0.1 * shock * shock + 0.1 * Math.abs(jump));
    own += asset.noise * (0.5 + 0.5 * market.unrest[today]!) * (shock + jump) - asset.pull * own;
    hype *= 0.965;
    if (listed + i > withers) lost += decline;
    if (asset.breaks) lost = 0.94 * lost + (BREAKS.steps[(i - BREAKS.first) % BREAKS.every] ?? 0);
    prices[i] = asset.basePrice * growth(asset.beta * (market.level[today]! + sector[today]!) + own + hype - lost);
  }
  return prices;
}

/** Large moves bring trade; what withers is hardly traded, and what never moves not at all. */
function volume({ noise, seed, supply, ends, withers }: DemoAsset, day: number, move: number, dice: number): number {
  if (noise === 0) return 0;
  const turnover = (0.004 + (seed % 64) / 1600) * (0.5 + dice / 65_536) * (1 + 12 * move);
  const left = day <= withers ? 1 : (ends - day + 2) / (ends - withers + 2);
  return supply * turnover * left * left;
}

/** Some series lack up to four days now and then, never the first or the last. */
function isMissing({ gaps, seed, listed, ends }: DemoAsset, day: number): boolean {
  const shifted = day + (seed % 40);
  const missing = (hash(seed, Math.floor(shifted / 40)) % 10) - 5;
  return gaps === true && shifted % 40 < missing && day !== listed && day !== ends;
}
