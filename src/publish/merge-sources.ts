// Makes the served bars of the sources' bars where these have changed: by actions, corrections and the price rule. The first step of a
// publication. Killed at any moment, it is done again by the next one, with the same result.

import { partitionPoint } from '../common/partition-point.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD, type Period } from '../domain/interval.ts';
import { CORRECTION, type SourceBars, sourceBars } from '../domain/source-bars.ts';
import type { ReviewStore, SourceSeries, StoredBars, StoredCorrection, Unmerged } from '../store/store.ts';
import { type Action, adjustedSources, segmentsOf } from './actions.ts';
import { inOrderOf, type PriceRule, servedBars } from './price-rule.ts';
import { readPriceRules } from './price-rules.ts';
import { countingCorrections } from './review.ts';
import { type SourcesStore, separate } from './sources-of.ts';

export type MergingStore = SourcesStore & Pick<ReviewStore, 'corrections' | 'actions'>;

/** Assets whose bars are in memory at a time: some years of several sources. */
const ASSETS_AT_ONCE: Readonly<Record<BaseInterval, number>> = { '1m': 1, '1h': 8, '1d': 64 };
/** Periods whose bars are in memory at a time: three months of minutes. */
const PERIODS_AT_ONCE = 2 ** 17;
export const PERIODS_PER_DAY: Readonly<Record<BaseInterval, number>> = { '1m': 1440, '1h': 24, '1d': 1 };

/** What the sources say, as the publication sees it. */
export interface Reviewed {
  readonly ruleOf: (asset: AssetNumber) => PriceRule;
  readonly actionsOf: (interval: BaseInterval) => (asset: string) => readonly Action[];
}

/** The caller is the only one who writes, and forgets these places once what they change is checked. */
export async function mergeSources(store: MergingStore, unmerged: readonly Unmerged[]): Promise<void> {
  if (unmerged.length === 0) return;
  const reviewed = await readReviewed(store);
  const assets = new Set(unmerged.map(({ assetNumber }) => assetNumber));
  for (const asset of assets) {
    for (const each of assetsBehind(asset, '1d', reviewed)) await separate(store, each);
  }
  for (const interval of BASE_INTERVALS) {
    const own = unmerged.filter(place => place.interval === interval);
    // Those that changed from about the same period on together.
    own.sort((a, b) => a.firstPeriod - b.firstPeriod || a.assetNumber - b.assetNumber);
    for (let at = 0; at < own.length; at += ASSETS_AT_ONCE[interval]) {
      await mergePart(store, interval, own.slice(at, at + ASSETS_AT_ONCE[interval]), reviewed);
    }
  }
}

export async function readReviewed(store: Pick<MergingStore, 'actions' | 'priceRules'>): Promise<Reviewed> {
  const actions = Map.groupBy(await store.actions(), ({ assetNumber }) => String(assetNumber));
  return {
    ruleOf: await readPriceRules(store),
    actionsOf: interval => asset =>
      (actions.get(asset) ?? []).map(({ number, day, ratio, fromAsset }) => ({
        period: day * PERIODS_PER_DAY[interval],
        ratio,
        fromAsset: fromAsset === null ? null : String(fromAsset),
        number,
      })),
  };
}

/** The asset, and those that became it. */
function assetsBehind(asset: AssetNumber, interval: BaseInterval, { actionsOf }: Reviewed): AssetNumber[] {
  return [...new Set(segmentsOf(String(asset), actionsOf(interval)).map(segment => Number(segment.asset)))];
}

async function mergePart(
  store: MergingStore,
  interval: BaseInterval,
  part: readonly Unmerged[],
  reviewed: Reviewed,
): Promise<void> {
  const assets = part.map(({ assetNumber }) => assetNumber);
  const last = await lastPeriod(store, interval, assets, reviewed);
  for (let from = part[0]!.firstPeriod; from <= last; from += PERIODS_AT_ONCE) {
    const to = interval === '1d' ? last : Math.min(last, from + PERIODS_AT_ONCE - 1);
    const byAsset = await readSourceSeries(store, interval, assets, from, to, reviewed);
    const merged = assets.map(asset => ({ asset, ...mergedBars(asset, interval, byAsset, reviewed) }));
    // Within the calendar of the interval.
    await store.series(interval).replaceBars(assets, from as Period, to as Period, columnsOf(merged));
    if (interval === '1d') break;
  }
}

