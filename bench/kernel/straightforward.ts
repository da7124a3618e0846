// The indicators as one would first write them, which the kernels are compared with: each column by itself, each window from its
// closes, in the two passes of the textbook.

import { INDICATORS } from '../../src/domain/catalogue.ts';
import type { IndicatorColumn } from '../../src/domain/columns.ts';
import type { CloseBatch } from '../../src/indicators/engine.ts';
import type { ColumnTable } from '../../src/indicators/kernel-groups.ts';

const returns = new Float64Array(512);

function mean(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  return sum / (to - from);
}

function squaredDeviations(values: Float64Array, from: number, to: number): number {
  const centre = mean(values, from, to);
  let sum = 0;
  for (let i = from; i < to; i++) {
    const d = values[i]! - centre;
    sum += d * d;
  }
  return sum;
}

function volatility(closes: Float64Array, start: number, last: number, window: number): number {
  const count = Math.min(window, last - start);
  if (count < 2) return 0;
  for (let i = 0; i < count; i++) returns[i] = Math.log(closes[last - i]! / closes[last - i - 1]!);
  return Math.sqrt(squaredDeviations(returns, 0, count) / (count - 1)) * Math.sqrt(365) * 100;
}

function value(column: IndicatorColumn, closes: Float64Array, start: number, last: number): number {
  const from = Math.max(start, last + 1 - column.window);
  switch (column.kind) {
    case 'change':
      return last - column.window < start ? Number.NaN : (closes[last]! / closes[last - column.window]! - 1) * 100;
    case 'sma':
      return mean(closes, from, last + 1);
    case 'var':
      return squaredDeviations(closes, from, last + 1) / (last + 1 - from);
    case 'vol':
      return volatility(closes, start, last, column.window);
  }
}

export function straightforwardRows({ closes, starts }: CloseBatch, table: ColumnTable): void {
  for (let asset = 0; asset + 1 < starts.length; asset++) {
    for (let c = 0; c < INDICATORS.length; c++) {
      table[c]![asset] = value(INDICATORS[c]!, closes, starts[asset]!, starts[asset + 1]! - 1);
    }
  }
}

export function straightforwardHistory(closes: Float64Array, table: ColumnTable): void {
  for (let c = 0; c < INDICATORS.length; c++) {
    for (let day = 0; day < closes.length; day++) table[c]![day] = value(INDICATORS[c]!, closes, 0, day);
  }
}
