// The table of `ta-hist`: one row per calendar day of one asset, from its first close to its latest.

import { tickerKey } from '../domain/asset-state.ts';
import type { BarColumns } from '../domain/bar.ts';
import { INDICATORS, isOptional } from '../domain/columns.ts';
import { TA_HIST } from '../domain/datasets.ts';
import { FIRST_DAY } from '../domain/day.ts';
import { type DailySeries, dailyBars, dailySeries } from '../indicators/calendar.ts';
import { dailyRows } from '../indicators/engine.ts';
import type { ReturnSeries } from '../indicators/kernels/beta.ts';
import { consecutive, rowNumbers } from './consecutive.ts';
import { lazyOrders } from './lazy-orders.ts';
import { optionalHistory } from './optional-history.ts';
import { type ExternalMemory, externalMemory, sharedDoubleColumns } from './shared-memory.ts';
import type { ColumnData, Table } from './table.ts';
import { repeatText } from './texts.ts';

const NO_CLOSES: DailySeries = { firstDay: FIRST_DAY, closes: new Float64Array() };

/**
 * `bars` holds all bars of the asset, oldest first: the windows of a row reach back before the requested days. `doubleColumns` gives the
 * memory of the computed columns; it may have been used before.
 */
export function historyTable(
  symbol: string,
  bars: BarColumns,
  benchmark: ReturnSeries | null,
  doubleColumns: typeof sharedDoubleColumns = sharedDoubleColumns,
): Table & ExternalMemory {
  const { firstDay, closes } = bars.day.length === 0 ? NO_CLOSES : dailySeries(bars.day, bars.close);
  const rows = closes.length;
  const indicators = doubleColumns(INDICATORS.length + 2, rows);
  const [history, prices] = [indicators.pop()!, indicators.pop()!];
  for (let row = 0; row < rows; row++) history[row] = row + 1;
  prices.set(closes);
  if (rows > 0) dailyRows(closes, indicators);

  const [days, symbols] = [consecutive(firstDay, rows), repeatText(symbol, rows)];
  const optional = optionalHistory(rows, () => dailyBars(bars), benchmark);
  const columns = TA_HIST.columns.map((column): ColumnData => {
    if (isOptional(column)) return optional(column);
    const { name, kind } = column;
    if (kind === 'time') return { kind: 'day', values: days };
    if (kind === 'text') return symbols;
    const values = kind === 'price' ? prices : indicators[INDICATORS.findIndex(indicator => indicator.name === name)];
    if (!values) throw new Error(`the history has no values for its column ${name}`);
    return { kind: 'number', values };
  });
  return {
    ...{
      dataset: TA_HIST,
      rows,
      columns,
      history,
      search: null,
      profiles: null,
      ...externalMemory(history.buffer.byteLength + symbols.bytes.buffer.byteLength),
    },
    historyOrder: rowNumbers(rows),
    symbols: { rowsOf: tickers => rowNumbers(tickers.includes(tickerKey(symbol)) ? rows : 0) },
    order: lazyOrders(columns, rows),
  };
}
