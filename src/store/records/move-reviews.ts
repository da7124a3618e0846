// Gives one asset what was said about the bars of another.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import { isSameAction, type MovedReviews, type PeriodsOfIntervals, placeOfFinding } from '../port/store.ts';
import { AT_PLACE, recordFindings, withoutRecorded } from './findings.ts';
import { run, type Steps } from './steps.ts';
import { ACCEPTANCES, ACTIONS, CORRECTIONS, FINDINGS } from './tables.ts';
import { markAllUnmerged, markUnmerged } from './unmerged.ts';

/** As `ReviewStore.moveReviews`. */
export function* moveReviews(from: AssetNumber, into: AssetNumber, own: PeriodsOfIntervals): Steps<MovedReviews> {
  yield* run(on => on.requireAssets([from, into]));
  const isFree = ({ interval, period }: Place) => !own[interval].has(period);
  const corrections = yield* moveCorrections(from, into, isFree);
  const actions = yield* moveActions(from, into);
  const findings = yield* moveRecorded(from, into, isFree);
  const acceptances = yield* moveAcceptances(from, into, isFree);
  yield* run(on => on.markPending([from, into]));
  return { corrections, actions, findings, acceptances };
}

type Place = { readonly interval: BaseInterval; readonly period: number };
type IsFree = (place: Place) => boolean;

function* moveCorrections(from: AssetNumber, into: AssetNumber, isFree: IsFree): Steps<number> {
  const key = ({ interval, period }: Place) => `${interval} ${period}`;
  const known = yield* CORRECTIONS.rowsOf('asset', [into]);
  const corrected = new Set(known.filter(({ undoneAt }) => undoneAt === null).map(key));
  const all = yield* CORRECTIONS.rowsOf('asset', [from]);
  const moved = all.filter(each => isFree(each) && !corrected.has(key(each)));
  for (const each of moved) yield* CORRECTIONS.update(each, { assetNumber: into });
  yield* markUnmerged(
    moved.flatMap(({ interval, period: firstPeriod }) =>
      [from, into].map(assetNumber => ({ assetNumber, interval, firstPeriod })),
    ),
  );
  return moved.length;
}

function* moveActions(from: AssetNumber, into: AssetNumber): Steps<number> {
  const known = yield* ACTIONS.rowsOf('asset', [into]);
  const all = yield* ACTIONS.rowsOf('asset', [from]);
  const moved = all.filter(each => !known.some(other => isSameAction(other, each)));
  for (const each of moved) yield* ACTIONS.update(each, { assetNumber: into });
  if (moved.length > 0) yield* markAllUnmerged([from, into]);
  return moved.length;
}

function* moveRecorded(from: AssetNumber, into: AssetNumber, isFree: IsFree): Steps<number> {
  const known = new Set((yield* FINDINGS.rowsOf('asset', [into], 'AND recorded')).map(placeOfFinding));
  const all = (yield* FINDINGS.rowsOf('asset', [from], 'AND recorded')).map(withoutRecorded).filter(isFree);
  const moved = all.map(each => ({ ...each, assetNumber: into })).filter(each => !known.has(placeOfFinding(each)));
  yield* recordFindings(moved);
  for (const { interval, period, rule, source } of moved)
    yield* FINDINGS.remove(AT_PLACE, from, interval, period, rule, source);
  return moved.length;
}

function* moveAcceptances(from: AssetNumber, into: AssetNumber, isFree: IsFree): Steps<number> {
  const known = new Set((yield* ACCEPTANCES.rowsOf('asset', [into])).map(placeOfFinding));
  const all = (yield* ACCEPTANCES.rowsOf('asset', [from])).filter(isFree);
  const moved = all.map(each => ({ ...each, assetNumber: into })).filter(each => !known.has(placeOfFinding(each)));
  yield* ACCEPTANCES.put(moved);
  for (const { interval, period, rule, source } of moved)
    yield* ACCEPTANCES.remove(AT_PLACE, from, interval, period, rule, source);
  return moved.length;
}
