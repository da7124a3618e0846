// The newest listing of an interval, kept from one publication to the next: of the assets that a publication has changed, only the closes
// that are new are read. The snapshot is the one that `pastSnapshot` builds of everything.

import type { AssetNumber } from '../domain/asset.ts';
import { baseOf, coarserPeriod, type ListedInterval, type Period, periodsPerYear } from '../domain/interval.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { STORED_COLUMNS } from '../publish/columns.ts';
import { computeRows } from '../publish/compute-rows.ts';
import { buildSnapshot, updateSnapshot } from '../snapshot/build/build.ts';
import type { SharedSnapshot } from '../snapshot/build/share.ts';
import type { CurrentRow, DailyCloses, Series, Store, StoreView } from '../store/store.ts';
import { CloseWindows } from './close-windows.ts';
import { coarserCloses } from './coarser-bars.ts';
import { type DenseCloses, joinedCloses, partOf } from './dense-bars.ts';
import { IntervalSeries, lastBasePeriod, type Spans } from './interval-series.ts';
import { historySpan } from './published-series.ts';
import { publishedSpans } from './published-spans.ts';

/** Closes before the newest one that a row is computed from. */
const PERIODS = STORED_COLUMNS.default.needs.closes;

export class UpdatedListing {
  readonly #interval: ListedInterval;
  readonly #activePeriods: number;
  readonly #windows: CloseWindows;
  #known: { readonly snapshot: SharedSnapshot; readonly factsVersion: number } | null = null;
  /** The assets with a row. */
  readonly #listed = new Set<AssetNumber>();

  /** `maxBytes`: for closes. */
  constructor(interval: ListedInterval, activePeriods: number, maxBytes: number) {
    this.#interval = interval;
    this.#activePeriods = activePeriods;
    this.#windows = new CloseWindows(PERIODS, maxBytes);
  }

  /** Of the closes that it keeps. */
  get bytes(): number {
    return this.#windows.bytes;
  }

  /** Of what the store has published now. */
  async next(store: Pick<Store, 'readConsistently'>): Promise<SharedSnapshot> {
    try {
      return await store.readConsistently(view => this.#next(view));
    } catch (error) {
      // The windows may be ahead of the snapshot.
      this.#forget();
      throw error;
    }
  }

  async #next(view: StoreView): Promise<SharedSnapshot> {
    const [interval, known] = [this.#interval, this.#known];
    const changes = await view.currentSince(known?.snapshot.version ?? 0);
    const changed = changes.rows.map(({ assetNumber }) => assetNumber);
    const spans = await publishedSpans(view, interval, changes.rows, historySpan, known === null ? undefined : changed);
    // A row cannot be taken out of a snapshot.
    const isGone = (asset: AssetNumber) => this.#listed.has(asset) && !spans.has(asset);
    if (known !== null && (changes.all || changed.some(isGone))) {
      this.#forget();
      return this.#next(view);
    }
    const rewritten = known && (await view.rewrittenSince(baseOf(interval), known.snapshot.version));
    for (const asset of rewritten?.keys() ?? []) this.#windows.forget(asset);
    const facts = await view.assetsSince(known?.factsVersion ?? 0);
    const rows = await this.#rows(view, spans);
    const input = {
      ...{ version: changes.version, columns: changes.columns, interval, activeDays: this.#activePeriods },
      ...{ rows, assets: facts.assets, someAssets: !facts.all, now: Date.now() },
    };
    const snapshot = known === null ? buildSnapshot(input) : updateSnapshot(known.snapshot, input);
    for (const { assetNumber } of rows) this.#listed.add(assetNumber);
    this.#known = { snapshot, factsVersion: facts.version };
    return snapshot;
  }

  async #rows(view: StoreView, spans: Spans): Promise<CurrentRow[]> {
    const series = view.series(baseOf(this.#interval));
    const reader = new NewCloses(series, this.#interval, spans, new Set(await view.pending()), this.#windows);
    return computeRows(reader, [...spans.keys()], { optional: null, perYear: periodsPerYear(this.#interval) });
  }

  #forget(): void {
    this.#known = null;
    this.#listed.clear();
    this.#windows.clear();
  }
}

/** Reads the closes that are not in the windows of their assets yet, and puts them there. */
class NewCloses {
  readonly #base: Pick<Series, 'closes' | 'bars' | 'publishedCloses'>;
  readonly #series: IntervalSeries;
  readonly #interval: ListedInterval;
  readonly #periodOf: (base: number) => number;
  readonly #spans: Spans;
  /** Assets whose stored bars may have changed since they were published. */
  readonly #pending: ReadonlySet<AssetNumber>;
  readonly #windows: CloseWindows;

  constructor(
    base: Pick<Series, 'closes' | 'bars' | 'publishedCloses'>,
    interval: ListedInterval,
    spans: Spans,
    pending: ReadonlySet<AssetNumber>,
    windows: CloseWindows,
  ) {
    this.#base = base;
    this.#series = new IntervalSeries(base, interval, spans);
    this.#interval = interval;
    this.#periodOf = coarserPeriod(baseOf(interval), interval);
    this.#spans = spans;
    this.#pending = pending;
    this.#windows = windows;
  }

  async closes(assets: readonly AssetNumber[]): Promise<DailyCloses> {
    const found = new Map<AssetNumber, DenseCloses>();
    const [behind, others]: [AssetNumber[], AssetNumber[]] = [[], []];
    let most = 0;
    for (const asset of assets) {
      const missing = this.#missing(asset);
      if (this.#pending.has(asset)) found.set(asset, await this.#published(asset, missing));
      else if (missing === PERIODS) others.push(asset);
      else {
        behind.push(asset);
        most = Math.max(most, missing);
      }
    }
    for (const [some, periods] of [
      [behind, most],
      [others, PERIODS],
    ] as const) {
      if (some.length === 0) continue;
      const read = await this.#series.closes(some, periods);
      for (const [i, asset] of some.entries()) found.set(asset, partOf(read, i));
    }
    return joinedCloses(assets.map(asset => this.#windows.extended(asset, found.get(asset)!))); // each was read
  }

  /** The periods since the newest close in the window of an asset; `PERIODS` if all that a row needs are to be read. */
  #missing(asset: AssetNumber): number {
    const window = this.#windows.of(asset);
    if (window === null) return PERIODS;
    const [first, last] = this.#span(asset);
    const missing = last - window.last;
    // Not if older bars have come, or the newest ones are gone.
    if (missing >= 0 && missing < PERIODS && first >= window.first) return missing;
    this.#windows.forget(asset);
    return PERIODS;
  }

  #span(asset: AssetNumber): [first: number, last: number] {
    const { first, last } = this.#spans.get(asset)!; // only these assets are asked for
    return [this.#periodOf(first), this.#periodOf(last)];
  }

  /** As they were published, one per period: of the newest and of so many periods before it. */
  async #published(asset: AssetNumber, periods: number): Promise<DenseCloses> {
    const base = this.#spans.get(asset)!;
    const [first, last] = this.#span(asset);
    const wanted = last - periods;
    const read = async (from: Period) => {
      const { closes } = await this.#base.publishedCloses(asset, from, base.last);
      return coarserCloses(closes!, this.#interval); // no version was asked for
    };
    const enough = wanted <= first ? base.first : ((lastBasePeriod(this.#interval, wanted - 1) + 1) as Period); // of the calendar
    const some = await read(enough);
    // Otherwise an older close is carried forward into the first of these periods.
    const isEnough = enough === base.first || some.day[0] === wanted;
    const { day, close } = isEnough ? some : await read(base.first);
    return { first, last, close: dailySeries(day, close).closes };
  }
}
