// The findings: those of the checks of stored bars, and those that loads have recorded.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Finding } from '../../domain/finding.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import {
  type CheckedSeries,
  FINDINGS_KEPT,
  type FindingPlace,
  type FindingSelection,
  placeOfFinding,
  type StoredFinding,
} from '../port/store.ts';
import { run, type Steps } from './steps.ts';
import { storable } from './storable.ts';
import { FINDINGS, type FindingRow } from './tables.ts';

export const PLACE_ORDER = 'ORDER BY asset, interval, period, rule, source';
export const AT_PLACE = 'WHERE asset = $1 AND interval = $2 AND period = $3 AND rule = $4 AND source = $5';
/** Assets with numbers that are so close together are read as one range: one statement instead of one per asset. */
const RANGE_PER_ASSET = 8;

/** Both databases have integers of 32 bits. */
export const [MIN_PERIOD, MAX_PERIOD] = [-(2 ** 31), 2 ** 31 - 1];
const WRITTEN_AT_ONCE = 2000;

/** As `ReviewStore.replaceFindings`. */
export function* replaceFindings(interval: BaseInterval, checked: readonly CheckedSeries[]): Steps<StoredFinding[]> {
  if (checked.length === 0) return [];
  const from = Math.max(MIN_PERIOD, Math.min(...checked.map(each => each.from)));
  const assets = checked.map(({ assetNumber }) => assetNumber);
  const stored = yield* selectedFindings({ assets, interval, from });
  const before = Map.groupBy(stored, ({ assetNumber }) => assetNumber);
  const added: StoredFinding[] = [];
  const written: StoredFinding[] = [];
  for (const series of checked) {
    if (series.findings.length === 0 && !before.has(series.assetNumber)) continue;
    const all = (before.get(series.assetNumber) ?? []).filter(({ period }) => period >= series.from);
    const known = all.filter(({ recorded }) => !recorded);
    const recorded = new Set(all.filter(each => each.recorded).map(placeOfFinding));
    const found = newestOfEachRule(series, interval).filter(each => !recorded.has(placeOfFinding(each)));
    if (isSame(known, found)) continue;
    const places = new Set(known.map(placeOfFinding));
    added.push(...found.filter(finding => !places.has(placeOfFinding(finding))));
    written.push(...found);
    if (known.length > 0) yield* removeFrom(series, interval);
    if (series.from > MIN_PERIOD || recorded.size > 0) yield* forgetOldest(series.assetNumber, interval, found);
  }
  yield* putFindings(written, false);
  return added;
}

/** As `ReviewStore.recordFindings`. */
export function* recordFindings(found: readonly StoredFinding[]): Steps<StoredFinding[]> {
  const added: StoredFinding[] = [];
  for (const [assetNumber, ofAsset] of Map.groupBy(found, each => each.assetNumber)) {
    yield* run(on => on.requireAssets([assetNumber]));
    for (const [interval, findings] of Map.groupBy(ofAsset, each => each.interval)) {
      const stored = yield* selectedFindings({ assets: [assetNumber], interval });
      const known = new Map(stored.map(row => [placeOfFinding(row), row]));
      const all = new Map([...stored, ...findings].map(each => [placeOfFinding(each), each]));
      const kept = newestOfEachRule({ assetNumber, from: MIN_PERIOD, findings: [...all.values()] }, interval);
      const places = new Set(kept.map(placeOfFinding));
      const own = new Set(findings.map(placeOfFinding));
      const written = kept.filter(each => {
        const before = known.get(placeOfFinding(each));
        return own.has(placeOfFinding(each)) && !(before?.recorded && isSame([before], [each]));
      });
      if (written.length === 0) continue;
      for (const { period, rule, source } of stored.filter(row => !places.has(placeOfFinding(row))))
        yield* FINDINGS.remove(AT_PLACE, assetNumber, interval, period, rule, source);
      yield* putFindings(written, true);
      added.push(...written.filter(each => !known.has(placeOfFinding(each))));
      yield* run(on => on.markPending([assetNumber]));
    }
  }
  return added;
}

