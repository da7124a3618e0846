// The snapshot of a past moment, of another interval, or with the inactive assets: the rows that the published bars up to that moment
// give, and the assets that were active then.

import { type ActivePeriods, activePeriods } from '../domain/active-periods.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import {
  baseOf,
  coarserPeriod,
  type ListedInterval,
  type Period,
  periodsPerYear,
  startOfPeriod,
} from '../domain/interval.ts';
import { dailyBars, dailySeries } from '../indicators/calendar.ts';
import { benchmarkOf, type ReturnSeries } from '../indicators/return-series.ts';
import { benchmarkRow } from '../publish/benchmark.ts';
import { STORED_COLUMNS } from '../publish/columns.ts';
import { computeRows } from '../publish/compute-rows.ts';
import { OptionalValues } from '../publish/optional-values.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import type { SharedSnapshot } from '../snapshot/build/builder.ts';
import type { AssetFacts, CurrentChanges, CurrentRow, DailyBarBatch, Store, StoreView } from '../store/store.ts';
import { coarserBars, coarserCloses } from './coarser-bars.ts';
import { IntervalSeries, lastBasePeriod, type Spans } from './interval-series.ts';
import { historySpan, type Span } from './published-series.ts';

/** A snapshot that is built on request. */
export interface PastDay {
  readonly interval: ListedInterval;
  /** The last period of its rows; null: of the newest publication. */
  readonly day: Period | null;
  /** With the optional columns. */
  readonly optional: boolean;
  /** With the inactive assets in the listing. */
  readonly inactive: boolean;
}

/** Of one moment of the store, whose published version the snapshot has. With the optional columns it takes several times as long. */
export function pastSnapshot(
  store: Pick<Store, 'readConsistently'>,
  { interval, day: wanted, optional, inactive }: PastDay,
  active: ActivePeriods = activePeriods(),
): Promise<SharedSnapshot> {
  return store.readConsistently(async view => {
    const published = await view.currentSince(0);
    const { version, columns, rows: current } = published;
    const { assets } = await view.assetsSince(0);
    const common = { version, columns, interval, activeDays: active[interval], listInactive: inactive };
    if (interval === '1d' && wanted === null && (!optional || hasOptional(current)))
      return buildSnapshot({ ...common, rows: current, assets, now: Date.now() });
    const spans = await spansOf(view, interval, current);
    const reader = new RowReader(view, interval, spans, wanted);
    const benchmark = optional ? await benchmarkIn(view, published, interval, spans) : null;
    const rows = await reader.rows(new Set(await view.pending()), optional, benchmark);
    if (wanted === null) return buildSnapshot({ ...common, rows, assets, now: Date.now() });
    const periodOf = coarserPeriod(baseOf(interval), interval);
    return buildSnapshot({
      ...common,
      rows,
      assets: assets.map(asset => factsIn(asset, spans.get(asset.assetNumber), periodOf, wanted)),
      now: Math.max(0, startOfPeriod(interval, wanted)),
      past: true,
    });
  });
}

/** The published histories of the assets, as periods of the base. */
async function spansOf(view: StoreView, interval: ListedInterval, rows: readonly CurrentRow[]): Promise<Spans> {
  const base = baseOf(interval);
  if (base === '1d') {
    // A day, because the row has a close on it.
    return new Map(rows.map(row => [row.assetNumber, { first: (row.day - row.history + 1) as Period, last: row.day }]));
  }
  const { assetNumber, first, last } = await view.series(base).publishedSpans();
  // Periods of the store.
  const span = (i: number) => historySpan(interval, { first: first[i] as Period, last: last[i] as Period });
  return new Map(Array.from(assetNumber, (asset, i) => [asset, span(i)]));
}

