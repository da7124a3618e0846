// What a format says of cells and rows, and how a row is written by it.
//
// Rows are put together as strings of one character per byte of UTF-8 ("byte strings"): escaping and quoting concern ASCII
// only, the lengths are offsets into the bytes, and a Buffer takes such a string over in one copy.

import type { Column } from '../domain/columns.ts';
import { type Day, profileTimeFromDay, timestampFromDay } from '../domain/day.ts';
import type { ColumnData, Table } from '../snapshot/table.ts';
import { bufferOf } from '../snapshot/texts.ts';

export interface RowFormat {
  /** What stands before a column's cell: one character that separates it from the cell before, then its label if any. */
  cellStart(column: Column): string;
  readonly null: string;
  /** A text, given and returned as a byte string. */
  text(bytes: string): string;
  /** A timestamp, which holds nothing that needs escaping. */
  time(timestamp: string): string;
  readonly rowStart: string;
  readonly rowEnd: string;
  readonly rowSeparator: string;
}

/** Writes rows of one table with all their columns. */
export class RowWriter {
  /** After a call of `write`: where each cell ends, in bytes. */
  readonly ends: Uint32Array;
  readonly #cells: readonly ((row: number) => string)[];

  constructor(table: Table, format: RowFormat) {
    this.#cells = table.columns.map((data, i) => cellWriter(table.dataset.columns[i]!, data, format));
    this.ends = new Uint32Array(this.#cells.length);
  }

  /** The cells of a row as a byte string, the first one with its separator. */
  write(row: number): string {
    let text = '';
    for (let i = 0; i < this.#cells.length; i++) {
      text += this.#cells[i]!(row);
      this.ends[i] = text.length;
    }
    return text;
  }
}

function cellWriter(column: Column, data: ColumnData, format: RowFormat): (row: number) => string {
  const start = format.cellStart(column);
  const missing = start + format.null;
  switch (data.kind) {
    case 'number': {
      const { values } = data;
      // The shortest text that reads back as the same double, by the definition of the language; valid in JSON.
      return row => (Number.isFinite(values[row]) ? start + values[row] : missing);
    }
    case 'day': {
      const { values } = data;
      const text = 'milliseconds' in column ? ROW_TIMES : PROFILE_TIMES;
      return row => (values[row]! < 0 ? missing : start + format.time(text(values[row]!)));
    }
    case 'flag': {
      const { values } = data;
      return row => start + (values[row] === 1);
    }
    case 'text': {
      const bytes = bufferOf(data.bytes);
      const { offsets } = data;
      return row =>
        data.missing[row] === 1
          ? missing
          : start + format.text(bytes.toString('latin1', offsets[row]!, offsets[row + 1]!));
    }
  }
}

/** More days than prices of digital assets have, yet few enough to keep. */
const DAY_TEXTS = 10_000;

/** Writes days, and keeps the texts: a listing has few different days. */
function keptTexts(write: (day: Day) => string): (day: number) => string {
  const texts = new Map<number, string>();
  return day => {
    const known = texts.get(day);
    if (known !== undefined) return known;
    if (texts.size === DAY_TEXTS) texts.clear();
    const text = write(day as Day); // tables hold days only
    texts.set(day, text);
    return text;
  };
}

const ROW_TIMES = keptTexts(timestampFromDay);
const PROFILE_TIMES = keptTexts(profileTimeFromDay);
