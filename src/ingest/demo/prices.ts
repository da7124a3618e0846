// The daily bars of one simulated asset: a walk from its listing, of which the wanted days are kept.

import type { BarColumns } from '../../domain/bar.ts';
import type { Day } from '../../domain/day.ts';
import type { Behaviour } from './cast.ts';
import { EPOCH, type Market } from './market.ts';
import { growth, hash, Random, rounded } from './random.ts';
import type { DemoAsset } from './universe.ts';

/** Digits of a price, as exchanges give them. */
const DIGITS = 6;
/** Days from one break of a peg to the next. */
const BREAK_EVERY = 800;
const BREAK_FIRST = 380;
const BREAK_STEPS = [0.11, 0.2, 0.09];

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
    out.day[index] = day;
    writeBar(asset, market.unrest[day - EPOCH]!, prices[Math.max(0, i - 1)]!, prices[i]!, out, index++);
  }
  return index - at;
}

/** The last price up to a day, unrounded. */
export function priceOn(asset: DemoAsset, market: Market, day: Day): number {
  return walk(asset, market, day).at(-1)!;
}

/** One price per day, from the listing to the day or to the asset's end. */
function walk(asset: DemoAsset, market: Market, to: Day): Float64Array {
  const { behaviour, listed, ends, basePrice } = asset;
  const prices = new Float64Array((ends !== null && ends < to ? ends : to) - listed + 1).fill(basePrice);
  if (behaviour.kind === 'pegged') walkAtPeg(asset, behaviour, prices);
  if (behaviour.kind === 'floating') walkFreely(asset, behaviour, market, prices);
  return prices;
}

function walkAtPeg(
  asset: DemoAsset,
  { tolerance, breaks }: Behaviour & { kind: 'pegged' },
  prices: Float64Array,
): void {
  const random = new Random(asset.seed);
  let [drift, shortfall] = [0, 0];
  for (let i = 0; i < prices.length; i++) {
    drift = 0.6 * drift + tolerance * random.normal();
    shortfall *= 0.94;
    if (breaks && i >= BREAK_FIRST) shortfall += BREAK_STEPS[(i - BREAK_FIRST) % BREAK_EVERY] ?? 0;
    prices[i]! *= (1 + drift) * (1 - shortfall);
  }
}

/** Follows the market and its sector, and has noise of its own with restless spells (GARCH), jumps, and a loud start. */
function walkFreely(
  asset: DemoAsset,
  { beta, noise, pull }: Behaviour & { kind: 'floating' },
  market: Market,
  prices: Float64Array,
): void {
  const random = new Random(asset.seed);
  const sector = market.sectors.get(asset.sector.id)!;
  const start = asset.listed - EPOCH;
  const withersFrom = asset.ends === null ? Number.POSITIVE_INFINITY : asset.ends - asset.listed - asset.withers;
  const decline = asset.withers === 0 ? 0 : random.between(3.5, 6) / asset.withers;
  // Founders have been trading long before their first bar.
  let hype = start === 0 ? 0 : random.between(-0.6, 1.4);
  let own = start === 0 ? 8 * noise * random.normal() : 0;
  let [lost, variance] = [0, 1];
  for (let i = 0; i < prices.length; i++) {
    const unrest = 0.5 + 0.5 * market.unrest[start + i]!;
    const shock = Math.sqrt(variance) * random.normal();
    const jump = random.chance(0.012) ? 4 * random.normal() : 0;
    variance = Math.min(8, 0.06 + 0.84 * variance + 0.1 * shock * shock + 0.1 * Math.abs(jump));
    own += noise * unrest * (shock + jump) - pull * own;
    hype *= 0.965;
    if (i > withersFrom) lost += decline;
    prices[i]! *= growth(beta * market.level[start + i]! + sector[start + i]! + own + hype - lost);
  }
}

/** The bar of the day that stands at `index` already. */
function writeBar(
  asset: DemoAsset,
  unrest: number,
  previous: number,
  price: number,
  out: BarColumns,
  index: number,
): void {
  const day = out.day[index]!;
  const dice = hash(asset.seed, day);
  const { kind } = asset.behaviour;
  const reach = kind === 'floating' ? 0.02 * unrest : kind === 'pegged' ? 0.001 : 0;
  const up = 1 + (reach * (dice & 0xff)) / 256;
  const down = 1 + (reach * ((dice >>> 8) & 0xff)) / 256;
  const [open, close] = [rounded(previous, DIGITS), rounded(price, DIGITS)];
  out.open[index] = open;
  out.high[index] = Math.max(open, close, rounded(Math.max(previous, price) * up, DIGITS));
  out.low[index] = Math.min(open, close, rounded(Math.min(previous, price) / down, DIGITS));
  out.close[index] = close;
  out.volume[index] = rounded(volume(asset, day, Math.abs(price - previous) / previous, dice >>> 16), 5);
}

/** Large moves bring trade; what withers is hardly traded, and what never moves not at all. */
function volume(asset: DemoAsset, day: number, move: number, dice: number): number {
  if (asset.behaviour.kind === 'flat') return 0;
  const turnover = (0.004 + (asset.seed % 64) / 1600) * (0.5 + dice / 65_536) * (1 + 12 * move);
  const left = asset.ends === null ? 1 : Math.min(1, (asset.ends - day + 2) / (asset.withers + 1));
  return asset.supply * turnover * left * left;
}

/** Some series lack a few days now and then, never the first or the last. */
function isMissing(asset: DemoAsset, day: number): boolean {
  if (!asset.gaps || day === asset.listed || day === asset.ends) return false;
  const block = hash(asset.seed, Math.floor(day / 40));
  const into = (day % 40) - (block % 34);
  return block % 5 < 2 && into >= 0 && into <= (block >>> 8) % 5;
}
