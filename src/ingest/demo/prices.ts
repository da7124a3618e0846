// The daily bars of one simulated asset: a walk from its listing, of which the wanted days are written down.

import type { BarColumns } from '../../domain/bar.ts';
import type { Day } from '../../domain/day.ts';
import { decimalsFor, exp, roundTo, significant } from './arithmetic.ts';
import type { Behaviour } from './cast.ts';
import { EPOCH, type Market } from './market.ts';
import { hash, Random } from './random.ts';
import type { DemoAsset } from './universe.ts';

type Floating = Extract<Behaviour, { kind: 'floating' }>;
type Pegged = Extract<Behaviour, { kind: 'pegged' }>;

/** Digits of a price, as exchanges give them. */
const DIGITS = 6;
/** Days from one break of a peg to the next: any four years contain a whole one. */
const BREAK_EVERY = 800;
const BREAK_FIRST = 380;
const BREAK_STEPS = [0.11, 0.2, 0.09];
/** A day's share of the gap to its peg that stays. */
const BREAK_HEALING = 0.94;

/**
 * Writes the bars of `from` … `to` to `out`, beginning at index `at`, and returns how many there are. A bar depends on the
 * asset and its day only, never on the days asked for.
 */
export function writeBars(asset: DemoAsset, market: Market, from: Day, to: Day, out: BarColumns, at: number): number {
  const walked = walk(asset, market, from, to);
  let index = at;
  for (let i = 0; i < walked.prices.length; i++) {
    const day = walked.first + i;
    if (day < from || isMissing(asset, day)) continue;
    const previous = walked.prices[Math.max(0, i - 1)]!;
    writeBar(asset, market.unrest[day - EPOCH]!, day, previous, walked.prices[i]!, out, index++);
  }
  return index - at;
}

/** The last price up to a day, unrounded. */
export function priceOn(asset: DemoAsset, market: Market, day: Day): number {
  return walk(asset, market, day, day).prices.at(-1)!;
}

interface Walked {
  /** Day of the first price. */
  readonly first: number;
  readonly prices: Float64Array;
}

/** The prices from the day before `from` (its close is the next day's open), or from the listing, to `to` or the asset's end. */
function walk(asset: DemoAsset, market: Market, from: Day, to: Day): Walked {
  const last = asset.ends !== null && asset.ends < to ? asset.ends : to;
  const first = Math.max(asset.listed, Math.min(from - 1, last));
  const prices = new Float64Array(last - first + 1);
  const skipped = first - asset.listed;
  switch (asset.behaviour.kind) {
    case 'flat':
      prices.fill(asset.basePrice);
      break;
    case 'pegged':
      walkAtPeg(asset, asset.behaviour, skipped, prices);
      break;
    case 'floating':
      walkFreely(asset, asset.behaviour, market, skipped, prices);
      break;
  }
  return { first, prices };
}

function walkAtPeg(asset: DemoAsset, { tolerance, breaks }: Pegged, skipped: number, prices: Float64Array): void {
  const random = new Random(asset.seed);
  const firstBreak = breaks ? BREAK_FIRST : Number.POSITIVE_INFINITY;
  let drift = 0;
  let shortfall = 0;
  for (let i = 0; i < skipped + prices.length; i++) {
    drift = 0.6 * drift + tolerance * random.normal();
    shortfall *= BREAK_HEALING;
    if (i >= firstBreak) shortfall += BREAK_STEPS[(i - firstBreak) % BREAK_EVERY] ?? 0;
    if (i >= skipped) prices[i - skipped] = asset.basePrice * (1 + drift) * (1 - shortfall);
  }
}

/** Follows the market and its sector, and has noise of its own with restless spells (GARCH), jumps, and a loud start. */
function walkFreely(
  asset: DemoAsset,
  { beta, noise, pull }: Floating,
  market: Market,
  skipped: number,
  prices: Float64Array,
): void {
  const random = new Random(asset.seed);
  const sector = market.sectors[asset.sector.id];
  const start = asset.listed - EPOCH;
  const withersFrom = asset.ends === null ? Number.POSITIVE_INFINITY : asset.ends - asset.listed - asset.withers;
  const decline = asset.withers === 0 ? 0 : random.between(3.5, 6) / asset.withers;
  // Founders have been trading long before their first bar.
  let hype = start === 0 ? 0 : random.between(-0.6, 1.4);
  let own = start === 0 ? 8 * noise * random.normal() : 0;
  let lost = 0;
  let variance = 1;
  for (let i = 0; i < skipped + prices.length; i++) {
    const unrest = 0.5 + 0.5 * market.unrest[start + i]!;
    const shock = Math.sqrt(variance) * random.normal();
    const jump = random.chance(0.012) ? 4 * random.normal() : 0;
    variance = Math.min(8, 0.06 + 0.84 * variance + 0.1 * shock * shock + 0.1 * Math.abs(jump));
    own += noise * unrest * (shock + jump) - pull * own;
    hype *= 0.965;
    if (i > withersFrom) lost += decline;
    // Most of the cost is the exponential, which the days before those asked for don't need.
    if (i < skipped) continue;
    const level = beta * market.level[start + i]! + sector[start + i]! + own + hype - lost;
    prices[i - skipped] = asset.basePrice * exp(level);
  }
}

function writeBar(
  asset: DemoAsset,
  unrest: number,
  day: number,
  previous: number,
  price: number,
  out: BarColumns,
  index: number,
): void {
  const dice = hash(asset.seed, day);
  const floating = asset.behaviour.kind === 'floating';
  const reach = floating ? 0.02 * unrest : asset.behaviour.kind === 'pegged' ? 0.001 : 0;
  const up = 1 + (reach * (dice & 0xff)) / 256;
  const down = 1 + (reach * ((dice >>> 8) & 0xff)) / 256;
  const decimals = decimalsFor(price, DIGITS);
  out.day[index] = day;
  out.open[index] = roundTo(previous, decimals);
  out.high[index] = roundTo(Math.max(previous, price) * up, decimals);
  out.low[index] = roundTo(Math.min(previous, price) / down, decimals);
  out.close[index] = roundTo(price, decimals);
  out.volume[index] = significant(volume(asset, day, Math.abs(price - previous) / previous, dice >>> 16), 5);
}

/** In units of the asset. Large moves bring trade; what withers is hardly traded, and what never moves not at all. */
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
