// How one number of the listing was computed: its inputs, the values on the way, and the exact result beside the served one.

import { nearest } from '../common/nearest.ts';
import { CLOSES_PER_ROW, COLUMNS, INDICATORS, type IndicatorColumn, type PriceColumn } from '../domain/columns.ts';
import { type Day, isoFromDay } from '../domain/day.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { currentRow } from '../indicators/engine.ts';
import { type Days, DEFINITIONS } from './definitions.ts';
import { absolute, decimalText, divide, fromDouble, type Real, subtract, toDouble } from './real.ts';

export const EXACT_DIGITS = 40;

export type ExplainedColumn = PriceColumn | IndicatorColumn;

/** The columns that are computed from closes. */
export const EXPLAINED_COLUMNS: readonly ExplainedColumn[] = COLUMNS.filter(column => column.type === 'number');

export function explainedColumn(name: string): ExplainedColumn | null {
  return EXPLAINED_COLUMNS.find(column => column.name === name) ?? null;
}

/** What to write instead of a name that is not a column. */
export function columnHint(name: string): string {
  const names = EXPLAINED_COLUMNS.map(column => column.name);
  const near = nearest(name, names);
  return near === null ? `Columns: ${names.join(', ')}.` : `Did you mean ${near}?`;
}

/** What a source delivered: days ascend, `close[i]` is the close of `day[i]`. */
export interface DeliveredCloses {
  readonly day: ArrayLike<number>;
  readonly close: ArrayLike<number>;
}

export interface ExplainedInput {
  /** `C0` is the close of the row's day, `C1` that of the day before. */
  readonly name: string;
  readonly day: string;
  readonly close: number;
  /** No source delivered a close for the day: it has the one before it. */
  readonly carried_forward: boolean;
}

export interface Explanation {
  readonly column: string;
  /** The day of C0. */
  readonly day: string;
  readonly value: number | null;
  readonly unit: string | null;
  readonly formula: string;
  /** Length in days; null for a price. */
  readonly window: number | null;
  /** Daily closes from the first to that day. */
  readonly history: number;
  readonly inputs: readonly ExplainedInput[];
  /** What is computed on the way, to 40 significant digits. */
  readonly steps: readonly { readonly name: string; readonly value: string }[];
  /** To 40 significant digits. */
  readonly exact: string | null;
  /** Of the value against the exact result; null where there is none. */
  readonly relative_error: number | null;
}

/** The value on a day, computed from the closes up to it; null before the first close. */
export function explain(column: ExplainedColumn, delivered: DeliveredCloses, until: Day): Explanation | null {
  const count = Array.from(delivered.day).filter(day => day <= until).length;
  if (count === 0) return null;
  const known = Array.from({ length: count }, (_, i) => delivered.day[i]!);
  const { firstDay, closes } = dailySeries(
    known,
    Array.from({ length: count }, (_, i) => delivered.close[i]!),
  );
  const window = 'window' in column ? column.window : null;
  const at = (daysBefore: number) => closes[closes.length - 1 - daysBefore]!;
  const days: Days = { count: closes.length, close: daysBefore => fromDouble(at(daysBefore)) };
  const { inputs, steps, exact } = DEFINITIONS[column.kind](days, window ?? 1);
  const value = servedValue(column, closes);
  const isDelivered = new Set(known);
  const dayOf = (daysBefore: number) => (firstDay + closes.length - 1 - daysBefore) as Day; // a day of the series
  return {
    column: column.name,
    day: isoFromDay(dayOf(0)),
    value,
    unit: column.unit,
    formula: 'formula' in column ? column.formula : 'C₀',
    window,
    history: closes.length,
    inputs: inputs.map(i => ({
      name: `C${i}`,
      day: isoFromDay(dayOf(i)),
      close: at(i),
      carried_forward: !isDelivered.has(dayOf(i)),
    })),
    steps: steps.map(step => ({ name: step.name, value: decimalText(step.value, EXACT_DIGITS) })),
    exact: exact === null ? null : decimalText(exact, EXACT_DIGITS),
    relative_error: relativeError(value, exact),
  };
}

/** By the kernels, as the listing has it. */
function servedValue(column: ExplainedColumn, closes: Float64Array): number | null {
  if (column.kind === 'price') return closes.at(-1)!;
  // As many closes as a published row is made from.
  const value = currentRow(closes.slice(-CLOSES_PER_ROW))[INDICATORS.findIndex(({ name }) => name === column.name)]!;
  return Number.isNaN(value) ? null : value + 0;
}

function relativeError(value: number | null, exact: Real | null): number | null {
  if (value === null || exact === null) return null;
  const difference = absolute(subtract(fromDouble(value), exact));
  if (exact === 0n) return difference === 0n ? 0 : null;
  return toDouble(divide(difference, absolute(exact)));
}
