// `q=`: the rows whose id, name or ticker contains a text. All texts of a block of rows are one folded string, so that one
// search finds its next match in any of them.

import type { Table } from '../snapshot/table.ts';
import { foldForSearch } from './fold.ts';
import type { RowTest } from './row-test.ts';
import { TextCells, textColumn } from './text-cells.ts';

const SEARCHED_COLUMNS = ['id', 'name', 'symbol'];
/** Rows a block. A letter outside Latin-1 doubles the memory of its block only. */
const BLOCK_ROWS = 4096;
/** In no query and, once folded, in no text: no match reaches over it. */
const SEPARATOR = '\0';

interface Block {
  readonly text: string;
  /** Where each row's text begins, and behind the last one. */
  readonly starts: Uint32Array;
}

class SearchIndex {
  readonly #rows: number;
  readonly #columns: readonly TextCells[];
  readonly #blocks: Block[] = [];

  constructor(table: Table) {
    const columns = SEARCHED_COLUMNS.map(name => textColumn(table, name)).filter(data => data !== null);
    this.#rows = table.rows;
    this.#columns = columns.map(data => new TextCells(data));
  }

  block(number: number): Block {
    this.#blocks[number] ??= this.#makeBlock(number * BLOCK_ROWS);
    return this.#blocks[number];
  }

  #makeBlock(from: number): Block {
    const texts: string[] = [];
    const starts = new Uint32Array(Math.min(BLOCK_ROWS, this.#rows - from) + 1);
    for (let i = 0; i + 1 < starts.length; i++) {
      texts.push(this.#textOf(from + i));
      starts[i + 1] = starts[i]! + texts[i]!.length;
    }
    return { text: texts.join(''), starts };
  }

  /** A text that stands in another one of the row (the ticker in the id) finds nothing more and is left out. */
  #textOf(row: number): string {
    let all = '';
    for (const cells of this.#columns) {
      const text = foldForSearch(cells.at(row)).replaceAll(SEPARATOR, ' ');
      if (!all.includes(text)) all += text + SEPARATOR;
    }
    return all;
  }
}

const indexes = new WeakMap<Table, SearchIndex>();

class Contains implements RowTest {
  readonly #index: SearchIndex;
  readonly #wanted: string;

  constructor(index: SearchIndex, wanted: string) {
    this.#index = index;
    this.#wanted = wanted;
  }

  scan(from: number, to: number, out: Uint32Array, at: number): number {
    let end = at;
    for (let base = from - (from % BLOCK_ROWS); base < to; base += BLOCK_ROWS) {
      const { text, starts } = this.#index.block(base / BLOCK_ROWS);
      const last = Math.min(to - base, starts.length - 1);
      for (let row = Math.max(from - base, 0); row < last; row++) {
        const found = text.indexOf(this.#wanted, starts[row]);
        if (found < 0) break;
        while (starts[row + 1]! <= found) row++;
        if (row < last) out[end++] = base + row;
      }
    }
    return end;
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    let end = from;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      const { text, starts } = this.#index.block(Math.floor(row / BLOCK_ROWS));
      const inBlock = row % BLOCK_ROWS;
      if (text.slice(starts[inBlock], starts[inBlock + 1]).includes(this.#wanted)) rows[end++] = row;
    }
    return end;
  }
}

/** `wanted` comes folded. */
export function searchTest(table: Table, wanted: string): RowTest {
  let index = indexes.get(table);
  if (index === undefined) {
    index = new SearchIndex(table);
    indexes.set(table, index);
  }
  return new Contains(index, wanted);
}
