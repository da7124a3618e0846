// `q=`: the rows whose id, name or ticker contains a text.

import type { TextSearch } from '../snapshot/row-indexes.ts';
import type { Marks } from './marks.ts';
import type { RowTest } from './row-test.ts';
import { rowBuffer } from './scratch.ts';

export class SearchTest implements RowTest {
  readonly atMost: number;
  readonly candidates: Uint32Array | null;
  readonly #index: TextSearch;
  readonly #wanted: string;
  readonly #lists: readonly Uint32Array[];
  readonly #exact: boolean;

  /** `wanted` comes folded. */
  constructor(index: TextSearch, wanted: string) {
    const { lists, distinct, exact } = index.find(wanted);
    this.atMost = lists[0]!.length;
    this.candidates = distinct ? lists[0]! : null;
    this.#index = index;
    this.#wanted = wanted;
    this.#lists = lists;
    this.#exact = exact;
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    return this.#index.keep(this.#wanted, rows, from, to);
  }

  narrow(marks: Marks): void {
    for (const list of this.#lists) marks.keepOnly(list);
    if (this.#exact) return;
    const rows = rowBuffer(marks.count());
    const found = this.keep(rows, 0, marks.list(rows));
    marks.keepOnly(rows.subarray(0, found));
  }
}
