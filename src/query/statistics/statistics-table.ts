// The rows of `ta-cur/stats` as a table, made in steps of a few milliseconds.

import type { Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import { matchingRows } from '../execute/matching-rows.ts';
import { histogramOf } from './histogram.ts';
import type { StatisticsPlan } from './parse-statistics.ts';
import { sortedColumn, sortedComputed } from './sorted-values.ts';
import { summaryOf } from './summary.ts';
import { type SummaryRow, summaryTable } from './summary-table.ts';

/** Stops after each step. */
export function* statisticsTable(plan: StatisticsPlan, table: Table): Steps<Table> {
  const { rows, words } = yield* matchingRows(plan.query, table);
  yield;
  const summaries: SummaryRow[] = [];
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
  return summaryTable(plan.answer.dataset, summaries);
}
