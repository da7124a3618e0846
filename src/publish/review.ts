// Findings beside what people have said about them: which are open, and what each is called.

import type { Asset, AssetNumber } from '../domain/asset.ts';
import { RULE_NAMES, type RuleName } from '../domain/finding.ts';
import { type BaseInterval, lastPeriodOfTime, parseTime } from '../domain/interval.ts';
import { periodText } from '../domain/period-text.ts';
import type { RuleSettings } from '../quality/settings.ts';
import { staleSince } from '../quality/stale.ts';
import {
  type AssetStore,
  type FindingPlace,
  type FindingSelection,
  placeOfFinding,
  type ReviewStore,
  type StoredAcceptance,
  type StoredCorrection,
  type StoredFinding,
} from '../store/store.ts';
import { thresholds } from './checks.ts';

export const FINDING_STATES = ['open', 'accepted', 'corrected'] as const;

export type FindingState = (typeof FINDING_STATES)[number];

export interface ReviewedFinding extends StoredFinding {
  readonly state: FindingState;
}

/** What `reviewed` looks at. */
export interface Reviews {
  /** By asset. */
  readonly findings: readonly StoredFinding[];
  readonly acceptances: readonly StoredAcceptance[];
  readonly corrections: readonly StoredCorrection[];
  /** All of the store. */
  readonly assets: readonly LastDay[];
  readonly settings: Pick<RuleSettings, 'stale-periods'>;
}

/** The asset's newest daily bar. */
export type LastDay = Pick<Asset, 'assetNumber' | 'lastDay' | 'delisted'>;

/**
 * All findings with their states, by asset. Those of the rule `stale` are made here: they change with the newest day of the market, without a
 * change of the asset, so that stored ones would be wrong after every day.
 */
export function reviewed({ findings, acceptances, corrections, assets, settings }: Reviews): ReviewedFinding[] {
  const accepted = new Set(acceptances.map(placeOfFinding));
  const corrected = new Set(countingCorrections(corrections).map(periodKey));
  const all = [...findings, ...staleFindings(assets, settings)].sort((a, b) => a.assetNumber - b.assetNumber);
  return all.map(finding => {
    const isCorrected = corrected.has(periodKey(finding));
    const state = isCorrected ? 'corrected' : accepted.has(placeOfFinding(finding)) ? 'accepted' : 'open';
    return { ...finding, state };
  });
}

/** All of the store, or those that are selected, and its assets. */
export async function readReviewedFindings(
  store: Pick<AssetStore, 'assets'> & Pick<ReviewStore, 'findings' | 'acceptances' | 'corrections' | 'checks'>,
  selection: FindingSelection = {},
): Promise<{ readonly findings: readonly ReviewedFinding[]; readonly assets: ReadonlyMap<AssetNumber, Asset> }> {
  const assets = await store.assets();
  const { assets: selected } = selection;
  const findings = reviewed({
    findings: await store.findings(selection),
    acceptances: await store.acceptances(),
    corrections: await store.corrections(),
    assets,
    settings: await thresholds(store),
  }).filter(({ assetNumber }) => selected === undefined || selected.includes(assetNumber));
  return { findings, assets: new Map(assets.map(asset => [asset.assetNumber, asset])) };
}

/** Of an asset that is not delisted, if it has no bar for more periods than it may lack. */
export function staleFindings(
  assets: readonly LastDay[],
  settings: Pick<RuleSettings, 'stale-periods'>,
): StoredFinding[] {
  const newest = assets.reduce((latest, { lastDay }) => Math.max(latest, lastDay ?? 0), 0);
  return assets.flatMap(({ assetNumber, lastDay, delisted }) => {
    if (lastDay === null || delisted || newest - lastDay <= settings['stale-periods']) return [];
    return staleSince(lastDay, newest, settings).map(({ source, ...finding }) => {
      return { assetNumber, interval: '1d' as const, source: '', ...finding };
    });
  });
}

/** Of those at one place, the newest that is not undone. */
export function countingCorrections(corrections: readonly StoredCorrection[]): StoredCorrection[] {
  const byPlace = new Map<string, StoredCorrection>();
  for (const correction of corrections) {
    const known = byPlace.get(periodKey(correction));
    if (correction.undoneAt === null && correction.number > (known?.number ?? 0))
      byPlace.set(periodKey(correction), correction);
  }
  return [...byPlace.values()];
}

function periodKey({
  assetNumber,
  interval,
  period,
}: Pick<FindingPlace, 'assetNumber' | 'interval' | 'period'>): string {
  return `${assetNumber} ${interval} ${period}`;
}

/** By place: `spike:btc-bitcoin:2024-03-01`, with the interval unless it is a day, and with the source if another has the same. */
export function findingNames(
  findings: readonly FindingPlace[],
  idOf: (asset: AssetNumber) => string,
): (finding: FindingPlace) => string {
  const short = (finding: FindingPlace) => shortName(finding, idOf(finding.assetNumber));
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(short(finding), (counts.get(short(finding)) ?? 0) + 1);
  return finding => {
    const isAmbiguous = (counts.get(short(finding)) ?? 0) > 1 && finding.source !== '';
    return isAmbiguous ? `${short(finding)}:${finding.source}` : short(finding);
  };
}

function shortName({ rule, interval, period }: FindingPlace, id: string): string {
  const time = periodText(interval, period).replace('Z', '');
  return [rule, id, ...(interval === '1d' ? [] : [interval]), time].join(':');
}

/** A name as a person types it. */
export interface NamedFinding {
  readonly rule: RuleName;
  /** Id or ticker. */
  readonly asset: string;
  readonly interval: BaseInterval;
  readonly period: number;
  /** Null if the name has none. */
  readonly source: string | null;
}

const NAME = /^([a-z]+):(.+?):(?:(1h|1m):)?(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}Z?)?)(?::(.+))?$/;

/** Null if it is not one. */
export function parseFindingName(text: string): NamedFinding | null {
  const [, name = '', asset = '', fine, written = '', source = null] = NAME.exec(text.trim()) ?? [];
  const rule = RULE_NAMES.find(each => each === name);
  const time = parseTime(written);
  if (rule === undefined || time === null || (fine === undefined) !== time.isDay) return null;
  const interval = (fine ?? '1d') as BaseInterval; // by the pattern
  const period = lastPeriodOfTime(interval, time);
  return period === null ? null : { rule, asset, interval, period, source };
}
