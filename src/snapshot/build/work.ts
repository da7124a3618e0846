// The work of building a snapshot that any thread can do: it reads and writes shared memory only, and doing it twice gives the same.

import { numberTickers } from '../columns/text-numbers.ts';
import { sortedByText } from '../columns/texts.ts';
import type { WorkMemory } from '../columns/work-memory.ts';
import { type OrderChanges, repairOrder, sortColumn } from '../indexes/orders.ts';
import { type FactIndexData, type FactTexts, factIndexData } from '../indexes/profile-index.ts';
import { type SearchIndexData, searchIndexData } from '../indexes/search-index.ts';
import { type SymbolIndexData, symbolIndexData } from '../indexes/symbol-index.ts';
import type { ColumnData, TextData } from '../table.ts';
import { blockDigests, type HashedValues } from './block-digests.ts';

type Cells = Exclude<ColumnData, { kind: 'text' }>['values'];

/** What each kind of work is given, and what it makes besides what it writes. */
interface Kinds {
  readonly copy: { readonly given: { readonly from: Cells; readonly to: Cells }; readonly made: null };
  readonly order: { readonly given: OrderWork; readonly made: null };
  readonly symbols: { readonly given: TextData; readonly made: SymbolIndexData };
  readonly search: { readonly given: readonly TextData[]; readonly made: SearchIndexData };
  readonly sorted: {
    readonly given: { readonly texts: TextData; readonly rows: Uint32Array };
    readonly made: Uint32Array;
  };
  readonly tickers: {
    readonly given: { readonly texts: TextData; readonly rows: Uint32Array };
    readonly made: TickerNumbers;
  };
  readonly digests: { readonly given: HashedValues; readonly made: Uint8Array };
  readonly fact: { readonly given: FactTexts; readonly made: FactIndexData };
}

export type WorkKind = keyof Kinds;
export type Given<K extends WorkKind> = Kinds[K]['given'];
export type Made<K extends WorkKind> = Kinds[K]['made'];

/** Can be posted to another thread. */
export interface Work<K extends WorkKind = WorkKind> {
  readonly kind: K;
  readonly given: Given<K>;
}

interface TickerNumbers {
  /** By row. */
  readonly numbers: Uint32Array;
  readonly tickers: number;
}

export interface OrderWork {
  readonly data: ColumnData;
  /** To be written. */
  readonly order: Uint32Array<SharedArrayBuffer>;
  /** The order of the table before; null to sort all rows. */
  readonly changes: OrderChanges | null;
}

const DO: { readonly [K in WorkKind]: (given: Given<K>, memory: WorkMemory) => Made<K> } = {
  copy({ from, to }) {
    to.set(from);
    return null;
  },
  order({ data, order, changes }, memory) {
    if (!changes || !repairOrder(changes, data, order, memory)) sortColumn(data, order, memory);
    return null;
  },
  symbols: symbolIndexData,
  search: searchIndexData,
  fact: factIndexData,
  sorted: ({ texts, rows }, memory) => sortedByText(texts, rows, memory),
  tickers: ({ texts, rows }) => {
    const { numbers, firstRows } = numberTickers(texts, rows);
    return { numbers, tickers: firstRows.length };
  },
  digests: blockDigests,
};

export function doWork<K extends WorkKind>({ kind, given }: Work<K>, memory: WorkMemory): Made<K> {
  return DO[kind](given, memory);
}
