// The indicator engine: from dense closes to the computed columns of the catalogue.

import { finish, type Steps } from '../common/steps.ts';
import { CLOSES_PER_ROW, INDICATORS, type IndicatorKind } from '../domain/columns.ts';
import { checkCloses, halvesOf, surelyPrices } from './calendar.ts';
import { change } from './kernels/change.ts';
import type { Kernel } from './kernels/kernel.ts';
import { sma } from './kernels/sma.ts';
import { variance } from './kernels/variance.ts';
import { volatility } from './kernels/volatility.ts';
import { SeriesError } from './series-error.ts';

// The averages first: they read every close of an asset in order, so that the others find theirs in the processor's cache.
const KERNELS: Readonly<Record<IndicatorKind, Kernel>> = { sma, change, var: variance, vol: volatility };

/** One array per entry of `INDICATORS`, in that order; null is NaN. */
export type IndicatorTable = readonly Float64Array[];

/** Closes of many assets in one buffer: asset i has `closes[starts[i] … starts[i + 1] - 1]`, oldest first. */
export interface CloseBatch {
  readonly closes: Float64Array;
  /** One more than there are assets; every asset has at least one close. */
  readonly starts: Uint32Array;
}

export function indicatorTable(rows: number): IndicatorTable {
  return INDICATORS.map(() => new Float64Array(rows));
}

interface KernelGroup {
  readonly kernel: Kernel;
  readonly windows: readonly number[];
  /** Positions of the group's columns in the table, ascending by window like `windows`. */
  readonly columns: readonly number[];
}

const GROUPS: readonly KernelGroup[] = Object.entries(KERNELS).map(([kind, kernel]) => {
  const columns = INDICATORS.map((_, position) => position)
    .filter(position => INDICATORS[position]!.kind === kind)
    .sort((a, b) => INDICATORS[a]!.window - INDICATORS[b]!.window);
  return { kernel, columns, windows: columns.map(position => INDICATORS[position]!.window) };
});

function groupOutputs(table: IndicatorTable): Float64Array[][] {
  return GROUPS.map(group => group.columns.map(position => table[position]!));
}

/** The current row of one asset: the values of `INDICATORS` on the last day. */
export function currentRow(closes: Float64Array): Float64Array {
  const table = indicatorTable(1);
  currentRows({ closes, starts: Uint32Array.of(0, closes.length) }, table);
  return Float64Array.from(table, column => column[0]!);
}

/**
 * The current rows of many assets, without allocating per asset. With `only`, just these assets' rows are written, and the others
 * stay unchanged.
 */
export function currentRows(batch: CloseBatch, table: IndicatorTable, only?: Uint32Array): void {
  checkBatch(batch, table, only);
  const outputs = groupOutputs(table);
  const halves = halvesOf(batch.closes);
  const rows = only?.length ?? batch.starts.length - 1;
  for (let i = 0; i < rows; i++) {
    const row = only ? only[i]! : i;
    const start = batch.starts[row]!;
    const end = batch.starts[row + 1]!;
    if (!surelyPrices(halves, start, end)) checkCloses(batch.closes, start, end);
    for (let g = 0; g < GROUPS.length; g++) {
      GROUPS[g]!.kernel(batch.closes, start, end, GROUPS[g]!.windows, outputs[g]!, row);
    }
  }
}

/**
 * The row of each day, bit for bit what `currentRow` gives for the closes up to that day: later days never change a row that was
 * published.
 */
export function dailyRows(closes: Float64Array, table: IndicatorTable = indicatorTable(closes.length)): IndicatorTable {
  return finish(dailyRowsInSteps(closes, table));
}

/** Of one kernel, in one step. */
const STEP_DAYS = 1024;

export function* dailyRowsInSteps(closes: Float64Array, table: IndicatorTable): Steps<IndicatorTable> {
  checkCloses(closes, 0, closes.length);
  const outputs = groupOutputs(table);
  for (let g = 0; g < GROUPS.length; g++) {
    const { kernel, windows } = GROUPS[g]!;
    for (let day = 0; day < closes.length; day++) {
      // No window reaches further back; a short series keeps the search for a flat run short.
      const start = Math.max(0, day + 1 - CLOSES_PER_ROW);
      kernel(closes, start, day + 1, windows, outputs[g]!, day);
      if (day % STEP_DAYS === STEP_DAYS - 1) yield;
    }
  }
  return table;
}

function checkBatch({ closes, starts }: CloseBatch, table: IndicatorTable, only: Uint32Array | undefined): void {
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
