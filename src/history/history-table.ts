// The table of `ta-hist`: one row per period of one asset, from its first close to its latest.

import { finish, type Steps } from '../common/steps.ts';
import { tickerKey } from '../domain/asset-state.ts';
import type { BarColumns } from '../domain/bar.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { isOptional } from '../domain/columns.ts';
import { TA_HIST } from '../domain/datasets.ts';
import { FIRST_DAY } from '../domain/day.ts';
import { type ListedInterval, periodsPerYear } from '../domain/interval.ts';
import { type DailySeries, dailyBars, dailySeries } from '../indicators/calendar.ts';
import { dailyRowsInSteps } from '../indicators/engine.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import {
  consecutive,
  type ExternalMemory,
  externalMemory,
  rowNumbers,
  sharedDoubleColumns,
  sharedDoubles,
} from '../snapshot/columns/shared-memory.ts';
import { repeatText } from '../snapshot/columns/texts.ts';
import type { ColumnData, Rows, TextData } from '../snapshot/table.ts';
import type { FactRecord } from '../store/store.ts';
import type { SizedTable } from './asset-tables.ts';
import { factHistory, isFactColumn } from './fact-history.ts';
import { lazyOrders } from './lazy-orders.ts';
import { optionalHistory } from './optional-history.ts';

const NO_CLOSES: DailySeries = { firstDay: FIRST_DAY, closes: new Float64Array() };

export interface HistoryTable extends SizedTable, ExternalMemory {
  /** Computes the optional columns, so that reading one takes no time. */
  readonly prepareOptional: () => Steps<void>;
  /**
   * For each row, the row that `as_of` gives for the day so many periods before: the latest one up to it on which a source delivered a
   * bar. -1 before the first, and on a day without a bar, of which `as_of` gives no row: an asset crosses a line once, and not on every
   * day of a gap.
   */
  readonly earlierRows: (periods: number) => Int32Array;
}

export function historyTable(...given: Parameters<typeof historyTableInSteps>): HistoryTable {
  return finish(historyTableInSteps(...given));
}

export function* historyTableInSteps(
  symbol: string,
  bars: BarColumns,
  benchmark: ReturnSeries | null,
  interval: ListedInterval = '1d',
  facts: readonly FactRecord[] = [],
): Steps<HistoryTable> {
  const { bytes, optionalBytes, ...found } = yield* historyRows(
    symbol,
    bars,
    benchmark,
    sharedDoubleColumns,
    interval,
    facts,
  );
  const { rows, columns } = found;
  const orders = lazyOrders(columns, rows);
  return {
    ...{ ...found, search: null, profiles: null, ...externalMemory(bytes) },
    get bytes() {
      // The bars stay for the optional columns.
      return bytes + BAR_BYTES * bars.day.length + optionalBytes() + orders.bytes();
    },
    historyOrder: rowNumbers(rows),
    symbols: { rowsOf: tickers => rowNumbers(tickers.includes(tickerKey(symbol)) ? rows : 0) },
    order: orders.order,
    earlierRows: periods => earlierRows(bars.day, rows, periods),
  };
}

function earlierRows(days: Int32Array, rows: number, periods: number): Int32Array {
  const found = new Int32Array(rows).fill(-1);
  for (let bar = 0, earlier = -1; bar < days.length; bar++) {
    while (days[earlier + 1]! <= days[bar]! - periods) earlier++;
    if (earlier >= 0) found[days[bar]! - days[0]!] = days[earlier]! - days[0]!;
  }
  return found;
}

interface HistoryRows extends Rows, Pick<HistoryTable, 'history' | 'prepareOptional'> {
  /** Of shared memory, without the optional columns. */
  readonly bytes: number;
  /** Of the optional columns that were made. */
  readonly optionalBytes: () => number;
}

/** Of a bar: its period and five numbers. */
const BAR_BYTES = 4 + 5 * 8;

/**
 * `bars` holds all bars of the asset in the interval, oldest first: the windows of a row reach back before the requested ones. `doubleColumns` gives the
 * memory of the computed columns; it may have been used before. `facts`: of the asset, oldest first.
 */
export function* historyRows(
  symbol: string,
  bars: BarColumns,
  benchmark: ReturnSeries | null,
  doubleColumns: typeof sharedDoubleColumns,
  interval: ListedInterval = '1d',
  facts: readonly FactRecord[] = [],
): Steps<HistoryRows> {
  const { firstDay, closes } = bars.day.length === 0 ? NO_CLOSES : dailySeries(bars.day, bars.close);
  const rows = closes.length;
  const indicators = doubleColumns(INDICATORS.length + 2, rows);
  const [history, prices] = [indicators.pop()!, indicators.pop()!];
  for (let row = 0; row < rows; row++) history[row] = row + 1;
  prices.set(closes);
  if (rows > 0) yield* dailyRowsInSteps(closes, indicators, periodsPerYear(interval));

  const days = consecutive(firstDay, rows);
  const symbols = lazyText(symbol, rows);
  // Columns that are neither computed nor facts have no history.
  const factValues = (name: string) =>
    isFactColumn(name) ? factHistory(facts, name, firstDay, closes, interval) : sharedDoubles(rows).fill(Number.NaN);
  const optional = optionalHistory(rows, () => dailyBars(bars), benchmark, interval, factValues);
  const columns = TA_HIST.columns.map((column): ColumnData => {
    if (isOptional(column)) return optional.column(column);
    const { name, kind } = column;
    if (kind === 'time') return { kind: 'day', interval, values: days };
    if (kind === 'text') return symbols;
    const values = kind === 'price' ? prices : indicators[INDICATORS.findIndex(indicator => indicator.name === name)];
    if (!values) throw new Error(`the history has no values for its column ${name}`);
    return { kind: 'number', values };
  });
  const bytes = history.buffer.byteLength + rows * (TEXT_BYTES + Buffer.byteLength(symbol));
  const { prepare: prepareOptional, bytes: optionalBytes } = optional;
  return { dataset: TA_HIST, rows, columns, history, bytes, optionalBytes, prepareOptional };
}

/** Bytes of a row besides its text: an offset of four, and one that says whether the text is missing. */
const TEXT_BYTES = 5;

/** Made when it is first read: an export writes the text only once. */
function lazyText(text: string, rows: number): TextData {
  let made: TextData | null = null;
  const data = () => (made ??= repeatText(text, rows));
  return {
    kind: 'text',
    get bytes() {
      return data().bytes;
    },
    get offsets() {
      return data().offsets;
    },
    get missing() {
      return data().missing;
    },
  };
}
