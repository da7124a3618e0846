// The snapshot of a past day: the rows that the published bars up to that day give, and the assets that were active then.

import { ACTIVE_DAYS } from '../domain/asset-state.ts';
import type { BarColumns } from '../domain/bar.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { type Day, MILLIS_PER_DAY } from '../domain/day.ts';
import { dailyBars } from '../indicators/calendar.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import { publishedBenchmark } from '../publish/benchmark.ts';
import { computeRows } from '../publish/compute-rows.ts';
import { OptionalValues } from '../publish/optional-values.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import type { SharedSnapshot } from '../snapshot/build/builder.ts';
import type { AssetFacts, CurrentRow, DailyBarBatch, Store } from '../store/store.ts';

/** A snapshot that is built on request. */
export interface PastDay {
  /** Null: of the newest publication. */
  readonly day: Day | null;
  /** With the optional columns. */
  readonly optional: boolean;
  /** With the inactive assets in the listing. */
  readonly inactive: boolean;
}

/** Of one moment of the store, whose published version the snapshot has. With the optional columns it takes several times as long. */
export function pastSnapshot(
  store: Pick<Store, 'readConsistently'>,
  { day: wanted, optional, inactive }: PastDay,
  activeDays = ACTIVE_DAYS,
): Promise<SharedSnapshot> {
  return store.readConsistently(async view => {
    const published = await view.currentSince(0);
    const { version, columns, rows: current } = published;
    const { assets } = await view.assetsSince(0);
    const common = { version, columns, activeDays, listInactive: inactive };
    if (wanted === null && (!optional || hasOptional(current)))
      return buildSnapshot({ ...common, rows: current, assets, now: Date.now() });
    const day = wanted ?? newestDay(current);
    const pending = new Set(await view.pending());
    const existed = current.filter(row => firstDayOf(row) <= day);
    const settled = existed
      .filter(({ assetNumber }) => !pending.has(assetNumber))
      .map(({ assetNumber }) => assetNumber);
    const values = optional ? optionalValues(await publishedBenchmark(view, published), day) : () => null;
    const rows = await computeRows(view, settled, { optional: values(view), until: day });
    for (const row of existed)
      if (pending.has(row.assetNumber)) rows.push(...(await publishedRow(view, row, day, values)));
    if (wanted === null) return buildSnapshot({ ...common, rows, assets, now: Date.now() });
    const lastDays = new Map(current.map(row => [row.assetNumber, row.day]));
    return buildSnapshot({
      ...common,
      rows,
      assets: assets.map(asset => factsOn(asset, lastDays.get(asset.assetNumber), day)),
      now: day * MILLIS_PER_DAY,
      past: true,
    });
  });
}

/** How optional values are computed from the bars of a store. */
type ValuesFrom = (store: Pick<Store, 'dailyBars'>) => OptionalValues | null;

function optionalValues(benchmark: ReturnSeries | null, day: Day): ValuesFrom {
  return store => new OptionalValues(store, { benchmark, until: day });
}

function hasOptional(rows: readonly CurrentRow[]): boolean {
  return rows.every(({ values }) => values.length > INDICATORS.length);
}

function newestDay(rows: readonly CurrentRow[]): Day {
  return rows.reduce((newest, { day }) => Math.max(newest, day), 0) as Day; // rows have days
}

function firstDayOf({ day, history }: CurrentRow): number {
  return day - history + 1;
}

/** Of an asset whose bars may have changed since its row was published: from the bars that this row was computed from. */
async function publishedRow(
  view: Pick<Store, 'publishedBars'>,
  row: CurrentRow,
  day: Day,
  values: ValuesFrom,
): Promise<CurrentRow[]> {
  const to = Math.min(day, row.day) as Day; // the smaller of two days
  const { bars } = await view.publishedBars(row.assetNumber, firstDayOf(row) as Day, to); // a day, because the row has a close on it
  if (bars === null || bars.day.length === 0) return [];
  const dense = denseBars(bars);
  const own = {
    closes: async (assetNumbers: readonly number[]) => (assetNumbers.length === 0 ? NO_BARS : dense),
    dailyBars: async () => dense,
  };
  return computeRows(own, [row.assetNumber], { optional: values(own) });
}

function denseBars(bars: BarColumns): DailyBarBatch {
  const { firstDay, closes, opens, highs, lows, volumes } = dailyBars(bars);
  return {
    starts: Uint32Array.of(0, closes.length),
    ...{ close: closes, open: opens, high: highs, low: lows, volume: volumes },
    firstDay: Int32Array.of(firstDay),
    lastDay: Int32Array.of(firstDay + closes.length - 1),
  };
}

const NO_BARS = {
  starts: new Uint32Array(1),
  close: new Float64Array(),
  firstDay: new Int32Array(),
  lastDay: new Int32Array(),
};

/** A store does not know since when an asset is delisted. It was listed as long as it had closes. */
function factsOn(asset: AssetFacts, lastDay: number | undefined, day: Day): AssetFacts {
  const delisted = asset.delisted && lastDay !== undefined && lastDay < day;
  return { ...asset, delisted };
}
