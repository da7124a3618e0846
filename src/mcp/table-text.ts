// Rows as a compact table: one line per row, commas between the cells, the unit of a column behind its name.

import type { Column } from '../domain/columns.ts';
import { isoOfPeriod } from '../domain/interval.ts';
import { unitIn } from '../domain/quote.ts';
import { textAt } from '../snapshot/columns/texts.ts';
import type { ColumnData, Rows } from '../snapshot/table.ts';

/** A model reads no more digits; the REST API has the exact numbers. */
export const DIGITS = 6;

const SHORT_UNITS: Readonly<Record<string, string>> = { percent: '%', 'percent per year': '%/year' };

/** `quote`: the ticker that replaces the dollar. */
export function headerOf({ name, unit: written }: Column, quote: string | null = null): string {
  const unit = unitIn(written, quote);
  return unit === null ? name : `${name} ${SHORT_UNITS[unit] ?? plainText(unit)}`;
}

/** `columns` are indexes into the dataset's; `quote` is the ticker of the currency of prices, null for dollars. */
export function tableText(
  table: Rows,
  rows: Iterable<number>,
  columns: readonly number[],
  quote: string | null = null,
): string {
  const lines = [columns.map(index => oneCell(headerOf(table.dataset.columns[index]!, quote))).join(',')];
  for (const row of rows) lines.push(columns.map(index => cellText(table.columns[index]!, row)).join(','));
  return lines.join('\n');
}

/** Empty for null. */
export function cellText(data: ColumnData, row: number): string {
  switch (data.kind) {
    case 'number':
      return numberText(data.values[row]!);
    case 'day':
      return data.values[row]! < 0 ? '' : isoOfPeriod(data.interval, data.values[row]!);
    case 'flag':
      return data.values[row] === 1 ? 'yes' : 'no';
    case 'text':
      return oneCell(textAt(data, row) ?? '');
  }
}

export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '';
  const rounded = Number(value.toPrecision(DIGITS));
  // A market capitalisation: 1.23457e12 is shorter than its zeros.
  return Math.abs(rounded) < 1e9 ? String(rounded) : String(rounded.toExponential()).replace('+', '');
}

/** Sources choose these texts: a line break or a comma in one would look like another row or cell. */
function oneCell(text: string): string {
  const plain = plainText(text);
  return /[",]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** On one line, without control characters. */
export function plainText(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, ' ').trim();
}
