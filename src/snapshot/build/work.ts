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

/** The input of each kind of work, and its output besides what it writes. */
interface Kinds {
  readonly copy: { readonly input: { readonly from: Cells; readonly to: Cells }; readonly output: null };
  readonly order: { readonly input: OrderWork; readonly output: null };
  readonly symbols: { readonly input: TextData; readonly output: SymbolIndexData };
  readonly search: { readonly input: readonly TextData[]; readonly output: SearchIndexData };
  readonly sorted: {
    readonly input: { readonly texts: TextData; readonly rows: Uint32Array };
    readonly output: Uint32Array;
  };
  readonly tickers: {
    readonly input: { readonly texts: TextData; readonly rows: Uint32Array };
    readonly output: TickerNumbers;
  };
  readonly digests: { readonly input: HashedValues; readonly output: Uint8Array };
  readonly fact: { readonly input: FactTexts; readonly output: FactIndexData };
}

export type WorkKind = keyof Kinds;
export type WorkInput<K extends WorkKind> = Kinds[K]['input'];
export type WorkOutput<K extends WorkKind> = Kinds[K]['output'];

/** Can be posted to another thread. */
export interface Work<K extends WorkKind = WorkKind> {
  readonly kind: K;
  readonly input: WorkInput<K>;
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

const FUNCTIONS: { readonly [K in WorkKind]: (input: WorkInput<K>, memory: WorkMemory) => WorkOutput<K> } = {
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

export function doWork<K extends WorkKind>({ kind, input }: Work<K>, memory: WorkMemory): WorkOutput<K> {
  return FUNCTIONS[kind](input, memory);
}
