// The snapshot of a past day: the rows that the published bars up to that day give, and the assets that were active then.

import type { BarColumns } from '../domain/bar.ts';
import { type Day, LAST_DAY, MILLIS_PER_DAY } from '../domain/day.ts';
import { readBenchmark } from '../publish/benchmark.ts';
import { computedParts } from '../publish/compute-rows.ts';
import type { AssetFacts, BarStore, CurrentRow, Store, StoreView } from '../store/store.ts';
import { buildSnapshot } from './build.ts';
import type { SharedSnapshot } from './builder.ts';

/** Of one moment of the store, whose published version the snapshot has. */
export function pastSnapshot(store: Pick<Store, 'readConsistently'>, day: Day): Promise<SharedSnapshot> {
  return store.readConsistently(async view => {
    const { version, rows: current } = await view.currentSince(0);
    const { assets } = await view.assetsSince(0);
    const existed = current.filter(row => firstDayOf(row) <= day).map(({ key }) => key);
    const pending = new Set(await view.pending());
    const barsUntil = (last: Day) => publishedBarsUntil(view, current, pending, last);
    // The whole benchmark, as in a history: a row uses only the days up to its own.
    const { series } = await readBenchmark({ assets: () => view.assets(), ...barsUntil(LAST_DAY) });
    const rows: CurrentRow[] = [];
    for await (const part of computedParts(barsUntil(day), existed, series)) rows.push(...part.rows);
    const lastDays = new Map(current.map(row => [row.key, row.day]));
    return buildSnapshot({
      version,
      rows,
      assets: assets.map(asset => factsOn(asset, lastDays.get(asset.key), day)),
      now: day * MILLIS_PER_DAY,
      past: true,
    });
  });
}

function firstDayOf({ day, history }: CurrentRow): Day {
  return (day - history + 1) as Day; // the day of its first close
}

/** The bars that the current rows were computed from, as if there were none after a day. */
function publishedBarsUntil(
  view: StoreView,
  current: readonly CurrentRow[],
  pending: ReadonlySet<number>,
  last: Day,
): Pick<BarStore, 'bars'> {
  const rows = new Map(current.map(row => [row.key, row]));
  return {
    async bars(key, from): Promise<BarColumns> {
      const row = rows.get(key);
      // The bars of an asset that is not pending are all published.
      if (row === undefined || !pending.has(key)) return view.bars(key, from, last);
      const to = Math.min(last, row.day) as Day; // the smaller of two days
      return (await view.publishedBars(key, firstDayOf(row), to)).bars ?? view.bars(key, from, last);
    },
  };
}

/** A store does not know since when an asset is delisted. It was listed as long as it had closes. */
function factsOn(asset: AssetFacts, lastDay: number | undefined, day: Day): AssetFacts {
  const delisted = asset.delisted && lastDay !== undefined && lastDay < day;
  return { ...asset, delisted };
}
