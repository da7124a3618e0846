// Checks the bars that a publication is about, and stores the findings. What has not changed is not read again.

import type { AssetNumber } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { Finding } from '../domain/finding.ts';
import { type BaseInterval, LAST_PERIOD } from '../domain/interval.ts';
import { CORRECTION, type SourceBars } from '../domain/source-bars.ts';
import { check, context, lookBack, recheckFrom } from '../quality/check.ts';
import type { CheckedBars } from '../quality/rule.ts';
import { isQuiet } from '../quality/screen.ts';
import { DEFAULT_RULE_SETTINGS, parseRuleSettings, type RuleSettings } from '../quality/settings.ts';
import type {
  AssetStore,
  BarsOfAssets,
  CheckedSeries,
  ReviewStore,
  Series,
  SeriesStore,
  StoredCheck,
  StoredFinding,
  Unmerged,
} from '../store/store.ts';
import { type MergingStore, orderedSources, type Reviewed, readReviewed, readSaid } from './merge-sources.ts';
import { sourcesOf } from './sources-of.ts';

export type CheckingStore = Pick<AssetStore, 'assets'> & SeriesStore & ReviewStore & MergingStore;

/** Before any other is stored. */
const FIRST_CHECK: StoredCheck = { interval: '1d', settings: DEFAULT_RULE_SETTINGS, complete: false };

/** Assets at a time whose last bars are read, and assets whose bars are all read: memory for some hundred thousand bars. */
const RECENT_AT_ONCE = 1024;
const ALL_AT_ONCE: Readonly<Record<BaseInterval, number>> = { '1d': 128, '1h': 16, '1m': 1 };
/** After a change further back than this, all bars are read. */
const RECENT = 512;
/** The periods that are read are so many times the bars that are needed: at first as many, then more, because periods may lack a bar. */
const WIDE = 4;
const READINGS = [1, WIDE] as const;
/** Series whose findings are stored at a time. */
const STORED_AT_ONCE = 4096;
const ALL = Number.NEGATIVE_INFINITY;

/** An asset and the first of its periods whose bar differs from the published one. */
interface Changed {
  readonly assetNumber: AssetNumber;
  readonly first: number;
  /** The oldest published period. */
  readonly published: number;
}

export interface PendingFindings {
  /** Those that were not there before. */
  readonly added: readonly StoredFinding[];
  /** All bars were checked again: others may be gone. */
  readonly again: boolean;
}

/**
 * Checks the bars of these assets that have changed since they were published, or all bars if the thresholds are new. `unmerged`: what the
 * publication has merged.
 */
export async function checkPending(
  store: CheckingStore,
  pending: readonly AssetNumber[],
  unmerged: readonly Unmerged[] = [],
): Promise<PendingFindings> {
  const stored = await store.checks();
  const added: StoredFinding[] = [];
  for (const { interval, settings, complete } of stored.length === 0 ? [FIRST_CHECK] : stored) {
    const series = store.series(interval);
    const changed = complete ? await changedSince(series, pending) : await allAssets(store);
    const checking = new Checking(store, interval, parseRuleSettings(settings));
    const merged = new Map(
      unmerged.filter(place => complete && place.interval === interval).map(place => [place.assetNumber, place]),
    );
    added.push(...(await checking.run(changed, merged)));
    if (!complete) await store.putCheck({ interval, settings, complete: true });
  }
  return { added, again: stored.some(({ complete }) => !complete) };
}

async function allAssets(store: Pick<AssetStore, 'assets'>): Promise<Changed[]> {
  return (await store.assets()).map(({ assetNumber }) => ({ assetNumber, first: ALL, published: ALL }));
}

