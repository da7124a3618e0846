// What the builder of a dataset's table has to provide, what it gets, and how it fills a column.

import type { ListedInterval } from '../../domain/interval.ts';
import type { TextFact } from '../columns/fact-columns.ts';
import type { PastFacts } from '../columns/past-facts.ts';
import type { LengthOrMemory } from '../columns/shared-memory.ts';
import { gatherTexts } from '../columns/texts.ts';
import type { ColumnData } from '../table.ts';
import type { AssetBook } from './asset-book.ts';
import type { PreparedCopies } from './prepared-copies.ts';
import type { PublishedRows } from './published-rows.ts';
import type { QualityBook } from './quality-book.ts';
import type { SharedTable, TableColumns } from './shared-table.ts';

export interface TableBuilder {
  /** Whether values depend on the moment, and not only on the facts and the prices of their asset. */
  readonly usesMoment: boolean;
  /** The slots of the rows, in the order of the tie breaker. They depend on facts and on the days of the closes only. */
  selectSlots(source: RowSource): Uint32Array;
  build(source: TableSource): TableColumns;
}

/** Periods of the interval. */
export interface Moment {
  readonly interval: ListedInterval;
  readonly today: number;
  /** Of the newest close of all assets, delisted ones included; -1 when nothing is published. */
  readonly newestDay: number;
  /** How much older than `newestDay` the last close of an active asset may be. */
  readonly activeDays: number;
  /** The listing has the inactive assets too. */
  readonly listInactive: boolean;
  /** Not the current moment: the facts are those of the days of the rows, and an asset is known by its closes alone. */
  readonly past: PastFacts | null;
}

export interface RowSource {
  readonly book: AssetBook;
  readonly rows: PublishedRows;
  readonly moment: Moment;
  readonly quality: QualityBook;
  /** The table before was built for this moment too. */
  readonly sameMoment: boolean;
}

export interface TableSource extends RowSource {
  readonly slots: Uint32Array;
  readonly before: TableBefore | null;
  readonly copies: PreparedCopies;
}

/** The table that this one replaces, when it has the same assets with the same facts in the same rows. */
export interface TableBefore {
  readonly table: SharedTable;
  /** Rows whose prices may differ. */
  readonly touched: Uint32Array;
}

export function texts({ book, slots }: TableSource, fact: TextFact): ColumnData {
  return gatherTexts(book.text(fact), slots);
}

type Cells = Exclude<ColumnData, { kind: 'text' }>['values'];

/**
 * The values of a column: row by row, or those of the column before with other values in the touched rows. If none of them has
 * another value, the column before is used again. Each column has its memory to itself.
 */
export function cells<A extends Cells>(
  { slots, before, copies }: TableSource,
  make: (from: LengthOrMemory) => A,
  old: A | undefined,
  value: (slot: number, row: number) => number,
): A {
  if (old !== undefined && before !== null) {
    const { touched } = before;
    let same = 0;
    while (same < touched.length && Object.is(old[touched[same]!], value(slots[touched[same]!]!, touched[same]!)))
      same++;
    if (same === touched.length) return old;
    const column = make(copies.copy(old.buffer));
    for (let i = same; i < touched.length; i++) column[touched[i]!] = value(slots[touched[i]!]!, touched[i]!);
    return column;
  }
  const column = make(slots.length);
  for (let row = 0; row < slots.length; row++) column[row] = value(slots[row]!, row);
  return column;
}
