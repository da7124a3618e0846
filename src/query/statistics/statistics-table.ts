// The rows of `ta-cur/stats` as a table, made in steps of a few milliseconds.

import { rowNumbers } from '../../snapshot/consecutive.ts';
import { sharedDoubles } from '../../snapshot/shared-memory.ts';
import type { ColumnData, Table } from '../../snapshot/table.ts';
import { packTexts } from '../../snapshot/texts.ts';
import { matchingRows } from '../matching-rows.ts';
import { histogramOf } from './histogram.ts';
import type { StatisticsPlan } from './parse-statistics.ts';
import { sortedColumn, sortedComputed } from './sorted-values.ts';
import { summaryOf } from './summary.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Stops after each step. */
export function* statisticsTable(plan: StatisticsPlan, table: Table): Generator<void, Table, undefined> {
  const { rows, words } = matchingRows(plan.query, table);
  yield;
  const summaries: Row[] = [];
  for (const column of plan.columns) {
    const node = plan.query.computed[column - table.dataset.columns.length];
    const sorted = yield* node === undefined
      ? sortedColumn(table, column, words, rows.length)
      : sortedComputed(table, node, rows);
    summaries.push({
      column: plan.query.dataset.columns[column]!.name,
      count: rows.length,
      nulls: rows.length - sorted.length,
      ...summaryOf(sorted),
      histogram: plan.bins === null ? null : JSON.stringify(histogramOf(sorted, plan.bins)),
    });
    yield;
  }
  return tableOfRows(plan, summaries);
}

function tableOfRows({ answer: { dataset } }: StatisticsPlan, rows: readonly Row[]): Table {
  const columns = dataset.columns.map(({ name, type }): ColumnData => {
    const cells = rows.map(row => row[name] ?? null);
    if (type === 'string' || type === 'object') return packTexts(cells.map(cell => cell?.toString() ?? null));
    const values = sharedDoubles(rows.length);
    values.set(cells.map(cell => (cell === null ? Number.NaN : Number(cell))));
    return { kind: 'number', values };
  });
  return {
    dataset,
    rows: rows.length,
    columns,
    history: sharedDoubles(0),
    historyOrder: rowNumbers(0),
    symbols: { rowsOf: () => new Uint32Array() },
    search: null,
    profiles: null,
    // The rows stay in the order in which the request names the columns.
    order: () => rowNumbers(rows.length),
  };
}