/** The newest published bar may have changed without a record of it. */
async function changedSince(series: Series, pending: readonly AssetNumber[]): Promise<Changed[]> {
  if (pending.length === 0) return [];
  const spans = await series.publishedSpans(pending);
  const oldest = (await series.replacedCloses()).oldestDays();
  const published = new Map<AssetNumber, Changed>();
  for (let i = 0; i < spans.assetNumber.length; i++) {
    const [asset, last] = [spans.assetNumber[i]!, spans.last[i]!];
    const changed = Math.min(last, oldest.get(asset) ?? last);
    const first = last - changed > RECENT ? ALL : changed;
    published.set(asset, { assetNumber: asset, first, published: spans.first[i]! });
  }
  return pending.map(asset => published.get(asset) ?? { assetNumber: asset, first: ALL, published: ALL });
}

class Checking {
  readonly #store: CheckingStore;
  readonly #series: Series;
  readonly #interval: BaseInterval;
  readonly #settings: RuleSettings;
  /** Bars before a changed one that are read. */
  readonly #context: number;
  readonly #lookBack: number;
  #checked: CheckedSeries[] = [];
  readonly #found: StoredFinding[] = [];

  constructor(store: CheckingStore, interval: BaseInterval, settings: RuleSettings) {
    this.#store = store;
    this.#interval = interval;
    this.#series = store.series(interval);
    this.#settings = settings;
    this.#context = context(settings);
    this.#lookBack = lookBack(settings);
  }

