// Redenominations and migrations: everything before the day of such an action is adjusted backwards. What the sources said is never changed:
// without the action, the same bars come out again.

import { partitionPoint } from '../common/partition-point.ts';
import { isPrice } from '../domain/price.ts';
import { firstBars, type SourceBars, sourceBars } from '../domain/source-bars.ts';

export interface Action {
  /** The first period in new units. */
  readonly period: number;
  /** Old units per new one: 1,000 if 1,000 old units became one. */
  readonly ratio: number;
  /** The id of the asset that became this one, whose bars are continued; null for a redenomination. */
  readonly fromAsset: string | null;
  /** Of an action that was entered. */
  readonly number?: number;
}

/** What the sources said about each asset, and its actions. */
export interface AssetHistory {
  readonly sourcesOf: (asset: string) => readonly SourceBars[];
  readonly actionsOf: (asset: string) => readonly Action[];
}

/** A range of periods whose bars are those of one asset in other units. */
export interface Segment {
  readonly asset: string;
  readonly from: number;
  /** The first period after it. */
  readonly to: number;
  /** Prices are multiplied by it, volumes divided. */
  readonly factor: number;
  /** Why, the newest first. */
  readonly actions: readonly Action[];
}

/**
 * The segments of an asset's adjusted series, newest first. An action applies to everything before its day, also if an older action is there:
 * ratios are multiplied. Before a migration come the bars of the old asset, with the actions that it had before that day.
 */
export function segmentsOf(asset: string, actionsOf: AssetHistory['actionsOf']): Segment[] {
  const segments: Segment[] = [];
  let current: Segment = {
    asset,
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
    factor: 1,
    actions: [],
  };
  let pending = newestFirst(actionsOf(asset));
  for (let action = pending.shift(); action !== undefined; action = pending.shift()) {
    const { period, ratio, fromAsset } = action;
    if (period < current.to) segments.push({ ...current, from: period });
    const [factor, actions] = [current.factor * ratio, [...current.actions, action]];
    current = { ...current, asset: fromAsset ?? current.asset, to: period, factor, actions };
    if (fromAsset === null) continue;
    pending = newestFirst([...pending, ...actionsOf(fromAsset).filter(older => older.period < period)]);
  }
  return [...segments, current];
}

/** On one day redenominations first; the order in which they were entered makes no difference. */
function newestFirst(actions: readonly Action[]): Action[] {
  const name = ({ fromAsset }: Action) => fromAsset ?? '';
  return actions.toSorted(
    (a, b) => b.period - a.period || (name(a) < name(b) ? -1 : Number(name(a) > name(b))) || a.ratio - b.ratio,
  );
}

/** The sources of an asset after its actions: those that it has itself, then those that only an asset had that became it. */
export function adjustedSources(asset: string, { sourcesOf, actionsOf }: AssetHistory): readonly SourceBars[] {
  const segments = segmentsOf(asset, actionsOf);
  if (segments.length === 1 && segments[0]!.asset === asset && segments[0]!.factor === 1) return sourcesOf(asset);
  const names = new Set(segments.flatMap(segment => sourcesOf(segment.asset).map(({ source }) => source)));
  return [...names].map(source => {
    const parts = segments
      .map(segment => ({ segment, bars: sourcesOf(segment.asset).find(bars => bars.source === source) }))
      .flatMap(({ segment, bars }) => (bars ? [{ segment, bars }] : []))
      .reverse();
    const adjusted = sourceBars(
      source,
      parts.reduce((sum, { bars }) => sum + bars.period.length, 0),
    );
    let count = 0;
    for (const { segment, bars } of parts) count = appendAdjusted(adjusted, count, bars, segment);
    return firstBars(adjusted, count);
  });
}

/** Writes the bars of a segment after the first `count`, and returns how many there are then. */
function appendAdjusted(to: SourceBars, count: number, from: SourceBars, segment: Segment): number {
  const { period } = from;
  const first = partitionPoint(0, period.length, i => period[i]! < segment.from);
  for (let i = first; i < period.length && period[i]! < segment.to; i++) {
    const close = adjustedPrice(from.close[i]!, segment.factor);
    // Out of the range of prices like a close that a load refuses. A correction without a close stays: it removes the period.
    if (Number.isNaN(close) && !Number.isNaN(from.close[i]!)) continue;
    to.period[count] = period[i]!;
    to.close[count] = close;
    for (const name of ['open', 'high', 'low'] as const) {
      to[name][count] = adjustedPrice(from[name][i]!, segment.factor);
    }
    to.volume[count] = from.volume[i]! / segment.factor;
    count++;
  }
  return count;
}

/** NaN if the result is not a price. */
function adjustedPrice(price: number, factor: number): number {
  if (factor === 1) return price;
  return isPrice(price * factor) ? price * factor : Number.NaN;
}
