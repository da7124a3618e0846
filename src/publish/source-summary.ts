// What each source of an asset has, and how often it decided the served price.

import { partitionPoint } from '../common/partition-point.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { type BaseInterval, LAST_PERIOD } from '../domain/interval.ts';
import { CORRECTION, type SourceBars } from '../domain/source-bars.ts';
import type { ReviewStore } from '../store/store.ts';
import { orderedSources, readReviewed, readSourceSeries } from './merge-sources.ts';
import { type PriceRule, type ServedBars, servedBars } from './price-rule.ts';
import { type ReadSourcesStore, readSources, sourcesOf } from './sources-of.ts';

export type SummaryStore = ReadSourcesStore & Pick<ReviewStore, 'corrections' | 'actions'>;

/** Periods of minutes and hours that are looked at, the newest ones: years of minutes do not fit into memory. */
const PERIODS = 2 ** 17;

export interface SourceSummary {
  readonly source: string;
  /** Periods. */
  readonly first: number;
  readonly last: number;
  readonly bars: number;
  /** The share of served periods whose close it decided, alone or with another source. */
  readonly decided: number;
  /** Of its closes from the served ones, as shares of these; null if no period has both. */
  readonly medianDistance: number | null;
  readonly largestDistance: number | null;
}

/** What the sources of an asset say after its actions, in the order of its price rule. */
export interface OrderedSources {
  readonly sources: readonly SourceBars[];
  readonly rule: PriceRule;
}

/** Without actions and corrections if they are not `adjusted`. Of days all, of finer intervals those of the newest `PERIODS` up to the newest served one. */
export async function readOrdered(
  store: SummaryStore,
  asset: AssetNumber,
  interval: BaseInterval,
  adjusted = true,
): Promise<OrderedSources> {
  const from = await oldestRead(store, asset, interval);
  const all = await readReviewed(store);
  const reviewed = adjusted ? all : { ...all, actionsOf: () => () => [] };
  const rule = reviewed.ruleOf(asset);
  const known = (await sourcesOf(store, [asset])).get(asset) ?? [];
  if (!known.some(({ separate }) => separate)) {
    return { sources: await readSources(store, asset, interval, from, LAST_PERIOD), rule };
  }
  const byAsset = await readSourceSeries(store, interval, [asset], from, LAST_PERIOD, reviewed);
  const sources = orderedSources(asset, interval, byAsset, reviewed);
  return { sources: adjusted ? sources : sources.filter(({ source }) => source !== CORRECTION), rule };
}

async function oldestRead(store: SummaryStore, asset: AssetNumber, interval: BaseInterval): Promise<number> {
  if (interval === '1d') return 0;
  const { starts, lastDay } = await store.series(interval).closes([asset], 0);
  return starts[1] === 0 ? 0 : Math.max(0, lastDay[0]! - PERIODS + 1);
}

/** In the order of the price rule. */
export function summarize({ sources, rule }: OrderedSources): SourceSummary[] {
  if (sources.length === 0) return [];
  const served = servedBars(sources, rule);
  return sources.flatMap((bars, place) => (bars.period.length === 0 ? [] : [summaryOf(bars, place, served)]));
}

function summaryOf(own: SourceBars, place: number, { bars, lower, upper }: ServedBars): SourceSummary {
  let decided = 0;
  const distances: number[] = [];
  for (const [i, period] of bars.period.entries()) {
    if (lower[i] === place || upper[i] === place) decided++;
    const at = partitionPoint(0, own.period.length, each => own.period[each]! < period);
    if (own.period[at] !== period || Number.isNaN(own.close[at])) continue;
    distances.push(Math.abs(own.close[at]! / bars.close[i]! - 1));
  }
  distances.sort((a, b) => a - b);
  const middle = distances.length / 2;
  return {
    source: own.source ?? '',
    first: own.period[0]!,
    last: own.period.at(-1)!,
    bars: own.period.length,
    decided: bars.period.length === 0 ? 0 : decided / bars.period.length,
    medianDistance:
      distances.length === 0 ? null : (distances[Math.ceil(middle) - 1]! + distances[Math.floor(middle)]!) / 2,
    largestDistance: distances.at(-1) ?? null,
  };
}