/** As the published rows have it, whatever was loaded since. */
async function benchmarkIn(
  view: StoreView,
  published: Pick<CurrentChanges, 'rows' | 'columns'>,
  interval: ListedInterval,
  spans: Spans,
): Promise<ReturnSeries | null> {
  const row = await benchmarkRow(view, published);
  const span = row && spans.get(row.assetNumber);
  if (row === undefined || span === undefined) return null;
  const read = await view.series(baseOf(interval)).publishedCloses(row.assetNumber, span.first, span.last);
  const { day, close } = coarserCloses(read.closes ?? { day: new Int32Array(), close: new Float64Array() }, interval);
  return day.length === 0 ? null : benchmarkOf(dailySeries(day, close));
}

function hasOptional(rows: readonly CurrentRow[]): boolean {
  return rows.every(({ values }) => values.length > INDICATORS.length);
}

/** How optional values are computed from the bars of a store. */
type ValuesFrom = (store: Pick<Store, 'dailyBars'>) => OptionalValues | null;

/** Computes the rows of a moment. */
class RowReader {
  readonly #view: StoreView;
  readonly #interval: ListedInterval;
  readonly #spans: Spans;
  readonly #perYear: number;
  /** The last period, and the last one of the base; null: the newest. */
  readonly #until: Period | null;
  readonly #untilBase: Period | null;

  constructor(view: StoreView, interval: ListedInterval, spans: Spans, until: Period | null) {
    this.#view = view;
    this.#interval = interval;
    this.#spans = spans;
    this.#perYear = periodsPerYear(interval);
    this.#until = until;
    this.#untilBase = until === null ? null : lastBasePeriod(interval, until);
  }

  async rows(
    pending: ReadonlySet<AssetNumber>,
    optional: boolean,
    benchmark: ReturnSeries | null,
  ): Promise<CurrentRow[]> {
    const until = this.#until === null ? {} : { until: this.#until };
    const existed = [...this.#spans].filter(([, { first }]) => first <= (this.#untilBase ?? first));
    const settled = existed.filter(([asset]) => !pending.has(asset)).map(([asset]) => asset);
    const options = { benchmark, perYear: this.#perYear, ...until };
    const values: ValuesFrom = store => (optional ? new OptionalValues(store, options) : null);
    const series = this.#interval === '1d' ? this.#view : this.#series();
    const rows = await computeRows(series, settled, { optional: values(series), perYear: this.#perYear, ...until });
    for (const [asset, span] of existed) {
      if (pending.has(asset)) rows.push(...(await this.#publishedRow(asset, span, optional, values)));
    }
    return rows;
  }

  #series(): IntervalSeries {
    return new IntervalSeries(this.#view, this.#interval, this.#spans);
  }

  /** Of an asset whose bars may have changed since its row was published: from the bars that this row was computed from. */
  async #publishedRow(asset: AssetNumber, span: Span, optional: boolean, values: ValuesFrom): Promise<CurrentRow[]> {
    const dense = await this.#publishedBars(asset, span, optional);
    if (dense === null) return [];
    const own = {
      closes: async (assetNumbers: readonly number[]) => (assetNumbers.length === 0 ? NO_BARS : dense),
      dailyBars: async () => dense,
    };
    return computeRows(own, [asset], { optional: values(own), perYear: this.#perYear });
  }

  /** Without the optional columns, only the periods that a row is computed from. */
  async #publishedBars(asset: AssetNumber, { first, last }: Span, whole: boolean): Promise<DailyBarBatch | null> {
    const to = Math.min(this.#untilBase ?? last, last) as Period; // the smaller of two periods
    const periodOf = coarserPeriod(baseOf(this.#interval), this.#interval);
    const oldest = periodOf(to) - STORED_COLUMNS.default.needs.closes;
    const enough = oldest <= periodOf(first) ? first : ((lastBasePeriod(this.#interval, oldest) + 1) as Period);
    const read = async (from: Period) => {
      const { bars } = await this.#view.series(baseOf(this.#interval)).publishedBars(asset, from, to);
      return bars === null || bars.day.length === 0 ? null : coarserBars(bars, this.#interval);
    };
    const some = whole ? null : await read(enough);
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