function* putFindings(findings: readonly StoredFinding[], recorded: boolean): Steps<void> {
  for (let i = 0; i < findings.length; i += WRITTEN_AT_ONCE)
    yield* FINDINGS.put(findings.slice(i, i + WRITTEN_AT_ONCE).map(finding => ({ ...finding, recorded })));
}

export function withoutRecorded({ recorded: _, ...finding }: FindingRow): StoredFinding {
  return finding;
}

export function* selectedFindings({
  assets,
  interval,
  from = MIN_PERIOD,
}: FindingSelection): Steps<readonly FindingRow[]> {
  const conditions = `interval = coalesce($1, interval) AND period >= $2`;
  if (assets === undefined) return yield* FINDINGS.rows(`WHERE ${conditions} ${PLACE_ORDER}`, interval ?? null, from);
  if (assets.length === 0) return [];
  const sorted = Uint32Array.from(assets).sort();
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  if (last - first >= RANGE_PER_ASSET * assets.length) {
    const rest = 'AND interval = coalesce($2, interval) AND period >= $3';
    return (yield* FINDINGS.rowsOf('asset', [...new Set(sorted)], rest, interval ?? null, from)).toSorted(byPlace);
  }
  const within = `WHERE asset >= $3 AND asset <= $4 AND ${conditions} ${PLACE_ORDER}`;
  const found = yield* FINDINGS.rows(within, interval ?? null, from, first, last);
  if (last - first + 1 === sorted.length) return found;
  const wanted = new Set(sorted);
  return found.filter(({ assetNumber }) => wanted.has(assetNumber));
}

function* removeFrom({ assetNumber, from }: CheckedSeries, interval: BaseInterval): Steps<void> {
  const first = Math.max(MIN_PERIOD, from);
  const derived = 'WHERE asset = $1 AND interval = $2 AND period >= $3 AND NOT recorded';
  yield* FINDINGS.remove(derived, assetNumber, interval, first);
}

/** Of each rule that has new findings, the oldest of those that stay. */
function* forgetOldest(asset: AssetNumber, interval: BaseInterval, found: readonly StoredFinding[]): Steps<void> {
  for (const [rule, { length }] of Map.groupBy(found, finding => finding.rule)) {
    // Called before they are written.
    const [oldest] = yield* FINDINGS.rows(
      'WHERE asset = $1 AND interval = $2 AND rule = $3 ORDER BY period DESC, source DESC LIMIT 1 OFFSET $4',
      ...[asset, interval, rule, FINDINGS_KEPT - length],
    );
    if (oldest === undefined) continue;
    const older = 'WHERE asset = $1 AND interval = $2 AND rule = $3 AND period <= $4';
    yield* FINDINGS.remove(older, asset, interval, rule, oldest.period);
  }
}

function newestOfEachRule({ assetNumber, findings }: CheckedSeries, interval: BaseInterval): StoredFinding[] {
  const byRule = Map.groupBy(findings, finding => finding.rule);
  const kept = [...byRule.values()].flatMap(own =>
    own.length <= FINDINGS_KEPT ? own : own.toSorted((a, b) => a.period - b.period).slice(-FINDINGS_KEPT),
  );
  return kept.map(finding => storedFinding(assetNumber, interval, finding)).sort(byPlace);
}

function storedFinding(assetNumber: AssetNumber, interval: BaseInterval, finding: Finding): StoredFinding {
  const { period, rule, source, value, expected, detail } = finding;
  return { assetNumber, interval, period, rule, source: storable(source ?? ''), value, expected, detail };
}

/** Both by place. */
function isSame(before: readonly StoredFinding[], now: readonly StoredFinding[]): boolean {
  if (before.length !== now.length) return false;
  return before.every((old, i) => {
    const each = now[i]!;
    return (
      byPlace(old, each) === 0 &&
      old.value === each.value &&
      old.expected === each.expected &&
      old.detail === each.detail
    );
  });
}

function byPlace(a: FindingPlace, b: FindingPlace): number {
  return (
    a.assetNumber - b.assetNumber ||
    compare(a.interval, b.interval) ||
    a.period - b.period ||
    compare(a.rule, b.rule) ||
    compare(a.source, b.source)
  );
}

/** By code unit; the databases order by code point. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
