// The snapshot of a past moment, of another interval, in another quote, or with the inactive assets: the rows that the published bars up
// to that moment give, and the assets that were active then.

import { type ActivePeriods, activePeriods } from '../domain/active-periods.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import {
  baseOf,
  coarserPeriod,
  isFinerThanDay,
  type ListedInterval,
  type Period,
  periodsPerYear,
  startOfPeriod,
} from '../domain/interval.ts';
import { dailyBars } from '../indicators/calendar.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import { STORED_COLUMNS } from '../publish/columns.ts';
import { computeRows } from '../publish/compute-rows.ts';
import { OptionalValues } from '../publish/optional-values.ts';
import { readQuality } from '../publish/read-quality.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import type { SharedSnapshot } from '../snapshot/build/share.ts';
import { PastFacts } from '../snapshot/columns/past-facts.ts';
import type { AssetFacts, CurrentRow, DailyBarBatch, Series, Store, StoreView } from '../store/store.ts';
import { coarserBars } from './coarser-bars.ts';
import { factDay } from './fact-history.ts';
import { IntervalSeries, lastBasePeriod, type Spans } from './interval-series.ts';
import type { Span } from './known-spans.ts';
import { intervalBenchmark, publishedQuote, publishedSpans } from './published-spans.ts';
import type { QuoteCloses } from './quote-closes.ts';
import { SettledSeries } from './quoted-series.ts';

/** A snapshot that is built on request. */
export interface PastDay {
  readonly interval: ListedInterval;
  /** The last period of its rows; null: of the newest publication. */
  readonly day: Period | null;
  /** With the optional columns. */
  readonly optional: boolean;
  /** With the inactive assets in the listing. */
  readonly inactive: boolean;
  /** The asset that prices are divided by; null or absent: they are in dollars. */
  readonly quote?: AssetNumber | null;
  /**
   * The rows that the assets of that listing had so many periods before their own: `listed` finds them by asset number, ascending, and
   * the texts are not those of the assets.
   */
  readonly lag?: number;
}

/** Of one moment of the store, whose published version the snapshot has. With the optional columns it takes several times as long. */
export function pastSnapshot(
  store: Pick<Store, 'readConsistently'>,
  { interval, day: wanted, optional, inactive, quote = null, lag = 0 }: PastDay,
  active: ActivePeriods = activePeriods(),
): Promise<SharedSnapshot> {
  return store.readConsistently(async view => {
    const published = await view.currentSince(0);
    const { version, columns, rows: current } = published;
    const { assets } = await view.assetsSince(0);
    const common = { version, columns, interval, activeDays: active[interval], listInactive: inactive };
    const isPublished = interval === '1d' && wanted === null && lag === 0 && quote === null;
    if (isPublished && (!optional || hasOptional(current)))
      return buildSnapshot({ ...common, rows: current, assets, now: Date.now(), quality: await readQuality(view) });
    const spans = await publishedSpans(view, interval, current);
    const closes = quote === null ? null : await publishedQuote(view, interval, spans, quote);
    const series = baseSeries(view, interval, closes);
    const benchmark = optional ? await intervalBenchmark(view, published, interval, spans, series) : null;
    const pending = new Set(await view.pending());
    const reader = new RowReader(series, interval, spans, pending, { optional, benchmark, quote: closes });
    if (lag > 0) {
      const oldest = (newest: number) => (inactive ? 0 : newest - active[interval]);
      const earlier = await reader.earlierRows(wanted, lag, oldest);
      const now = wanted === null ? Date.now() : Math.max(0, startOfPeriod(interval, wanted));
      return buildSnapshot({
        ...{ ...common, listInactive: true, now, past: await pastFacts(view, interval, earlier, quote) },
        ...{ rows: earlier, assets: assets.map(unnamed) },
      });
    }
    const rows = await reader.rows([...spans.keys()], wanted);
    if (wanted === null) {
      const quality = interval === '1d' ? { quality: await readQuality(view) } : {};
      return buildSnapshot({ ...common, rows, assets, now: Date.now(), ...quality });
    }
    const periodOf = coarserPeriod(baseOf(interval), interval);
    return buildSnapshot({
      ...common,
      rows,
      assets: assets.map(asset => factsIn(asset, spans.get(asset.assetNumber), periodOf, wanted)),
      now: Math.max(0, startOfPeriod(interval, wanted)),
      past: await pastFacts(view, interval, rows, quote),
    });
  });
}

