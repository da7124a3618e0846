// How the values of a column are written.

import type { Cell } from './api.ts';
import type { ColumnFacts } from './catalog.ts';
import { formatCount, formatLarge, formatNumber, formatPercent, formatPrice, formatShare, NOTHING } from './format.ts';
import { shownInterval } from './interval.ts';
import { formatPeriod } from './time-form.ts';

/** A change of price, which has a direction; a volatility or an oscillator has none. */
export function hasDirection(column: ColumnFacts): boolean {
  return column.unit === 'percent' && /^(?:change|from_|mdd)/.test(column.name);
}

/** Sums that are read by their size. */
const LARGE = /^(?:market_cap|turnover\d*|supply|volume)$/;

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text);
}

export function formatCell(column: ColumnFacts, value: Cell | undefined): string {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return isTime(value) ? formatPeriod(Date.parse(value), shownInterval.value) : value;
  if (LARGE.test(column.name)) return formatLarge(value);
  if (column.type === 'integer') return formatCount(value);
  switch (column.unit) {
    case 'percent':
      // Charts and traders write an RSI without a sign.
      if (column.name.startsWith('rsi')) return formatNumber(value);
      return hasDirection(column) ? formatPercent(value) : formatShare(value);
    case 'percent per year':
      return formatShare(value);
    case 'USD':
      return formatPrice(value);
    default:
      return formatNumber(value);
  }
}
