// Checks the bars that a publication is about, and stores the findings. What has not changed is not read again.

import type { AssetNumber } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { Finding } from '../domain/finding.ts';
import { type BaseInterval, LAST_PERIOD } from '../domain/interval.ts';
import { CORRECTION, type SourceBars } from '../domain/source-bars.ts';
import { check, context, lookBack, recheckFrom } from '../quality/check.ts';
import type { CheckedBars } from '../quality/rule.ts';
import { areDenseClosesQuiet, isQuiet } from '../quality/screen.ts';
import { DEFAULT_RULE_SETTINGS, parseRuleSettings, type RuleSettings } from '../quality/settings.ts';
import type {
  AssetStore,
  BarsOfAssets,
  CheckedSeries,
  CurrentPart,
  DailyCloses,
  ReviewStore,
  Series,
  SeriesStore,
  StoredCheck,
  StoredFinding,
  Unmerged,
} from '../store/store.ts';
import { ALL, allAssets, type Changed, type ChangedAssets, changedSince } from './changed-assets.ts';
import { type MergingStore, orderedSources, type Reviewed, readReviewed, readSourceSeries } from './merge-sources.ts';
import { sourcesOf } from './sources-of.ts';

export type CheckingStore = Pick<AssetStore, 'assets'> & SeriesStore & ReviewStore & MergingStore;

/** Before any other is stored. */
const FIRST_CHECK: StoredCheck = { interval: '1d', settings: DEFAULT_RULE_SETTINGS, complete: false };

/** Assets at a time whose last bars are read, and assets whose bars are all read: memory for some hundred thousand bars. */
const RECENT_AT_ONCE = 1024;
const ALL_AT_ONCE: Readonly<Record<BaseInterval, number>> = { '1d': 128, '1h': 16, '1m': 1 };
/** Assets at a time of which the bars of each source are read. */
const SEPARATE_AT_ONCE: Readonly<Record<BaseInterval, number>> = { '1d': 16, '1h': 4, '1m': 1 };
/** The periods that are read are so many times the bars that are needed: at first as many, then more, because periods may lack a bar. */
const WIDE = 4;
const READINGS = [1, WIDE] as const;
/** Series whose findings are stored at a time. */
const STORED_AT_ONCE = 4096;
const NONE: readonly never[] = [];

/**
 * Checks the bars of these assets that have changed since they were published, or all bars if the thresholds are new, and stores the
 * findings. `unmerged`: what the publication has merged.
 */
export async function checkPending(
  store: CheckingStore,
  pending: readonly AssetNumber[],
  unmerged: readonly Unmerged[] = [],
): Promise<void> {
  const checks = await PendingChecks.start(store, pending, unmerged);
  for await (const { checked } of checks.rest()) {
    if (checked !== undefined) await store.replaceFindings(checked.interval, checked.series);
  }
  await checks.complete();
}

/** The checks of a publication, whose findings are written with its rows. */
export class PendingChecks {
  readonly #store: CheckingStore;
  readonly #stored: readonly StoredCheck[];
  readonly #checkings: readonly Checking[];
  readonly #added: StoredFinding[] = [];

  private constructor(store: CheckingStore, stored: readonly StoredCheck[], checkings: readonly Checking[]) {
    this.#store = store;
    this.#stored = stored;
    this.#checkings = checkings;
  }

  static async start(
    store: CheckingStore,
    pending: readonly AssetNumber[],
    unmerged: readonly Unmerged[],
  ): Promise<PendingChecks> {
    const [found, separate] = await Promise.all([store.checks(), store.separateAssets()]);
    const stored = found.length === 0 ? [FIRST_CHECK] : found;
    const checkings: Checking[] = [];
    for (const { interval, settings, complete } of stored) {
      const series = store.series(interval);
      const changed = complete ? await changedSince(series, pending) : await allAssets(store);
      const merged = unmerged.filter(place => complete && place.interval === interval);
      checkings.push(new Checking(store, interval, parseRuleSettings(settings), changed, merged, separate));
    }
    return new PendingChecks(store, stored, checkings);
  }

  /** Those that were not there before, once they are written. */
  get added(): readonly StoredFinding[] {
    return this.#added;
  }

  /** All bars are checked again: findings may go. */
  get isAgain(): boolean {
    return this.#stored.some(({ complete }) => !complete);
  }

