// Texts of a column as strings, for the indexes that are made once for each table.

import type { Table, TextData } from '../snapshot/table.ts';
import { bufferOf } from '../snapshot/texts.ts';

export class TextCells {
  readonly #data: TextData;
  readonly #buffer: Buffer;

  constructor(data: TextData) {
    this.#data = data;
    this.#buffer = bufferOf(data.bytes);
  }

  /** Null is the empty text. */
  at(row: number): string {
    return this.#buffer.toString('utf8', this.#data.offsets[row]!, this.#data.offsets[row + 1]!);
  }
}

/** The text column of this name; null for a table without one. */
export function textColumn(table: Table, name: string): TextData | null {
  const data = table.columns[table.dataset.columns.findIndex(column => column.name === name)];
  return data?.kind === 'text' ? data : null;
}
