// The description of each field: the members of `metadata`, and the columns in the catalogue of datasets.

import { type Column, hasNoPast, isOptional } from '../domain/columns.ts';
import { BARS, type Dataset } from '../domain/datasets.ts';
import type { Interval, ListedInterval } from '../domain/interval.ts';
import { inPeriods, periodsText } from '../domain/interval-words.ts';
import { unitIn } from '../domain/quote.ts';

export interface FieldMetadata {
  readonly type: Column['type'];
  readonly unit: string | null;
  readonly nullable: boolean;
  readonly description: string;
  /** Of optional columns: the group by which `incl_cols` can name them. */
  readonly group?: string;
  /** Of indicators and computed columns. */
  readonly formula?: string;
  /** Of indicators only: length in periods, the same in words unless they are days, and the closes that a full window needs. */
  readonly window?: number;
  readonly window_text?: string;
  readonly min_history?: number;
  /** Of computed columns only: the place of the field in a row, the first being 1. */
  readonly position?: number;
}

/** `quote`: the ticker that replaces the dollar in units. */
export function fieldMetadata(
  column: Column,
  interval: ListedInterval = '1d',
  quote: string | null = null,
): FieldMetadata {
  const { type, nullable } = column;
  const words = (text: string) => (hasNoPast(column) ? text : inPeriods(text, interval));
  const unit = column.unit === 'days' ? words(column.unit) : unitIn(column.unit, quote);
  const common = { type, unit, nullable, description: words(column.description) };
  if (column.kind === 'computed') return { ...common, formula: column.formula };
  const group = isOptional(column) ? { group: column.group } : {};
  const formula =
    'formula' in column && column.formula !== undefined ? { formula: inPeriods(column.formula, interval) } : {};
  const history = 'minHistory' in column ? { min_history: column.minHistory } : {};
  const window = 'window' in column && column.window !== null ? windowOf(column.window, interval) : {};
  return { ...common, ...group, ...window, ...formula, ...history };
}

function windowOf(window: number, interval: ListedInterval): Pick<FieldMetadata, 'window' | 'window_text'> {
  return interval === '1d' ? { window } : { window, window_text: periodsText(interval, window) };
}

export interface CatalogColumn extends FieldMetadata {
  readonly name: string;
  /** What the explorer calls it. */
  readonly label?: string;
  /** Of the indicators of every row: what the explorer calls those that differ in their length only. */
  readonly family?: string;
}

/** A column in the catalogue of datasets. */
export function catalogColumn(column: Column): CatalogColumn {
  const label = column.label === undefined ? {} : { label: column.label };
  const family = 'family' in column ? { family: column.family } : {};
  return { name: column.name, ...label, ...family, ...fieldMetadata(column) };
}

/** One member per column, in their order: JSON as a byte string, one character per byte of UTF-8. */
export function metadataText(
  dataset: Dataset,
  columns: readonly number[],
  interval: Interval = '1d',
  quote: string | null = null,
): string {
  // Bars are described for all intervals at once.
  const listed = interval === '1mo' || dataset.name === BARS.name ? '1d' : interval;
  return `{${columns.map((index, place) => memberText(dataset.columns[index]!, listed, quote, place + 1)).join()}}`;
}

const members = new Map<ListedInterval, WeakMap<Column, string>>();

function memberText(column: Column, interval: ListedInterval, quote: string | null, position: number): string {
  // Clients can name any asset as the quote: only the texts in dollars are kept.
  if (quote !== null) return writtenMember(column, interval, quote, position);
  const ofInterval = members.get(interval) ?? new WeakMap<Column, string>();
  members.set(interval, ofInterval);
  const known = ofInterval.get(column);
  if (known !== undefined) return known;
  const bytes = writtenMember(column, interval, null, position);
  ofInterval.set(column, bytes);
  return bytes;
}

function writtenMember(column: Column, interval: ListedInterval, quote: string | null, position: number): string {
  // A computed column is of one request, which has it in one place.
  const metadata =
    column.kind === 'computed' ? { ...fieldMetadata(column), position } : fieldMetadata(column, interval, quote);
  const text = `${JSON.stringify(column.name)}:${JSON.stringify(metadata)}`;
  return Buffer.from(text).toString('latin1');
}
