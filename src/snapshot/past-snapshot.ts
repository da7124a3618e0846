// The snapshot of a past day: the rows that the published closes up to that day give, and the assets that were active then.

import { ACTIVE_DAYS } from '../domain/asset-state.ts';
import { type Day, MILLIS_PER_DAY } from '../domain/day.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { computeRows } from '../publish/publish-pending.ts';
import type { AssetFacts, CurrentRow, Store } from '../store/store.ts';
import { buildSnapshot } from './build.ts';
import type { SharedSnapshot } from './builder.ts';

/** Of one moment of the store, whose published version the snapshot has. */
export function pastSnapshot(
  store: Pick<Store, 'readConsistently'>,
  day: Day,
  activeDays = ACTIVE_DAYS,
): Promise<SharedSnapshot> {
  return store.readConsistently(async view => {
    const { version, rows: current } = await view.currentSince(0);
    const { assets } = await view.assetsSince(0);
    const pending = new Set(await view.pending());
    const existed = current.filter(row => firstDayOf(row) <= day);
    const settled = existed.filter(({ key }) => !pending.has(key)).map(({ key }) => key);
    const rows = await computeRows(view, settled, day);
    for (const row of existed) if (pending.has(row.key)) rows.push(...(await publishedRow(view, row, day)));
    const lastDays = new Map(current.map(row => [row.key, row.day]));
    return buildSnapshot({
      version,
      rows,
      assets: assets.map(asset => factsOn(asset, lastDays.get(asset.key), day)),
      now: day * MILLIS_PER_DAY,
      activeDays,
      past: true,
    });
  });
}

function firstDayOf({ day, history }: CurrentRow): number {
  return day - history + 1;
}

/** Of an asset whose bars may have changed since its row was published: from the closes that this row was computed from. */
async function publishedRow(view: Pick<Store, 'publishedCloses'>, row: CurrentRow, day: Day): Promise<CurrentRow[]> {
  const to = Math.min(day, row.day) as Day; // the smaller of two days
  const { closes } = await view.publishedCloses(row.key, firstDayOf(row) as Day, to); // a day, because the row has a close on it
  if (closes === null || closes.day.length === 0) return [];
  const series = dailySeries(closes.day, closes.close);
  const lastDay = series.firstDay + series.closes.length - 1;
  const dense = {
    starts: Uint32Array.of(0, series.closes.length),
    close: series.closes,
    firstDay: Int32Array.of(series.firstDay),
    lastDay: Int32Array.of(lastDay),
  };
  return computeRows({ closes: async keys => (keys.length === 0 ? NO_CLOSES : dense) }, [row.key]);
}

const NO_CLOSES = {
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
