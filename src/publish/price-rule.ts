// The price rule: from the bars of the sources of one asset, side by side, to the bars that are served.
//
// priority: the bar of the first source, in a configured order, that has the period.
// median: the volume-weighted median of the closes, and likewise of the opens, highs and lows; volumes add up.

import { BAR_NUMBERS, CORRECTION, firstBars, type SourceBars, sourceBars } from '../domain/source-bars.ts';
import { exactSum } from './exact-sum.ts';
import { WeightedMedian } from './weighted-median.ts';

export interface PriceRule {
  readonly kind: 'priority' | 'median';
  /** Names of sources, the preferred one first. Sources that are not named come after it. */
  readonly order: readonly string[];
}

export interface ServedBars {
  readonly bars: SourceBars;
  /** For each bar, the sources whose closes decided: positions among the sources, the same twice unless two decided. */
  readonly lower: Int16Array;
  readonly upper: Int16Array;
}

/** What a source contributed to the served close of a period. */
export interface Contribution {
  readonly source: string | null;
  readonly close: number;
  /** From 0 to 1; the weights of a period add up to 1. */
  readonly weight: number;
  readonly decided: boolean;
}

/** Corrections, then the sources of the order, then the others as they are given: by their first load. */
export function inOrderOf(sources: readonly SourceBars[], { order }: PriceRule): SourceBars[] {
  const place = ({ source }: SourceBars): number => {
    if (source === CORRECTION) return -1;
    const named = order.indexOf(source ?? '');
    return named < 0 ? order.length : named;
  };
  return sources.toSorted((a, b) => place(a) - place(b));
}

/** `sources` in the order of the rule (`inOrderOf`). */
export function servedBars(sources: readonly SourceBars[], { kind }: PriceRule): ServedBars {
  const capacity = sources.reduce((sum, { period }) => sum + period.length, 0);
  const [lower, upper] = [new Int16Array(capacity), new Int16Array(capacity)];
  if (sources.length === 1 && sources[0]!.source !== CORRECTION) {
    return { bars: { ...sources[0]!, source: null }, lower, upper };
  }
  const bars = sourceBars(null, capacity);
  const median = new WeightedMedian(sources.length);
  const [next, at] = [new Int32Array(sources.length), new Int32Array(sources.length)];
  let count = 0;
  for (let period = toNextPeriod(sources, next, at); period !== null; period = toNextPeriod(sources, next, at)) {
    const first = firstDeciding(sources, at);
    if (first < 0 || Number.isNaN(sources[first]!.close[at[first]!]!)) continue;
    if (isDecidedByOne(sources, at, first, kind)) {
      for (const name of BAR_NUMBERS) bars[name][count] = sources[first]![name][at[first]!]!;
      lower[count] = upper[count] = first;
    } else {
      writeMedians(bars, count, sources, at, median);
      lower[count] = median.lower;
      upper[count] = median.upper;
    }
    bars.period[count++] = period;
  }
  return { bars: firstBars(bars, count), lower: lower.subarray(0, count), upper: upper.subarray(0, count) };
}

/** What each source that has the period contributed to its close; `sources` in the order of the rule. */
export function contributions(sources: readonly SourceBars[], { kind }: PriceRule, period: number): Contribution[] {
  const at = Int32Array.from(sources, bars => bars.period.indexOf(period));
  const first = firstDeciding(sources, at);
  const isOne = isDecidedByOne(sources, at, first, kind);
  const median = new WeightedMedian(sources.length);
  if (!isOne) addPrices(median, 'close', sources, at);
  median.value();
  return sources.flatMap(({ source, close, volume }, i) => {
    if (at[i]! < 0) return [];
    const decided = isOne ? i === first : i === median.lower || i === median.upper;
    const share = (median.isWeighted ? volume[at[i]!]! : 1) / median.total;
    const weight = isOne ? Number(decided) : isGiven(sources, at, i) ? share : 0;
    return [{ source, close: close[at[i]!]!, weight, decided }];
  });
}

/** Goes to the next period that a source has: sets the place of its bar in each source, −1 for none. Null after the last. */
function toNextPeriod(sources: readonly SourceBars[], next: Int32Array, at: Int32Array): number | null {
  let period = Number.POSITIVE_INFINITY;
  for (let i = 0; i < sources.length; i++) {
    const each = sources[i]!.period[next[i]!];
    if (each !== undefined && each < period) period = each;
  }
  for (let i = 0; i < sources.length; i++) at[i] = sources[i]!.period[next[i]!] === period ? next[i]!++ : -1;
  return period === Number.POSITIVE_INFINITY ? null : period;
}

/** Whether the source has a bar with a close. A correction without one removes the period. */
function isGiven(sources: readonly SourceBars[], at: Int32Array, i: number): boolean {
  return at[i]! >= 0 && (!Number.isNaN(sources[i]!.close[at[i]!]!) || sources[i]!.source === CORRECTION);
}

function firstDeciding(sources: readonly SourceBars[], at: Int32Array): number {
  for (let i = 0; i < sources.length; i++) if (isGiven(sources, at, i)) return i;
  return -1;
}

/** Whether the bar of the source `first` is served as it is: by priority, as a correction, and if no other source has one. */
function isDecidedByOne(
  sources: readonly SourceBars[],
  at: Int32Array,
  first: number,
  kind: PriceRule['kind'],
): boolean {
  if (kind === 'priority' || first < 0 || sources[first]!.source === CORRECTION) return true;
  for (let i = first + 1; i < sources.length; i++) if (isGiven(sources, at, i)) return false;
  return true;
}

/** Those of the bars that have a close. */
function addPrices(
  median: WeightedMedian,
  name: 'open' | 'high' | 'low' | 'close',
  sources: readonly SourceBars[],
  at: Int32Array,
): void {
  median.clear();
  for (let i = 0; i < sources.length; i++) {
    if (isGiven(sources, at, i)) median.add(i, sources[i]![name][at[i]!]!, sources[i]!.volume[at[i]!]!);
  }
}

/** Writes the medians of the bars of one period; `median` is left with that of the closes. */
function writeMedians(
  to: SourceBars,
  place: number,
  sources: readonly SourceBars[],
  at: Int32Array,
  median: WeightedMedian,
): void {
  const medianOf = (name: 'open' | 'high' | 'low' | 'close') => {
    addPrices(median, name, sources, at);
    return median.value();
  };
  const [open, high, low, close] = [medianOf('open'), medianOf('high'), medianOf('low'), medianOf('close')];
  const known = Number.isNaN(open) ? close : open;
  to.open[place] = open;
  // The medians of highs and opens can be those of different sources. Unknown ones stay unknown: Math.max of NaN is NaN.
  to.high[place] = Math.max(high, known, close);
  to.low[place] = Math.min(low, known, close);
  to.close[place] = close;
  to.volume[place] = totalVolume(sources, at);
}

const volumes: number[] = [];

/** Of the volumes that are known; NaN if none is. */
function totalVolume(sources: readonly SourceBars[], at: Int32Array): number {
  let count = 0;
  for (let i = 0; i < sources.length; i++) {
    const volume = isGiven(sources, at, i) ? sources[i]!.volume[at[i]!]! : Number.NaN;
    if (Number.isFinite(volume)) volumes[count++] = volume;
  }
  const total = exactSum(volumes, count);
  return count > 0 && Number.isFinite(total) ? total : Number.NaN;
}
