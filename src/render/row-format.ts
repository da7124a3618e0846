// The definition of a row format, and the writer of rows in a format.
//
// Texts pass through a format as strings of one character per byte of UTF-8 ("byte strings"): escaping and quoting concern
// ASCII only, and the other bytes stay as they are.

import type { Column } from '../domain/columns.ts';
import { type Interval, type Period, timestampOfPeriod } from '../domain/interval.ts';
import { bufferOf } from '../snapshot/columns/texts.ts';
import type { ColumnData, Rows } from '../snapshot/table.ts';
import { RowRecord } from './row-record.ts';

export interface RowFormat {
  /** The text before a column's cell: one character that separates it from the cell before, then its label, if any. */
  cellStart(column: Column): string;
  readonly null: string;
  /** A text, given and returned as a byte string. */
  text(bytes: string): string;
  /** A JSON text, given and returned as a byte string. */
  json(bytes: string): string;
  /** A timestamp, which holds nothing that needs escaping. */
  time(timestamp: string): string;
}

/** Writes rows of one table with all their columns. */
export class RowWriter {
  /** The row that was written last; its first cell has its separator too. */
  readonly record: RowRecord;
  readonly #cells: readonly CellWriter[];
  readonly #numbers: readonly Float64Array[];
  /** The sum of prefetched numbers. Without a use of them, the compiler would remove the prefetch. */
  fetchedSum = 0;

  constructor(table: Rows, format: RowFormat) {
    this.#cells = table.columns.map((data, i) => cellWriter(table.dataset.columns[i]!, data, format));
    this.#numbers = table.columns.filter(data => data.kind === 'number').map(({ values }) => values);
    this.record = new RowRecord(this.#cells.length);
  }

  /**
   * Prefetches the numbers of rows that will be written next, column by column. They are far apart in memory, and the processor
   * overlaps such reads only if nothing else happens in between.
   */
  fetch(rows: Uint32Array): void {
    let sum = 0;
    for (const values of this.#numbers) {
      for (let i = 0; i < rows.length; i++) sum += values[rows[i]!]!;
    }
    this.fetchedSum = sum;
  }

  write(row: number): RowRecord {
    this.record.clear();
    for (let i = 0; i < this.#cells.length; i++) {
      this.#cells[i]!(row, this.record);
      this.record.endCell(i);
    }
    return this.record;
  }
}

type CellWriter = (row: number, record: RowRecord) => void;

function cellWriter(column: Column, data: ColumnData, format: RowFormat): CellWriter {
  const start = format.cellStart(column);
  const missing = start + format.null;
  switch (data.kind) {
    case 'number': {
      const { values } = data;
      return (row, record) => {
        const value = values[row]!;
        if (Number.isFinite(value)) record.addNumber(start, value);
        else record.addText(missing);
      };
    }
    case 'day': {
      const { values, interval } = data;
      const text = timeTexts(interval, 'milliseconds' in column);
      return (row, record) => record.addText(values[row]! < 0 ? missing : start + format.time(text(values[row]!)));
    }
    case 'flag': {
      const { values } = data;
      return (row, record) => record.addText(start + (values[row] === 1));
    }
    case 'text': {
      const bytes = bufferOf(data.bytes);
      const { offsets } = data;
      const write = column.kind === 'json' ? format.json : format.text;
      return (row, record) =>
        record.addText(
          data.missing[row] === 1 ? missing : start + write(bytes.toString('latin1', offsets[row]!, offsets[row + 1]!)),
        );
    }
  }
}

/** More days than digital assets have prices, yet few enough to cache. */
const PERIOD_TEXTS = 10_000;

const writers = new Map<string, (period: number) => string>();

/** Writes the starts of periods, and caches the texts: a listing has few different ones. */
function timeTexts(interval: Interval, milliseconds: boolean): (period: number) => string {
  const name = `${interval} ${milliseconds}`;
  const known = writers.get(name);
  if (known !== undefined) return known;
  const write = (period: number) => {
    const text = timestampOfPeriod(interval, period as Period); // tables hold periods only
    return milliseconds ? text : text.replace('.000Z', 'Z');
  };
  const writer = keptTexts(write);
  writers.set(name, writer);
  return writer;
}

function keptTexts(write: (period: number) => string): (period: number) => string {
  const texts = new Map<number, string>();
  return period => {
    const known = texts.get(period);
    if (known !== undefined) return known;
    if (texts.size === PERIOD_TEXTS) texts.clear();
    const text = write(period);
    texts.set(period, text);
    return text;
  };
}
