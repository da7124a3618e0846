// The columns of every row, from dense closes.

import { finish, type Steps } from '../common/steps.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { checkCloses, halvesOf, surelyPrices } from './calendar.ts';
import { DAYS_PER_YEAR, Series } from './kernel.ts';
import { type ColumnTable, KernelGroups } from './kernel-groups.ts';
import { SeriesError } from './series-error.ts';

/** Closes of many assets in one buffer: asset i has `closes[starts[i] … starts[i + 1] - 1]`, oldest first. */
export interface CloseBatch {
  readonly closes: Float64Array;
  /** One more than there are assets; every asset has at least one close. */
  readonly starts: Uint32Array;
}

const GROUPS = new KernelGroups(INDICATORS);

export function indicatorTable(rows: number): ColumnTable {
  return GROUPS.table(rows);
}

/** The current row of one asset: the values of `INDICATORS` on the last day. */
export function currentRow(closes: Float64Array, perYear: number = DAYS_PER_YEAR): Float64Array {
  const table = indicatorTable(1);
  currentRows({ closes, starts: Uint32Array.of(0, closes.length) }, table, undefined, perYear);
  return Float64Array.from(table, column => column[0]!);
}

/**
 * The current rows of many assets, without allocating per asset. With `only`, just these assets' rows are written, and the others
 * stay unchanged.
 */
export function currentRows(
  batch: CloseBatch,
  table: ColumnTable,
  only?: Uint32Array,
  perYear: number = DAYS_PER_YEAR,
): void {
  checkBatch(batch, table, only);
  const run = GROUPS.into(table);
  const series = new Series(0, perYear);
  series.closes = batch.closes;
  const halves = halvesOf(batch.closes);
  const rows = only?.length ?? batch.starts.length - 1;
  for (let i = 0; i < rows; i++) {
    const row = only ? only[i]! : i;
    const start = batch.starts[row]!;
    const end = batch.starts[row + 1]!;
    if (!surelyPrices(halves, start, end)) checkCloses(batch.closes, start, end);
    series.start = start;
    series.end = end;
    run.write(series, end - 1, row);
  }
}

/**
 * The row of each day, bit for bit what `currentRow` gives for the closes up to that day: later days never change a row that was
 * published.
 */
export function dailyRows(closes: Float64Array, table: ColumnTable = indicatorTable(closes.length)): ColumnTable {
  return finish(dailyRowsInSteps(closes, table));
}

export function* dailyRowsInSteps(
  closes: Float64Array,
  table: ColumnTable,
  perYear: number = DAYS_PER_YEAR,
): Steps<ColumnTable> {
  checkCloses(closes, 0, closes.length);
  const series = new Series(0, perYear);
  series.closes = closes;
  series.end = closes.length;
  yield* GROUPS.into(table).writeInSteps(series);
  return table;
}

function checkBatch({ closes, starts }: CloseBatch, table: ColumnTable, only: Uint32Array | undefined): void {
  const assets = starts.length - 1;
  for (let i = 0; i < starts.length; i++) {
    if (starts[i]! > closes.length || (i > 0 && starts[i]! < starts[i - 1]!)) {
      throw new SeriesError('bad_batch', i, `start ${starts[i]} of ${closes.length} closes`);
    }
  }
  for (const column of table) {
    if (column.length < assets)
      throw new SeriesError('bad_batch', column.length, `a table of ${column.length} rows for ${assets} assets`);
  }
  const stray = only?.find(row => row >= assets);
  if (stray !== undefined) throw new SeriesError('bad_batch', stray, `row ${stray} of ${assets} assets`);
}
