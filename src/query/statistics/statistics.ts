// `ta-cur/stats`: its query string is a query of the listing, the columns to summarise, and the number of bins; its rows are made in steps
// of a few milliseconds.

import type { Steps } from '../../common/steps.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { STATISTICS } from '../../domain/statistics.ts';
import type { Table } from '../../snapshot/table.ts';
import { matchingRows } from '../execute/matching-rows.ts';
import { namesOf } from '../names.ts';
import { planOf } from '../parse/parse-plan.ts';
import { invalidValue, parseInteger, parseList } from '../parse/parse-values.ts';
import type { Plan } from '../parse/plan.ts';
import { encodePair, type Pair, splitPairs } from '../parse/split-query.ts';
import { usesOptional } from '../parse/used-columns.ts';
import { histogramOf } from './histogram.ts';
import { sortedColumn, sortedComputed } from './sorted-values.ts';
import { summaryOf } from './summary.ts';
import { answerPlan, type SummaryRow, summaryTable } from './summary-table.ts';

export const MAX_BINS = 200;

/** The rows that are summarised. */
const QUERIED = { ...TA_CUR, isStreamed: false, extraParameters: STATISTICS.extraParameters };

export interface StatisticsPlan {
  /** Selects the rows. */
  readonly query: Plan;
  /** To summarise, as indexes into the query's columns; in the order of the answer. */
  readonly columns: readonly number[];
  readonly bins: number | null;
  /** Of the answer, whose rows are the columns of the query. */
  readonly answer: Plan;
}

export function parseStatistics(text: string): StatisticsPlan {
  const pairs = splitPairs(STATISTICS, text);
  const isOwn = ({ name }: Pair) => name === 'cols' || name === 'bins';
  const plan = planOf(
    QUERIED,
    pairs.filter(pair => !isOwn(pair)),
  );
  const own = pairs.filter(isOwn);
  const valuesOf = (wanted: string) => own.filter(({ name }) => name === wanted).map(({ value }) => value ?? '');
  const columns = columnsOf(plan, valuesOf('cols'));
  const bins = binsOf(valuesOf('bins'));
  const rest = [plan.rest, ...own.map(encodePair)].filter(part => part !== '').join('&');
  const query = { ...plan, usesOptional: plan.usesOptional || usesOptional(plan.dataset, columns) };
  const shown = STATISTICS.columns.filter(({ name }) => bins !== null || name !== 'histogram');
  return { query, columns, bins, answer: answerPlan(plan, { ...STATISTICS, columns: shown }, [columns, bins], rest) };
}

function columnsOf(plan: Plan, texts: readonly string[]): number[] {
  const names = namesOf(plan.dataset);
  if (texts.length === 0) return plan.columns.filter(index => names.isNumeric(index));
  const named = texts.flatMap(text => parseList('cols', text)).map(name => names.requireNumeric(name, 'cols'));
  return [...new Set(named)];
}

function binsOf(texts: readonly string[]): number | null {
  const [text, ...others] = texts;
  if (text === undefined) return null;
  const bins = others.length === 0 ? parseInteger('bins', text) : Number.NaN;
  if (bins <= MAX_BINS) return bins;
  throw invalidValue('bins', texts.join());
}

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
