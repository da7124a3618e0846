// The current rows of assets, computed from all their bars: the recursions of the optional columns start at the first close.

import type { AssetNumber } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import { CLOSES_PER_ROW, INDICATORS } from '../domain/columns.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../domain/day.ts';
import { PUBLISHED_COLUMNS } from '../domain/optional-columns.ts';
import { dailyBars } from '../indicators/calendar.ts';
import { currentRows, indicatorTable } from '../indicators/engine.ts';
import type { ReturnSeries } from '../indicators/kernels/beta.ts';
import { type ComputedName, optionalColumns, optionalTable } from '../indicators/optional.ts';
import type { BarStore, CurrentPart, CurrentRow } from '../store/store.ts';

/** Assets at a time: their whole histories are in memory. */
const CHUNK = 128;

const OPTIONAL_NAMES = PUBLISHED_COLUMNS.slice(INDICATORS.length).map(
  ({ name }) => name as ComputedName, // the published columns after the indicators are computed ones
);

/** Assets without bars have no row. */
export async function* computedParts(
  store: Pick<BarStore, 'bars'>,
  keys: readonly AssetNumber[],
  benchmark: ReturnSeries | null,
): AsyncGenerator<CurrentPart, void, undefined> {
  let next = barsFrom(store, keys, 0);
  for (let from = 0; from < keys.length; from += CHUNK) {
    const bars = await next;
    // A database in a process of its own reads them while these are worked on.
    next = barsFrom(store, keys, from + CHUNK);
    const rows: CurrentRow[] = [];
    const removed: AssetNumber[] = [];
    for (const [i, own] of bars.entries()) {
      const key = keys[from + i]!;
      if (own.day.length === 0) removed.push(key);
      else rows.push(rowOf(key, own, benchmark));
    }
    yield { rows, removed };
  }
}

function barsFrom(store: Pick<BarStore, 'bars'>, keys: readonly AssetNumber[], from: number): Promise<BarColumns[]> {
  const bars = Promise.all(keys.slice(from, from + CHUNK).map(key => store.bars(key, FIRST_DAY, LAST_DAY)));
  // The await reports a failure; when an earlier chunk failed, nothing awaits this one, and its failure must not end the process.
  bars.catch(() => {});
  return bars;
}

/** One row at a time: their memory is reused. */
const indicators = indicatorTable(1);
const optional = optionalTable(1);

function rowOf(key: AssetNumber, bars: BarColumns, benchmark: ReturnSeries | null): CurrentRow {
  const daily = dailyBars(bars);
  const { closes, firstDay } = daily;
  const recent = closes.subarray(-CLOSES_PER_ROW);
  currentRows({ closes: recent, starts: Uint32Array.of(0, recent.length) }, indicators);
  optionalColumns(daily, benchmark, closes.length - 1, optional);
  const values = new Float64Array(PUBLISHED_COLUMNS.length);
  for (let i = 0; i < INDICATORS.length; i++) values[i] = indicators[i]![0]!;
  for (const [i, name] of OPTIONAL_NAMES.entries()) values[INDICATORS.length + i] = optional[name][0]!;
  const day = (firstDay + closes.length - 1) as Day; // only days from the domain are ever stored
  return { key, day, history: closes.length, price: closes.at(-1)!, values };
}
