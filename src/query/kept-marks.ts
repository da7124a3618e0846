// The marks of the filters that were asked for lately. Each page of a listing, each sort of it and its count need the same
// ones, and marking all rows is the dearest step of a query.

import type { Table } from '../snapshot/table.ts';
import type { Plan } from './plan.ts';

/** A copy of a set of marks, and how many they are. */
export interface Kept {
  readonly words: Int32Array;
  readonly total: number;
}

/** Of one table. */
export class KeptMarks {
  /** The one that was used last is the last. */
  readonly #byFilter = new Map<string, Kept>();
  #bytes = 0;

  get(filter: string): Kept | undefined {
    const kept = this.#byFilter.get(filter);
    if (kept === undefined) return undefined;
    this.#byFilter.delete(filter);
    this.#byFilter.set(filter, kept);
    return kept;
  }

  /** Forgets what was not used for longest as soon as all take more than `maxBytes`, and keeps nothing that does by itself. */
  keep(filter: string, words: Int32Array, total: number, maxBytes: number): void {
    if (words.byteLength > maxBytes) return;
    this.#forget(filter);
    // All sets of a table have one size: the memory of the last one that had to go is used again.
    let free: Int32Array | undefined;
    while (this.#bytes + words.byteLength > maxBytes) free = this.#forget(this.#byFilter.keys().next().value!); // not empty: it takes bytes
    const copy = free ?? new Int32Array(words.length);
    copy.set(words);
    this.#byFilter.set(filter, { words: copy, total });
    this.#bytes += copy.byteLength;
  }

  #forget(filter: string): Int32Array | undefined {
    const words = this.#byFilter.get(filter)?.words;
    this.#byFilter.delete(filter);
    this.#bytes -= words?.byteLength ?? 0;
    return words;
  }
}

/** They go with the table. */
const tables = new WeakMap<Table, KeptMarks>();

export function keptMarksOf(table: Table): KeptMarks {
  const kept = tables.get(table) ?? new KeptMarks();
  tables.set(table, kept);
  return kept;
}

/** Equal for two plans exactly when the same filters decide which rows are marked. Not as JSON, which knows no infinity. */
export function filterKey({ filters, minHistory, search }: Plan): string {
  return `${filters.map(filter => Object.values(filter).join(' '))}|${minHistory}|${JSON.stringify(search)}`;
}
