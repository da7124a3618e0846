// The assets of a snapshot and their rows in the listing, as endpoints in the shapes of other services read them.

import { ASSET_COLUMNS } from '../../domain/catalogue.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { type Day, isDay, MILLIS_PER_DAY } from '../../domain/day.ts';
import { assetOfTicker } from '../../query/execute/find-named.ts';
import { textAt } from '../../snapshot/columns/texts.ts';
import type { ColumnData, IndexedAsset, Snapshot } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { requireSnapshot } from '../served-snapshot.ts';

export class Market {
  readonly snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /** The row of an asset in the listing; null if it is inactive, or if another asset has the row of its ticker. */
  rowOf({ symbol, assetNumber }: IndexedAsset): number | null {
    const { tables, listed } = this.snapshot;
    const found = tables['ta-cur'].symbols.rowsOf([symbol.toUpperCase()]);
    return found.find(row => listed.assetNumbers[row] === assetNumber) ?? null;
  }

  /** The asset of a row of the listing. */
  assetAt(row: number): IndexedAsset {
    const symbol = this.#column('symbol');
    const found = symbol.kind === 'text' ? assetOfTicker(this.snapshot.assetIndex, textAt(symbol, row) ?? '') : null;
    if (found === null) throw new Error('a row of the listing has no asset');
    return found;
  }

  /** Null without a row, and for a column that is null in it. */
  number(row: number | null, name: string): number | null {
    const column = this.#column(name);
    if (row === null || column.kind !== 'number') return null;
    return known(column.values[row]);
  }

  day(row: number | null, name: string): Day | null {
    const column = this.#column(name);
    if (row === null || column.kind !== 'day') return null;
    const day = column.values[row] ?? -1;
    return isDay(day) ? day : null;
  }

  /** When the close of a day was known, in milliseconds since 1970. */
  timeOf(day: Day): number {
    return this.knownAt(day * MILLIS_PER_DAY, (day + 1) * MILLIS_PER_DAY);
  }

  /** When the close of a period was known: at its end, or in the period in progress at the time of the publication. */
  knownAt(start: number, end: number): number {
    const { version, builtAt } = this.snapshot;
    // Versions are usually times, and never later than the snapshot if they are.
    const published = version > start && version <= builtAt ? version : builtAt;
    return Math.max(start, Math.min(end, published));
  }

  #column(name: string): ColumnData {
    const column = this.snapshot.tables['ta-cur'].columns[POSITIONS.get(name) ?? -1];
    if (column === undefined) throw new Error(`the listing has no column ${name}`);
    return column;
  }
}

const POSITIONS = new Map(TA_CUR.columns.map((column, i) => [column.name, i]));

/** With the optional columns if they are read: a store that has not published them yet does so first. */
export async function marketOf(context: ServiceContext, readsOptional: boolean): Promise<Market> {
  const current = requireSnapshot(context);
  return new Market(readsOptional ? await context.optional(current) : current);
}

export type AssetColumn = (typeof ASSET_COLUMNS)[number]['name'];

/** A column of the table of assets. */
export function assetColumn({ tables }: Snapshot, name: AssetColumn): ColumnData {
  return tables.assets.columns[ASSET_COLUMNS.findIndex(column => column.name === name)]!;
}

export function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** A product of which a factor may be unknown. */
export function product(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one * other;
}
