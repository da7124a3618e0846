// What sources and people have said about the inputs of an explained number: each source's close, the actions that adjusted it, and the
// correction that precedes them.

import type { AssetNumber } from '../domain/asset.ts';
import { isoFromDay } from '../domain/day.ts';
import { type BaseInterval, baseOf, type Interval, periodOfMillis, startOfPeriod } from '../domain/interval.ts';
import { type Segment, segmentsOf } from '../publish/actions.ts';
import { readReviewed } from '../publish/merge-sources.ts';
import { type Contribution, contributions } from '../publish/price-rule.ts';
import { readOrdered, type SummaryStore } from '../publish/source-summary.ts';
import type { AssetStore, StoredAction, StoredCorrection } from '../store/store.ts';

/** A redenomination or migration after the period of an input: its close is multiplied by the ratio. */
export interface ExplainedAction {
  /** As `tidemark actions` shows it. */
  readonly action: number;
  /** The first one in new units. */
  readonly day: string;
  readonly ratio: number;
  /** Id of the asset that became this one; null for a redenomination. */
  readonly from_id: string | null;
  readonly reason: string;
}

export interface ExplainedCorrection {
  /** As `tidemark corrections` shows it. */
  readonly correction: number;
  /** As it was entered; null if it removes the period. */
  readonly close: number | null;
  readonly reason: string;
  /** When it was entered, ISO 8601. */
  readonly created_at: string;
}

/** Each is missing if there is none. */
export interface InputReviews {
  /** What each source said, in the order of the price rule; missing if the asset has one source and no correction. */
  readonly sources?: readonly Contribution[];
  /** Those that adjusted the close, the newest first. */
  readonly actions?: readonly ExplainedAction[];
  readonly correction?: ExplainedCorrection;
}

/** `delivered` is the period that the close of an input belongs to, an earlier one than its own if it was carried forward. */
export type ReviewsAt = (delivered: number, own: number) => InputReviews;

/** Null for an asset with one source, no correction and no action. `withSources`: also what the sources said, in dollars. */
export async function reviewsBehind(
  store: SummaryStore & Pick<AssetStore, 'assets'>,
  asset: AssetNumber,
  interval: Interval,
  withSources: boolean,
): Promise<ReviewsAt | null> {
  if (!(await store.sources([asset])).some(({ separate }) => separate)) return null;
  const base = baseOf(interval);
  const ordered = withSources && base === interval ? await readOrdered(store, asset, base) : null;
  // One source alone says nothing more, as before a correction that was undone.
  const sources = ordered !== null && ordered.sources.length > 1 ? ordered : null;
  const segments = segmentsOf(String(asset), (await readReviewed(store)).actionsOf(base));
  const actionsIn = await explainedActions(store, segments);
  const correctionAt = await explainedCorrections(store, base, segments);
  return (delivered, own) => {
    const at = lastBasePeriod(delivered, interval);
    const actions = actionsIn(at);
    // The close that is carried forward takes the place of one that a correction has removed.
    const correction = correctionAt(at) ?? correctionAt(lastBasePeriod(own, interval));
    return {
      ...(sources === null ? {} : { sources: contributions(sources.sources, sources.rule, delivered) }),
      ...(actions.length === 0 ? {} : { actions }),
      ...(correction === undefined ? {} : { correction }),
    };
  };
}

/** A close of a longer period is that of the last bar in it. */
function lastBasePeriod(period: number, interval: Interval): number {
  const base = baseOf(interval);
  if (base === interval) return period;
  const next = periodOfMillis(base, startOfPeriod(interval, period + 1));
  return next === null ? period : next - 1;
}

function segmentAt(segments: readonly Segment[], period: number): Segment | undefined {
  return segments.find(({ from, to }) => period >= from && period < to);
}

async function explainedActions(
  store: Pick<SummaryStore, 'actions'> & Pick<AssetStore, 'assets'>,
  segments: readonly Segment[],
): Promise<(period: number) => readonly ExplainedAction[]> {
  const numbers = new Set(segments.flatMap(({ actions }) => actions.map(({ number }) => number)));
  const entered = (await store.actions()).filter(({ number }) => numbers.has(number));
  const isMigrated = entered.some(({ fromAsset }) => fromAsset !== null);
  const ids = new Map(isMigrated ? (await store.assets()).map(each => [each.assetNumber, each.id]) : []);
  const explained = ({ number, day, ratio, fromAsset, reason }: StoredAction): ExplainedAction => ({
    ...{ action: number, day: isoFromDay(day as Parameters<typeof isoFromDay>[0]), ratio }, // a day of the store
    ...{ from_id: fromAsset === null ? null : (ids.get(fromAsset) ?? null), reason },
  });
  const byNumber = new Map(entered.map(action => [action.number, explained(action)]));
  const ofSegments = new Map(
    segments.map(segment => [segment, segment.actions.flatMap(({ number }) => byNumber.get(number ?? 0) ?? [])]),
  );
  return period => {
    const segment = segmentAt(segments, period);
    return segment === undefined ? [] : (ofSegments.get(segment) ?? []);
  };
}

/** Of several corrections of a period, the newest one. */
async function explainedCorrections(
  store: Pick<SummaryStore, 'corrections'>,
  interval: BaseInterval,
  segments: readonly Segment[],
): Promise<(period: number) => ExplainedCorrection | undefined> {
  const assets = [...new Set(segments.map(({ asset }) => Number(asset)))];
  const counting = (await store.corrections(assets)).filter(each => each.interval === interval && !each.undoneAt);
  const byPlace = new Map(counting.map(each => [`${each.assetNumber} ${each.period}`, each]));
  const explained = ({ number, close, reason, createdAt }: StoredCorrection): ExplainedCorrection => ({
    ...{ correction: number, close, reason, created_at: createdAt },
  });
  return period => {
    const found = byPlace.get(`${segmentAt(segments, period)?.asset} ${period}`);
    return found && explained(found);
  };
}
