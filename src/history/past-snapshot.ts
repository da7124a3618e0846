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
  /**
   * The rows that the assets of that listing had so many periods before their own: `listed` finds them by asset number, ascending, and
   * the texts are not those of the assets.
   */
  readonly lag?: number;
}

/** Of one moment of the store, whose published version the snapshot has. With the optional columns it takes several times as long. */
export function pastSnapshot(
  store: Pick<Store, 'readConsistently'>,
  { day: wanted, optional, inactive, lag = 0 }: PastDay,
  activeDays = ACTIVE_DAYS,
): Promise<SharedSnapshot> {
  return store.readConsistently(async view => {
    const published = await view.currentSince(0);
    const { version, columns, rows: current } = published;
    const { assets } = await view.assetsSince(0);
    const common = { version, columns, activeDays, listInactive: inactive };
    if (wanted === null && lag === 0 && (!optional || hasOptional(current)))
      return buildSnapshot({ ...common, rows: current, assets, now: Date.now() });
    const day = wanted ?? newestDay(current);
    const pending = new Set(await view.pending());
    const existed = current.filter(row => firstDayOf(row) <= day);
    const values = optional ? optionalValues(await publishedBenchmark(view, published)) : () => null;
    const rows: CurrentRow[] = [];
    const oldest = (newest: number) => (inactive ? 0 : newest - activeDays);
    const groups =
      lag === 0 ? [[day, existed] as const] : await lagGroups(view, existed, pending, { day, lag, oldest });
    for (const [until, group] of groups) {
      const settled = group
        .filter(({ assetNumber }) => !pending.has(assetNumber))
        .map(({ assetNumber }) => assetNumber);
      rows.push(...(await computeRows(view, settled, { optional: values(view, until), until })));
      for (const row of group)
        if (pending.has(row.assetNumber)) rows.push(...(await publishedRow(view, row, until, values)));
    }
    if (lag > 0) {
      const then = { ...common, listInactive: true, now: day * MILLIS_PER_DAY, past: true };
      return buildSnapshot({ ...then, rows, assets: assets.map(unnamed) });
    }
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
type ValuesFrom = (store: Pick<Store, 'dailyBars'>, until?: Day) => OptionalValues | null;

function optionalValues(benchmark: ReturnSeries | null): ValuesFrom {
  return (store, until) => new OptionalValues(store, { benchmark, ...(until === undefined ? {} : { until }) });
}

/** Assets at a time whose latest day is asked for. */
const CHUNK = 1024;

/** The rows so many periods before those of the listing of a day, by the day until which each is computed. */
async function lagGroups(
  view: Pick<Store, 'closes' | 'publishedCloses'>,
  existed: readonly CurrentRow[],
  pending: ReadonlySet<number>,
  { day, lag, oldest }: { readonly day: Day; readonly lag: number; readonly oldest: (newest: number) => number },
): Promise<ReadonlyMap<Day, CurrentRow[]>> {
  const own = new Map(existed.map(row => [row, row.day as number]));
  for (const row of existed.filter(({ assetNumber, day: last }) => last > day && pending.has(assetNumber))) {
    const { closes } = await view.publishedCloses(row.assetNumber, firstDayOf(row) as Day, day); // the day of a close
    own.set(row, closes?.day.at(-1) ?? day);
  }
  const later = existed.filter(({ assetNumber, day: last }) => last > day && !pending.has(assetNumber));
  for (let from = 0; from < later.length; from += CHUNK) {
    const chunk = later.slice(from, from + CHUNK);
    const numbers = chunk.map(({ assetNumber }) => assetNumber);
    const { lastDay } = await view.closes(numbers, 0, day);
    for (const [i, row] of chunk.entries()) own.set(row, lastDay[i]!);
  }
  const listed = oldest(own.values().reduce((newest, last) => Math.max(newest, last), 0));
  const groups = new Map<Day, CurrentRow[]>();
  for (const [row, last] of own) {
    const until = (last - lag) as Day; // if it is not before the first day of the asset
    if (last < listed || until < firstDayOf(row)) continue;
    const group = groups.get(until) ?? [];
    groups.set(until, group);
    group.push(row);
  }
  return groups;
}

/** With a text that sorts as its number does: a ticker that several assets share must not hide one. */
function unnamed({ assetNumber, ...asset }: AssetFacts): AssetFacts {
  const text = String(assetNumber).padStart(10, '0');
  return { ...asset, assetNumber, id: text, symbol: text, name: '', type: null, tags: '' };
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