/** What rows are computed from. */
type RowSeries = Pick<Series, 'closes' | 'dailyBars' | 'bars' | 'publishedBars' | 'publishedCloses'>;

function baseSeries(view: StoreView, interval: ListedInterval, quote: QuoteCloses | null): RowSeries {
  const series = view.series(baseOf(interval));
  return quote === null ? series : new SettledSeries(series, quote);
}

/** Those of the days of the rows, as `ta-hist` has them. */
async function pastFacts(
  view: StoreView,
  interval: ListedInterval,
  rows: readonly CurrentRow[],
  quote: AssetNumber | null,
): Promise<PastFacts> {
  const assets = rows.map(row => row.assetNumber);
  const days = rows.map(row => factDay(interval, row.day));
  const facts = await view.factsOn(assets, days);
  // The market capitalisation of a day is not that of its hours, and it is in dollars.
  if (isFinerThanDay(interval) || quote !== null) facts.marketCap.fill(Number.NaN);
  return new PastFacts(assets, facts);
}

function hasOptional(rows: readonly CurrentRow[]): boolean {
  return rows.every(({ values }) => values.length > INDICATORS.length);
}

/** How optional values are computed from the bars of a store. */
type ValuesFrom = (store: Pick<Store, 'dailyBars'>) => OptionalValues | null;

/** Assets at a time whose latest period is asked for. */
const CHUNK = 1024;

interface ReaderOptions {
  readonly optional: boolean;
  readonly benchmark: ReturnSeries | null;
  readonly quote: QuoteCloses | null;
}

/** Computes the rows of a moment. */
class RowReader {
  readonly #base: RowSeries;
  readonly #interval: ListedInterval;
  readonly #spans: Spans;
  readonly #pending: ReadonlySet<AssetNumber>;
  readonly #options: ReaderOptions;
  readonly #perYear: number;
  readonly #periodOf: (base: number) => number;

  constructor(
    base: RowSeries,
    interval: ListedInterval,
    spans: Spans,
    pending: ReadonlySet<AssetNumber>,
    options: ReaderOptions,
  ) {
    this.#base = base;
    this.#interval = interval;
    this.#spans = spans;
    this.#pending = pending;
    this.#options = options;
    this.#perYear = periodsPerYear(interval);
    this.#periodOf = coarserPeriod(baseOf(interval), interval);
  }