  async run(
    changed: readonly Changed[],
    merged: ReadonlyMap<AssetNumber, Unmerged>,
  ): Promise<readonly StoredFinding[]> {
    const separate = new Set(await this.#store.separateAssets());
    let rest = changed.filter(({ assetNumber }) => !separate.has(assetNumber));
    const reviewed = separate.size === 0 ? null : await readReviewed(this.#store);
    for (const { assetNumber } of changed) {
      if (reviewed === null || !separate.has(assetNumber)) continue;
      const first = merged.get(assetNumber)?.firstPeriod ?? ALL;
      const isChecked = first !== ALL && (await this.#checkSources(assetNumber, first, reviewed));
      if (!isChecked) await this.#checkSources(assetNumber, ALL, reviewed);
      await this.#storeIfMany(STORED_AT_ONCE);
    }
    for (const times of READINGS) {
      const recent = rest.filter(({ first }) => first !== ALL);
      const unknown = await this.#checkRecent(recent, times * this.#context);
      rest = [...rest.filter(({ first }) => first === ALL), ...unknown];
    }
    const assets = rest.map(({ assetNumber }) => assetNumber).sort((a, b) => a - b);
    for (let i = 0; i < assets.length; i += ALL_AT_ONCE[this.#interval]) {
      await this.#checkWhole(assets.slice(i, i + ALL_AT_ONCE[this.#interval]));
      await this.#storeIfMany(STORED_AT_ONCE);
    }
    await this.#storeIfMany(1);
    return this.#found;
  }

  /** Reads so many periods before each change. Returns those for which that is not enough. */
  async #checkRecent(changed: readonly Changed[], periods: number): Promise<Changed[]> {
    const unknown: Changed[] = [];
    for (let i = 0; i < changed.length; i += RECENT_AT_ONCE) {
      const part = changed.slice(i, i + RECENT_AT_ONCE);
      const from = part.map(({ first }) => first - periods);
      const bars = await this.#series.barsFrom(
        part.map(({ assetNumber }) => assetNumber),
        from,
      );
      for (const [at, each] of part.entries()) if (!this.#isChecked(each, bars, at, from[at]!)) unknown.push(each);
      await this.#storeIfMany(STORED_AT_ONCE);
    }
    return unknown;
  }

  /** False if the bars that were read are not enough to know. */
  #isChecked({ assetNumber, first, published }: Changed, bars: BarsOfAssets, at: number, from: number): boolean {
    const [start, end, firstDay] = [bars.starts[at]!, bars.starts[at + 1]!, bars.firstDay[at]!];
    // None is left, or older ones have come.
    if (start === end || firstDay < published) return false;
    const isAll = firstDay >= from;
    if ((isAll || bars.day[start] === from) && isQuiet(bars, start, end, this.#settings, bars.known)) {
      this.#checked.push({ assetNumber, from: first - this.#lookBack, findings: [] });
      return true;
    }
    const own = barsOfOne(bars, start, end);
    const recheck = recheckFrom(own, this.#settings, first);
    // A row of equal closes may begin before the first bar that was read.
    if (!isAll && (recheck === own.served.period[0] || !this.#isEnough(own.served, recheck))) return false;
    this.#checked.push({ assetNumber, from: recheck, findings: check(own, this.#settings, recheck) });
    return true;
  }

  /** Whether there are as many bars before the first that is looked at again as the rules compare it with. */
  #isEnough({ period }: SourceBars, recheck: number): boolean {
    let before = 0;
    while (before < period.length && period[before]! < recheck) before++;
    return before >= this.#context - this.#lookBack;
  }

  async #checkWhole(assets: readonly AssetNumber[]): Promise<void> {
    const bars = await this.#series.barsFrom(
      assets,
      assets.map(() => ALL),
    );
    for (const [at, assetNumber] of assets.entries()) {
      const [start, end] = [bars.starts[at]!, bars.starts[at + 1]!];
      const quiet = isQuiet(bars, start, end, this.#settings, bars.known);
      const findings = quiet ? [] : check(barsOfOne(bars, start, end), this.#settings);
      this.#checked.push({ assetNumber, from: ALL, findings });
    }
  }

  /** The name of the source, if an asset has one. */
  async #withSources(checked: readonly CheckedSeries[]): Promise<CheckedSeries[]> {
    const unnamed = checked.filter(({ findings }) => findings.some(isOfSource)).map(({ assetNumber }) => assetNumber);
    const names = await sourcesOf(this.#store, unnamed);
    return checked.map(series => {
      const [source, ...others] = names.get(series.assetNumber) ?? [];
      if (source === undefined || others.length > 0) return series;
      const named = (finding: Finding) => (isOfSource(finding) ? { ...finding, source: source.name } : finding);
      return { ...series, findings: series.findings.map(named) };
    });
  }

  /**
   * Each source for itself, from the first period that has changed. What has changed is not known if a publication was killed after the
   * merge. False if the bars that were read are not enough to know.
   */
  async #checkSources(asset: AssetNumber, first: number, reviewed: Reviewed): Promise<boolean> {
    const from = first === ALL ? 0 : Math.max(0, first - WIDE * this.#context);
    const bars = await this.#series.barsFrom([asset], [from]);
    const { served } = barsOfOne(bars, 0, bars.day.length);
    const said = await readSaid(this.#store, this.#interval, [asset], from, LAST_PERIOD, reviewed);
    const own = { served, sources: orderedSources(asset, this.#interval, said, reviewed), newest: null };
    if (from === 0) {
      this.#checked.push({ assetNumber: asset, from: ALL, findings: check(own, this.#settings) });
      return true;
    }
    const recheck = recheckFrom(own, this.#settings, first);
    if (![served, ...own.sources.filter(isSeries)].every(each => this.#isEnough(each, recheck))) return false;
    this.#checked.push({ assetNumber: asset, from: recheck, findings: check(own, this.#settings, recheck) });
    return true;
  }

  async #storeIfMany(least: number): Promise<void> {
    if (this.#checked.length < least) return;
    const checked = await this.#withSources(this.#checked);
    this.#checked = [];
    this.#found.push(...(await this.#store.replaceFindings(this.#interval, checked)));
  }
}

function isSeries({ source }: SourceBars): boolean {
  return source !== CORRECTION;
}

/** A finding about bars that are those of one source. */
function isOfSource({ rule, source }: Finding): boolean {
  return source === null && rule !== 'gap';
}

/** An asset ends being stale without a change of its bars: that is not stored, but found when it is shown. */
function barsOfOne(bars: BarColumns, start: number, end: number): CheckedBars {
  const served: SourceBars = {
    source: null,
    period: bars.day.subarray(start, end),
    open: bars.open.subarray(start, end),
    high: bars.high.subarray(start, end),
    low: bars.low.subarray(start, end),
    close: bars.close.subarray(start, end),
    volume: bars.volume.subarray(start, end),
  };
  return { served, sources: [served], newest: null };
}
