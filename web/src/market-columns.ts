// The columns that the pages use unasked, and those of them without any value: own files often have no ranks, supplies or volumes.

import { signal } from '@preact/signals';

/** The most important first. */
export const MARKET_COLUMNS = ['rank', 'market_cap', 'turnover'] as const;

export type MarketColumn = (typeof MARKET_COLUMNS)[number];

/** No asset of the listing has a value. */
export const absentColumns = signal<ReadonlySet<string>>(new Set());

export function isAbsent(column: MarketColumn): boolean {
  return absentColumns.value.has(column);
}
