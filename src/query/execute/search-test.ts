// `q=`: the rows whose id, name or ticker contains a text.

import type { SearchMatches, TextSearch } from '../../snapshot/table.ts';
import type { RowBitmap } from './row-bitmap.ts';
import type { RowTest } from './row-test.ts';

/** Used within one call only. */
let buffer = new Uint32Array(0);

export class SearchTest implements RowTest {
  readonly atMost: number;
  readonly candidates: Uint32Array | null;
  readonly #index: TextSearch;
  readonly #wanted: string;
  readonly #found: SearchMatches;

  /** `wanted` is folded. */
  constructor(index: TextSearch, wanted: string) {
    const found = index.find(wanted);
    this.atMost = found.rows.length;
    this.candidates = found.distinct ? found.rows : null;
    this.#index = index;
    this.#wanted = wanted;
    this.#found = found;
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    return this.#index.keep(this.#wanted, rows, from, to);
  }

  narrow(bitmap: RowBitmap): void {
    const { rows, distinct, exact } = this.#found;
    if (exact || !distinct) bitmap.intersect(rows);
    if (exact) return;
    const length = distinct ? rows.length : bitmap.count();
    if (buffer.length < length) buffer = new Uint32Array(length);
    const list = buffer;
    const count = distinct ? this.#index.list(this.#wanted, list) : this.keep(list, 0, bitmap.list(list));
    bitmap.intersect(list.subarray(0, count));
  }
}