  /** The rows of days that are computed are looked at before they are yielded; the findings follow them. */
  async *within(parts: AsyncIterable<CurrentPart>): AsyncGenerator<CurrentPart, void, undefined> {
    for await (const part of parts) {
      yield part;
      for (const checking of this.#checkings) yield* this.#parts(checking.interval, checking.take(STORED_AT_ONCE));
    }
    yield* this.rest();
  }

  /** What has not been looked at yet. */
  async *rest(): AsyncGenerator<CurrentPart, void, undefined> {
    for (const checking of this.#checkings) {
      for await (const series of checking.rest()) yield* this.#parts(checking.interval, series);
    }
  }

  /** The closes that rows of days are computed from. */
  readonly look = (assets: readonly AssetNumber[], closes: DailyCloses): void => {
    for (const checking of this.#checkings) if (checking.interval === '1d') checking.look(assets, closes);
  };

  /** After the findings are written. */
  async complete(): Promise<void> {
    for (const check of this.#stored) if (!check.complete) await this.#store.putCheck({ ...check, complete: true });
  }

  *#parts(interval: BaseInterval, series: readonly CheckedSeries[]): Generator<CurrentPart> {
    if (series.length === 0) return;
    const onAdded = (added: readonly StoredFinding[]) => {
      // One by one: there can be more than a call takes as arguments.
      for (const finding of added) this.#added.push(finding);
    };
    yield { rows: [], removed: [], checked: { interval, series, onAdded } };
  }
}

/** An asset whose sources are stored apart, and the first period that has changed: all, if it is not known. */
interface ChangedSources {
  readonly assetNumber: AssetNumber;
  readonly first: number;
}

class Checking {
  readonly interval: BaseInterval;
  readonly #store: CheckingStore;
  readonly #series: Series;
  readonly #settings: RuleSettings;
  /** Bars before a changed one that are read. */
  readonly #context: number;
  readonly #lookBack: number;
  /** What is not checked yet. */
  readonly #changed: ChangedAssets;
  readonly #merged: ReadonlyMap<AssetNumber, Unmerged>;
  /** The assets whose sources are stored apart. */
  readonly #separate: ReadonlySet<AssetNumber>;
  #checked: CheckedSeries[] = [];

  constructor(
    store: CheckingStore,
    interval: BaseInterval,
    settings: RuleSettings,
    changed: ChangedAssets,
    merged: readonly Unmerged[],
    separate: readonly AssetNumber[],
  ) {
    this.#store = store;
    this.interval = interval;
    this.#series = store.series(interval);
    this.#settings = settings;
    this.#context = context(settings);
    this.#lookBack = lookBack(settings);
    this.#changed = changed;
    this.#merged = new Map(merged.map(place => [place.assetNumber, place]));
    this.#separate = new Set(separate);
  }

  /** Checks what these closes are enough for, so that no bars are read: of assets without other numbers, and without a doubt. */
  look(assets: readonly AssetNumber[], { starts, close, firstDay, lastDay, onlyCloses }: DailyCloses): void {
    if (!onlyCloses) return;
    const changed = this.#changed;
    for (let i = 0; i < assets.length; i++) {
      const at = changed.find(assets[i]!);
      if (at < 0 || changed.first[at] === ALL || this.#separate.has(assets[i]!)) continue;
      const start = starts[i]!;
      const end = starts[i + 1]!;
      // None is left, or older ones have come.
      if (start === end || firstDay[i]! < changed.published[at]!) continue;
      const from = Math.max(firstDay[i]!, changed.first[at]! - this.#context);
      const first = end - 1 - (lastDay[i]! - from);
      if (first < start || first >= end || !areDenseClosesQuiet(close, first, end, this.#settings)) continue;
      this.#addQuiet(assets[i]!, changed.first[at]!, lastDay[i]!);
      changed.checked(at);
    }
  }

  /** What was checked since, if that is so much at least. */
  take(least: number): readonly CheckedSeries[] {
    if (this.#checked.length < least) return NONE;
    const checked = this.#checked;
    this.#checked = [];
    return checked;
  }

  /** Checks what is not checked yet. */
  async *rest(): AsyncGenerator<readonly CheckedSeries[], void, undefined> {
    const reviewed = this.#separate.size === 0 ? null : await readReviewed(this.#store);
    const changed = this.#changed.rest();
    let rest = changed.filter(({ assetNumber }) => !this.#separate.has(assetNumber));
    if (reviewed !== null) {
      const places = changed
        .filter(({ assetNumber }) => this.#separate.has(assetNumber))
        .map(({ assetNumber }) => ({ assetNumber, first: this.#merged.get(assetNumber)?.firstPeriod ?? ALL }));
      // Those that changed from about the same period on together.
      const recent = places.filter(({ first }) => first !== ALL).sort((a, b) => a.first - b.first);
      const unknown = places.filter(({ first }) => first === ALL);
      for (const part of this.#inParts(recent)) {
        unknown.push(...(await this.#checkSources(part, part[0]!.first - WIDE * this.#context, reviewed)));
        yield this.#withSources(this.take(STORED_AT_ONCE));
      }
      for (const part of this.#inParts(unknown)) {
        await this.#checkSources(part, 0, reviewed);
        yield this.#withSources(this.take(STORED_AT_ONCE));
      }
    }
    for (const times of READINGS) {
      const unknown = rest.filter(({ first }) => first === ALL);
      const recent = rest.filter(({ first }) => first !== ALL);
      for (let i = 0; i < recent.length; i += RECENT_AT_ONCE) {
        unknown.push(...(await this.#checkRecent(recent.slice(i, i + RECENT_AT_ONCE), times * this.#context)));
        yield this.#withSources(this.take(STORED_AT_ONCE));
      }
      rest = unknown;
    }
    const assets = rest.map(({ assetNumber }) => assetNumber).sort((a, b) => a - b);
    for (let i = 0; i < assets.length; i += ALL_AT_ONCE[this.interval]) {
      await this.#checkWhole(assets.slice(i, i + ALL_AT_ONCE[this.interval]));
      yield this.#withSources(this.take(STORED_AT_ONCE));
    }
    yield this.#withSources(this.take(1));
  }

  /** Of an asset whose newest bars were removed, a gap before them may be as long as any. */
  #addQuiet(assetNumber: AssetNumber, firstChanged: number, last: number): void {
    this.#checked.push({ assetNumber, from: Math.min(firstChanged - this.#lookBack, last + 1), findings: NONE });
  }

  /** Reads so many periods before each change. Returns those for which that is not enough. */
  async #checkRecent(changed: readonly Changed[], periods: number): Promise<Changed[]> {
    const from = changed.map(({ first }) => first - periods);
    const bars = await this.#series.barsFrom(
      changed.map(({ assetNumber }) => assetNumber),
      from,
    );
    return changed.filter((each, at) => !this.#isChecked(each, bars, at, from[at]!));
  }

  /** False if the bars that were read are not enough to know. */
  #isChecked({ assetNumber, first, published }: Changed, bars: BarsOfAssets, at: number, from: number): boolean {
    const [start, end, firstDay] = [bars.starts[at]!, bars.starts[at + 1]!, bars.firstDay[at]!];
    // None is left, or older ones have come.
    if (start === end || firstDay < published) return false;
    const isAll = firstDay >= from;
    if ((isAll || bars.day[start] === from) && isQuiet(bars, start, end, this.#settings, bars.known)) {
      this.#addQuiet(assetNumber, first, bars.day[end - 1]!);
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
  async #withSources(checked: readonly CheckedSeries[]): Promise<readonly CheckedSeries[]> {
    const unnamed = checked.filter(({ findings }) => findings.some(isOfSource)).map(({ assetNumber }) => assetNumber);
    if (unnamed.length === 0) return checked;
    const names = await sourcesOf(this.#store, unnamed);
    return checked.map(series => {
      const [source, ...others] = names.get(series.assetNumber) ?? [];
      if (source === undefined || others.length > 0) return series;
      const named = (finding: Finding) => (isOfSource(finding) ? { ...finding, source: source.name } : finding);
      return { ...series, findings: series.findings.map(named) };
    });
  }

  *#inParts(places: readonly ChangedSources[]): Generator<readonly ChangedSources[], void, undefined> {
    const most = SEPARATE_AT_ONCE[this.interval];
    for (let i = 0; i < places.length; i += most) yield places.slice(i, i + most);
  }

  /** Each source for itself, of bars from a period on. Returns the assets for which these are not enough to know. */
  async #checkSources(
    places: readonly ChangedSources[],
    since: number,
    reviewed: Reviewed,
  ): Promise<readonly ChangedSources[]> {
    const from = Math.max(0, since);
    const assets = places.map(({ assetNumber }) => assetNumber);
    const bars = await this.#series.barsFrom(
      assets,
      assets.map(() => from),
    );
    const byAsset = await readSourceSeries(this.#store, this.interval, assets, from, LAST_PERIOD, reviewed);
    const unknown: ChangedSources[] = [];
    for (const [at, { assetNumber, first }] of places.entries()) {
      const { served } = barsOfOne(bars, bars.starts[at]!, bars.starts[at + 1]!);
      const own = { served, sources: orderedSources(assetNumber, this.interval, byAsset, reviewed), newest: null };
      if (from === 0) {
        this.#checked.push({ assetNumber, from: ALL, findings: check(own, this.#settings) });
        continue;
      }
      const recheck = recheckFrom(own, this.#settings, first);
      if ([served, ...own.sources.filter(isSeries)].every(each => this.#isEnough(each, recheck))) {
        this.#checked.push({ assetNumber, from: recheck, findings: check(own, this.#settings, recheck) });
      } else unknown.push({ assetNumber, first: ALL });
    }
    return unknown;
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
