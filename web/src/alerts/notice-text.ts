// The words of a notification: how many assets entered or left, and of the first ones the numbers that the screen is about.

import type { ColumnFacts } from '../catalog.ts';
import type { Cell } from '../cell.ts';
import { columnLabel } from '../column-label.ts';
import { tokensOf } from '../expression-tokens.ts';
import { formatCell } from '../format-cell.ts';
import { unitInQuote } from '../quote.ts';
import type { News } from './digest.ts';

export type WatchedRow = Readonly<Record<string, Cell>> & { readonly symbol: string };

/** Assets that a notification names. */
const MOST_NAMED = 5;

/** The columns of a notification: the price, and those that the filter names. */
export function columnsOfWatch(filters: Readonly<Record<string, unknown>>, all: readonly ColumnFacts[]): ColumnFacts[] {
  const words = new Set(tokensOf(String(filters['where'] ?? '')).map(({ text }) => text));
  return all.filter(({ name, type }) => name === 'price' || (words.has(name) && type !== 'string'));
}

export function titleOf(name: string, { entered, left }: News<WatchedRow>): string {
  const parts = [
    entered.length > 0 && `${counted(entered.length)} entered`,
    left.length > 0 && `${entered.length > 0 ? left.length : counted(left.length)} left`,
  ];
  return `${name}: ${parts.filter(part => part !== false).join(', ')}`;
}

/** `quote` is that of the watched screen, which need not be the one of the page. */
export function textOf({ entered, left }: News<WatchedRow>, columns: readonly ColumnFacts[], quote: string): string {
  const lines = entered.slice(0, MOST_NAMED).map(row => `${row.symbol} ${figures(row, columns, quote)}`);
  if (entered.length > MOST_NAMED) lines.push(`and ${entered.length - MOST_NAMED} more`);
  if (left.length > 0) {
    const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
    lines.push(`Left: ${left.slice(0, MOST_NAMED).join(', ')}${more}`);
  }
  return lines.join('\n');
}

function figures(row: WatchedRow, columns: readonly ColumnFacts[], quote: string): string {
  return columns
    .map(column => {
      const value = formatCell(column, row[column.name]);
      const text = column.unit?.startsWith('USD') ? `${value} ${unitInQuote(column.unit, quote)}` : value;
      return column.name === 'price' ? text : `${columnLabel(column.name)} ${text}`;
    })
    .join(', ');
}

function counted(assets: number): string {
  return assets === 1 ? '1 asset' : `${assets} assets`;
}