/** The last period that is served or that a source has; days are few enough to be read at once. */
async function lastPeriod(
  store: MergingStore,
  interval: BaseInterval,
  assets: readonly AssetNumber[],
  reviewed: Reviewed,
): Promise<number> {
  if (interval === '1d') return LAST_PERIOD;
  const { starts, lastDay } = await store.series(interval).closes(assets, 0);
  let last = assets.reduce((found, _, i) => (starts[i + 1]! > starts[i]! ? Math.max(found, lastDay[i]!) : found), -1);
  const behind = [...new Set(assets.flatMap(asset => assetsBehind(asset, interval, reviewed)))];
  for (const { assetNumber, name } of await store.sources(behind)) {
    last = Math.max(last, (await store.sourceSpan(assetNumber, name, interval))?.last ?? -1);
  }
  for (const { interval: of, period } of await store.corrections(behind))
    if (of === interval) last = Math.max(last, period);
  return last;
}

/** What sources and corrections say, by asset number. */
export type SeriesByAsset = ReadonlyMap<string, readonly SourceSeries[]>;

/** Of these assets and of those that became them. */
export async function readSourceSeries(
  store: Pick<MergingStore, 'sourceBars' | 'corrections'>,
  interval: BaseInterval,
  assets: readonly AssetNumber[],
  from: number,
  to: number,
  reviewed: Reviewed,
): Promise<SeriesByAsset> {
  const behind = [...new Set(assets.flatMap(asset => assetsBehind(asset, interval, reviewed)))];
  const sources = await store.sourceBars(behind, interval, from, to);
  const corrections = Map.groupBy(
    countingCorrections(await store.corrections(behind)).filter(
      each => each.interval === interval && each.period >= from && each.period <= to,
    ),
    ({ assetNumber }) => assetNumber,
  );
  return new Map(
    behind.map(asset => {
      const own = corrections.get(asset);
      return [String(asset), [...(own === undefined ? [] : [correctedBars(own)]), ...(sources.get(asset) ?? [])]];
    }),
  );
}

/** One per period. */
function correctedBars(corrections: readonly StoredCorrection[]): SourceSeries {
  const ordered = corrections.toSorted((a, b) => a.period - b.period);
  const bars = {
    ...sourceBars(CORRECTION, ordered.length),
    source: CORRECTION,
    origin: new Int32Array(ordered.length),
  };
  for (const [i, { period, open, high, low, close, volume }] of ordered.entries()) {
    bars.period[i] = period;
    const [numbers, unknown] = [{ open, high, low, close, volume }, Number.NaN];
    for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) bars[name][i] = numbers[name] ?? unknown;
  }
  return bars;
}

/** The sources of an asset after its actions, in the order of its price rule. */
export function orderedSources(
  asset: AssetNumber,
  interval: BaseInterval,
  byAsset: SeriesByAsset,
  reviewed: Reviewed,
): SourceBars[] {
  const history = { sourcesOf: (of: string) => byAsset.get(of) ?? [], actionsOf: reviewed.actionsOf(interval) };
  return inOrderOf(adjustedSources(String(asset), history), reviewed.ruleOf(asset));
}

interface Merged {
  readonly bars: SourceBars;
  readonly origin: Int32Array;
}

function mergedBars(asset: AssetNumber, interval: BaseInterval, byAsset: SeriesByAsset, reviewed: Reviewed): Merged {
  const sources = orderedSources(asset, interval, byAsset, reviewed);
  if (sources.length === 0) return { bars: sourceBars(null, 0), origin: new Int32Array(0) };
  const { bars, lower } = servedBars(sources, reviewed.ruleOf(asset));
  const segments = segmentsOf(String(asset), reviewed.actionsOf(interval));
  const origin = bars.period.map((period, i) => {
    const of = segments.find(segment => period >= segment.from && period < segment.to)?.asset ?? String(asset);
    const series = byAsset.get(of)?.find(({ source }) => source === sources[lower[i]!]!.source);
    return series === undefined ? 0 : originAt(series, period);
  });
  return { bars, origin };
}

function originAt({ period: periods, origin }: SourceSeries, period: number): number {
  const at = partitionPoint(0, periods.length, i => periods[i]! < period);
  return periods[at] === period ? origin[at]! : 0;
}

function columnsOf(merged: readonly (Merged & { readonly asset: AssetNumber })[]): StoredBars {
  const ordered = merged.toSorted((a, b) => a.asset - b.asset);
  const count = ordered.reduce((sum, { bars }) => sum + bars.period.length, 0);
  const { period: day, open, high, low, close, volume } = sourceBars(null, count);
  const columns = { count, assetNumber: new Uint32Array(count), day, open, high, low, close, volume };
  const origins = new Int32Array(count);
  let at = 0;
  for (const { asset, bars, origin } of ordered) {
    columns.assetNumber.fill(asset, at, at + bars.period.length);
    columns.day.set(bars.period, at);
    for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) columns[name].set(bars[name], at);
    origins.set(origin, at);
    at += bars.period.length;
  }
  return { ...columns, origin: origins };
}
