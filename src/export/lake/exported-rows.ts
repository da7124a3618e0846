// The days of each asset as an export writes them. The assets use the same memory, one after the other.

import { finish } from '../../common/steps.ts';
import type { AssetNumber } from '../../domain/asset.ts';
import { type BarColumns, barColumns } from '../../domain/bar.ts';
import { type Column, isOptional } from '../../domain/columns.ts';
import { BARS } from '../../domain/datasets.ts';
import { MILLIS_PER_DAY } from '../../domain/day.ts';
import { baseOf, type Interval, type ListedInterval, startOfPeriod } from '../../domain/interval.ts';
import { barsRows } from '../../history/bars-table.ts';
import { coarserBars, coarserCloses } from '../../history/coarser-bars.ts';
import { isFactColumn } from '../../history/fact-history.ts';
import { historyRows } from '../../history/history-table.ts';
import type { ReturnSeries } from '../../indicators/return-series.ts';
import { sharedDoubleColumns } from '../../snapshot/columns/shared-memory.ts';
import { columnOf, type Rows } from '../../snapshot/table.ts';
import type { FactRecord, StoreView } from '../../store/store.ts';
import { type HistoryRequest, intervalOf, type Part, type PartAsset } from './plan.ts';

export interface RowsContext {
  readonly request: HistoryRequest;
  /** For the betas of a history. */
  readonly benchmark: ReturnSeries | null;
}

/** The periods of one asset. */
export interface ExportedRows extends Rows {
  readonly asset: PartAsset;
  /** The UTC days on which they start. */
  readonly days: Int32Array;
}

/** The rows of an asset are valid until those of the next are asked for. */
export async function* rowsOf(view: StoreView, part: Part, context: RowsContext): AsyncGenerator<ExportedRows> {
  const bars = await barsOf(view, part, context.request);
  for (const asset of part.assets) {
    const facts = needsFacts(context.request) ? await view.factsOf(asset.assetNumber) : [];
    const table = tableOf(asset, bars.get(asset.assetNumber) ?? barColumns(0), facts, context);
    bars.delete(asset.assetNumber);
    yield { asset, days: startDays(table), ...table };
  }
}

/** Read in the order of the asset numbers, in which the store reads fastest. */
async function barsOf(
  view: StoreView,
  { assets }: Part,
  request: HistoryRequest,
): Promise<Map<AssetNumber, BarColumns>> {
  const found = new Map<AssetNumber, BarColumns>();
  // Only optional columns are computed from the others.
  const needsClosesOnly = request.dataset !== BARS.name && request.inclCols === '';
  const interval = intervalOf(request);
  const series = view.series(baseOf(interval));
  for (const { assetNumber, firstDay, lastDay } of assets.toSorted((a, b) => a.assetNumber - b.assetNumber)) {
    if (needsClosesOnly) {
      const { closes } = await series.publishedCloses(assetNumber, firstDay, lastDay);
      if (closes !== null) found.set(assetNumber, { ...barColumns(0), ...coarserCloses(closes, interval) });
    } else {
      const { bars } = await series.publishedBars(assetNumber, firstDay, lastDay);
      if (bars !== null) found.set(assetNumber, coarserBars(bars, interval));
    }
  }
  return found;
}

function needsFacts({ dataset, inclCols }: HistoryRequest): boolean {
  return dataset !== BARS.name && inclCols.split(',').some(isFactColumn);
}

function tableOf(
  asset: PartAsset,
  bars: BarColumns,
  facts: readonly FactRecord[],
  { request, benchmark }: RowsContext,
): Rows {
  const interval = intervalOf(request);
  if (request.dataset === BARS.name) return barsRows(bars, interval, reusedColumns);
  // Histories have no months.
  const listed = interval as ListedInterval;
  const { dataset, columns, rows } = finish(historyRows(asset.symbol, bars, benchmark, reusedColumns, listed, facts));
  const included = request.inclCols.split(',');
  const isWritten = (column: Column) => !isOptional(column) || included.includes(column.name);
  return {
    dataset: { ...dataset, columns: dataset.columns.filter(isWritten) },
    columns: columns.filter((_, i) => isWritten(dataset.columns[i]!)),
    rows,
  };
}

function startDays(table: Rows): Int32Array {
  const { values, interval } = columnOf(table, 'datetimeUTC', 'day');
  return interval === '1d' ? values : Int32Array.from(values, period => dayOf(interval, period));
}

function dayOf(interval: Interval, period: number): number {
  return Math.floor(startOfPeriod(interval, period) / MILLIS_PER_DAY);
}

let memory: Float64Array<SharedArrayBuffer>[] = [];

/** V8 does not count shared memory, and would free that of each asset late. */
function reusedColumns(count: number, length: number): Float64Array<SharedArrayBuffer>[] {
  if (memory.length !== count || memory[0]!.length < length) memory = sharedDoubleColumns(count, length);
  return memory.map(column => column.subarray(0, length));
}

/** The rows that were asked for, per file. */
export function* spans(days: Int32Array, { from, to, partition }: HistoryRequest) {
  const start = from === null ? 0 : days.findLastIndex(day => day < from) + 1;
  const last = to === null ? days.length - 1 : days.findLastIndex(day => day <= to);
  for (let at = start; at <= last; ) {
    if (partition === 'none') {
      yield { name: '', from: at, to: last + 1 };
      return;
    }
    const year = new Date(days[at]! * MILLIS_PER_DAY).getUTCFullYear();
    const nextYear = Date.UTC(year + 1, 0) / MILLIS_PER_DAY;
    let end = at;
    while (end <= last && days[end]! < nextYear) end++;
    yield { name: `year=${year}/`, from: at, to: end };
    at = end;
  }
}
