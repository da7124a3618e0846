// The bitmaps of recently used filters. Each page of a listing, each sort of it and its count need the same rows, and testing all
// rows is the most expensive step of a query.

import { ByteCache } from '../../common/byte-cache.ts';
import type { Table } from '../../snapshot/table.ts';
import { filterText } from '../parse/normalise-filters.ts';
import type { Plan } from '../parse/plan.ts';

/** A copy of the words of a bitmap, and how many rows are in it. */
export interface FilterBitmap {
  readonly words: Int32Array;
  readonly total: number;
}

/** Of one table, so that all bitmaps have the same size. */
export class FilterBitmapCache {
  /** The memory of the bitmap that was evicted last is reused for the next one. */
  #free: Int32Array | null = null;
  readonly #bitmaps: ByteCache<FilterBitmap>;

  constructor(maxBytes: number) {
    this.#bitmaps = new ByteCache(maxBytes, ({ words }) => {
      this.#free = words;
    });
  }

  get(filters: string): FilterBitmap | undefined {
    return this.#bitmaps.get(filters);
  }

  set(filters: string, words: Int32Array, total: number): void {
    const copy = this.#free ?? new Int32Array(words.length);
    copy.set(words);
    this.#free = null;
    if (!this.#bitmaps.set(filters, { words: copy, total }, copy.byteLength)) this.#free = copy;
  }
}

/** A cache lives as long as its table. */
const caches = new WeakMap<Table, FilterBitmapCache>();

export function filterBitmapCacheOf(table: Table, maxBytes: number): FilterBitmapCache {
  const cache = caches.get(table) ?? new FilterBitmapCache(maxBytes);
  caches.set(table, cache);
  return cache;
}

/** Equal for two plans exactly when the same filters select the rows. */
export function filtersKey({ filters, minHistory, search, where }: Plan): string {
  return `${filters.map(filterText)}|${minHistory}|${JSON.stringify(search)}|${where?.key}`;
}
