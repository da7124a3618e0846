// A table of the optional columns that are computed from bars: one array per column.

import { OPTIONAL_COLUMNS, type OptionalColumnName } from '../domain/optional-columns.ts';

export type ComputedName = Exclude<OptionalColumnName, 'rank' | 'supply' | 'market_cap'>;

/** In catalogue order. */
export const COMPUTED_NAMES: readonly ComputedName[] = OPTIONAL_COLUMNS.filter(column => !('current' in column)).map(
  ({ name }) => name as ComputedName, // the others have `current`
);

/** NaN is null. `ath_at` holds days since 1970-01-01. */
export type OptionalTable = Readonly<Record<ComputedName, Float64Array>>;

export function optionalTable(rows: number): OptionalTable {
  const entries = COMPUTED_NAMES.map(name => [name, new Float64Array(rows)]);
  return Object.fromEntries(entries) as OptionalTable; // fromEntries forgets the names
}