  /** Of these assets, those that had a close up to a period; null: the newest. */
  async rows(assets: readonly AssetNumber[], period: Period | null): Promise<CurrentRow[]> {
    const until = period === null ? {} : { until: period };
    const last = period === null ? Number.POSITIVE_INFINITY : lastBasePeriod(this.#interval, period);
    const existed = assets.filter(asset => this.#spans.get(asset)!.first <= last); // of the same map
    const settled = existed.filter(asset => !this.#pending.has(asset));
    const { optional, benchmark } = this.#options;
    const options = { benchmark, perYear: this.#perYear, ...until };
    const values: ValuesFrom = store => (optional ? new OptionalValues(store, options) : null);
    const series = this.#interval === '1d' ? this.#base : this.#series();
    const rows = await computeRows(series, settled, { optional: values(series), perYear: this.#perYear, ...until });
    for (const asset of existed) {
      if (this.#pending.has(asset)) rows.push(...(await this.#publishedRow(asset, last, values)));
    }
    return rows;
  }

  /** Of each asset that is listed, the row so many periods before its own. `oldest`: of a listed one, given the newest. */
  async earlierRows(wanted: Period | null, lag: number, oldest: (newest: number) => number): Promise<CurrentRow[]> {
    const own = await this.#lastPeriods(wanted);
    const listed = oldest(own.values().reduce((newest, last) => Math.max(newest, last), 0));
    const groups = new Map<Period, AssetNumber[]>();
    for (const [asset, last] of own) {
      const until = (last - lag) as Period; // if it is not before the first one of the asset
      if (last < listed || until < this.#periodOf(this.#spans.get(asset)!.first)) continue;
      const group = groups.get(until) ?? [];
      groups.set(until, group);
      group.push(asset);
    }
    const rows: CurrentRow[] = [];
    for (const [until, group] of groups) {
      // One by one: a group can have more rows than a call takes as arguments.
      for (const row of await this.rows(group, until)) rows.push(row);
    }
    return rows;
  }

  /** The period of the latest close of each asset, up to one that is wanted. */
  async #lastPeriods(wanted: Period | null): Promise<ReadonlyMap<AssetNumber, number>> {
    const own = new Map<AssetNumber, number>();
    const later: AssetNumber[] = [];
    const end = wanted === null ? Number.POSITIVE_INFINITY : lastBasePeriod(this.#interval, wanted);
    for (const [asset, { first, last }] of this.#spans) {
      if (first > end) continue;
      if (last <= end && this.#options.quote === null) own.set(asset, this.#periodOf(last));
      else if (this.#pending.has(asset)) {
        const until = Math.min(end, last) as Period; // one of two
        const { closes } = await this.#base.publishedCloses(asset, first, until);
        const newest = closes?.day.at(-1);
        if (newest !== undefined) own.set(asset, this.#periodOf(newest));
      } else later.push(asset);
    }
    for (let from = 0; from < later.length; from += CHUNK) {
      const chunk = later.slice(from, from + CHUNK);
      const { starts, lastDay } = await this.#series().closes(chunk, 0, wanted ?? undefined);
      for (const [i, asset] of chunk.entries()) if (starts[i + 1]! > starts[i]!) own.set(asset, lastDay[i]!);
    }
    return own;
  }

  #series(): IntervalSeries {
    return new IntervalSeries(this.#base, this.#interval, this.#spans);
  }

  /** Of an asset whose bars may have changed since its row was published: from the bars that this row was computed from. */
  async #publishedRow(asset: AssetNumber, until: number, values: ValuesFrom): Promise<CurrentRow[]> {
    const dense = await this.#publishedBars(asset, until);
    if (dense === null) return [];
    const own = {
      closes: async (assetNumbers: readonly number[]) => (assetNumbers.length === 0 ? NO_BARS : dense),
      dailyBars: async () => dense,
    };
    return computeRows(own, [asset], { optional: values(own), perYear: this.#perYear });
  }

  /** Without the optional columns, only the periods that a row is computed from. */
  async #publishedBars(asset: AssetNumber, until: number): Promise<DailyBarBatch | null> {
    const { first, last } = this.#spans.get(asset)!; // the asset is one of them
    const to = Math.min(until, last) as Period; // the smaller of two periods
    const periodOf = this.#periodOf;
    const oldest = periodOf(to) - STORED_COLUMNS.default.needs.closes;
    const enough = oldest <= periodOf(first) ? first : ((lastBasePeriod(this.#interval, oldest) + 1) as Period);
    const read = async (from: Period) => {
      const { bars } = await this.#base.publishedBars(asset, from, to);
      return bars === null || bars.day.length === 0 ? null : coarserBars(bars, this.#interval);
    };
    const { optional, quote } = this.#options;
    // In a quote, the first bar may be a later one.
    const some = optional || quote !== null ? null : await read(enough);
    // A close that is older may have been carried forward into the first of these periods.
    const isEnough = some !== null && (enough === first || some.day[0]! <= oldest + 1);
    const bars = isEnough ? some : await read(first);
    if (bars === null) return null;
    const { firstDay, closes, opens, highs, lows, volumes } = dailyBars(bars);
    return {
      starts: Uint32Array.of(0, closes.length),
      ...{ close: closes, open: opens, high: highs, low: lows, volume: volumes },
      firstDay: Int32Array.of(isEnough ? periodOf(first) : firstDay),
      lastDay: Int32Array.of(firstDay + closes.length - 1),
    };
  }
}

const NO_BARS = {
  starts: new Uint32Array(1),
  close: new Float64Array(),
  firstDay: new Int32Array(),
  lastDay: new Int32Array(),
};

/** A store does not know since when an asset is delisted. It was listed as long as it had closes. */
function factsIn(
  asset: AssetFacts,
  span: Span | undefined,
  periodOf: (base: number) => number,
  period: Period,
): AssetFacts {
  const delisted = asset.delisted && span !== undefined && periodOf(span.last) < period;
  return { ...asset, delisted };
}

/** With a text that sorts as its number does: a ticker that several assets share must not hide one. */
function unnamed({ assetNumber, ...asset }: AssetFacts): AssetFacts {
  const text = String(assetNumber).padStart(10, '0');
  return { ...asset, assetNumber, id: text, symbol: text, name: '', type: null, tags: '' };
}
