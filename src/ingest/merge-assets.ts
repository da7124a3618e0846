// Merges one asset into another: bars, and what was said about them.

import type { Asset, AssetNumber } from '../domain/asset.ts';
import { type Day, FIRST_DAY, isoFromDay } from '../domain/day.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD } from '../domain/interval.ts';
import { PERIODS_PER_DAY } from '../publish/merge-sources.ts';
import { readSources, separate, sourcesOf } from '../publish/sources-of.ts';
import {
  isSameAction,
  type MovedReviews,
  type PeriodsOfIntervals,
  type SourceSeries,
  type Store,
  type StoredBars,
} from '../store/store.ts';
import {
  type Corrected,
  lastPeriod,
  MERGE,
  ReviewedAsset,
  recorded,
  refuseIfMigrated,
  removed,
} from './corrections.ts';

export interface Merged extends Corrected {
  /** How many `into` got. */
  readonly reviews: MovedReviews;
}

/**
 * `into` gets the bars of periods that it lacks, with their corrections, recorded findings and acceptances, and the actions; its own bars
 * stay. Then `from` is removed. If it is killed, the same merge can be done again: what is said about bars goes first, because bars that
 * `into` has already count as its own.
 */
export function mergeAssets(store: Store, from: Asset, into: Asset): Promise<Merged> {
  return recorded(store, `${MERGE}${from.id} into ${into.id}`, async () => {
    const own = await ownPeriods(store, into);
    await refuseIfMigrated(store, from);
    await refuseOtherUnits(store, from, into, own);
    const reviews = await store.moveReviews(from.assetNumber, into.assetNumber, own);
    const moved = await moveBars(store, from, into, own);
    return { ...(await removed(store, from)), moved, reviews };
  });
}

/** Those that an asset has a bar of. */
async function ownPeriods(store: Store, { assetNumber }: Asset): Promise<PeriodsOfIntervals> {
  const periods = { '1m': new Set<number>(), '1h': new Set<number>(), '1d': new Set<number>() };
  for (const interval of BASE_INTERVALS) {
    const { day } = await store.series(interval).bars(assetNumber, FIRST_DAY, lastPeriod(interval));
    periods[interval] = new Set(day);
  }
  return periods;
}

/** An action of `from` would change the bars of `into` before its day, which may be in new units already. */
async function refuseOtherUnits(store: Store, from: Asset, into: Asset, own: PeriodsOfIntervals): Promise<void> {
  const actions = await store.actions();
  const known = actions.filter(({ assetNumber }) => assetNumber === into.assetNumber);
  for (const action of actions.filter(({ assetNumber }) => assetNumber === from.assetNumber)) {
    const { number, day, fromAsset } = action;
    const remove = `remove it: 'tidemark actions remove ${number}'`;
    if (fromAsset === into.assetNumber) {
      throw new ReviewedAsset(`${from.id} continues the bars of ${into.id}, by action ${number}`, `First ${remove}.`);
    }
    if (known.some(each => isSameAction(each, action))) continue;
    if (!BASE_INTERVALS.some(interval => own[interval].values().some(at => at < day * PERIODS_PER_DAY[interval])))
      continue;
    const date = isoFromDay(day as Day); // only days are stored
    throw new ReviewedAsset(
      `${into.id} has bars before ${date}, the day of action ${number} of ${from.id}, and does not have this action`,
      `First enter the action for ${into.id} too, if it applies to these bars; else ${remove}.`,
    );
  }
}

/** With their origins: made bars stay made ones, and nothing is made anew. */
async function moveBars(store: Store, from: Asset, into: Asset, own: PeriodsOfIntervals): Promise<number> {
  const sources = await sourcesOf(store, [from.assetNumber, into.assetNumber]);
  const [theirs, known] = [sources.get(from.assetNumber) ?? [], sources.get(into.assetNumber) ?? []];
  const all = [...theirs, ...known];
  const isOneSource = new Set(all.map(({ name }) => name)).size <= 1 && !all.some(each => each.separate);
  let moved = 0;
  if (isOneSource) {
    for (const interval of BASE_INTERVALS) {
      const missing = await missingBars(store, interval, from, into);
      if (missing.count > 0) await store.series(interval).putBars(missing);
      moved += missing.count;
    }
    const fresh = theirs.map(({ name, firstLoad }) => ({ assetNumber: into.assetNumber, name, firstLoad }));
    if (known.length === 0) await store.putSources(fresh);
    return moved;
  }
  await separate(store, into.assetNumber);
  const firstLoads = new Map(theirs.map(({ name, firstLoad }) => [name, firstLoad]));
  for (const interval of BASE_INTERVALS) {
    moved += (await missingBars(store, interval, from, into)).count;
    for (const bars of await readSources(store, from.assetNumber, interval, 0, LAST_PERIOD)) {
      // Also those that a correction drops: it can be undone.
      const missing = pickBars(bars, into.assetNumber, period => !own[interval].has(period));
      const firstLoad = firstLoads.get(bars.source) ?? 0;
      if (missing.count > 0) await store.putSourceBars(bars.source, interval, missing, firstLoad);
    }
  }
  return moved;
}

function pickBars(bars: SourceSeries, asset: AssetNumber, isWanted: (period: number) => boolean): StoredBars {
  const places = [...bars.period.keys()].filter(i => isWanted(bars.period[i]!));
  const pick = (numbers: Float64Array) => Float64Array.from(places, i => numbers[i]!);
  return {
    count: places.length,
    assetNumber: new Uint32Array(places.length).fill(asset),
    day: Int32Array.from(places, i => bars.period[i]!),
    ...{ open: pick(bars.open), high: pick(bars.high), low: pick(bars.low), close: pick(bars.close) },
    volume: pick(bars.volume),
    origin: Int32Array.from(places, i => bars.origin[i]!),
  };
}

export interface MissingBars {
  readonly interval: BaseInterval;
  /** Bars of `from`. */
  readonly bars: number;
  /** Those of them that `into` lacks. */
  readonly missing: number;
}

/** How many bars `into` would get, of the intervals of which `from` has some. */
export async function countMissing(store: Store, from: Asset, into: Asset): Promise<MissingBars[]> {
  const counts: MissingBars[] = [];
  for (const interval of BASE_INTERVALS) {
    const { bars, count } = await missingBars(store, interval, from, into);
    if (bars > 0) counts.push({ interval, bars, missing: count });
  }
  return counts;
}

async function missingBars(store: Store, interval: BaseInterval, from: Asset, into: Asset) {
  const series = store.series(interval);
  const [bars, known, origins] = [
    await series.bars(from.assetNumber, FIRST_DAY, lastPeriod(interval)),
    new Set((await series.bars(into.assetNumber, FIRST_DAY, lastPeriod(interval))).day),
    await series.origins(from.assetNumber),
  ];
  const wanted = [...bars.day.keys()].filter(i => !known.has(bars.day[i]!));
  const pick = (numbers: Float64Array) => Float64Array.from(wanted, i => numbers[i]!);
  return {
    bars: bars.day.length,
    count: wanted.length,
    assetNumber: new Uint32Array(wanted.length).fill(into.assetNumber),
    day: Int32Array.from(wanted, i => bars.day[i]!),
    open: pick(bars.open),
    high: pick(bars.high),
    low: pick(bars.low),
    close: pick(bars.close),
    volume: pick(bars.volume),
    origin: Int32Array.from(wanted, i => origins.get(bars.day[i]!) ?? 0),
  };
}
