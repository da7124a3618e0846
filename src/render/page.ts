// Renders a page of rows, at once or in chunks.

import { isOptional } from '../domain/columns.ts';
import { RENDERED_ASSET_BYTES, type Rows } from '../snapshot/table.ts';
import type { ChunkMemory } from './chunk-memory.ts';
import { RENDERED_BYTES, RenderedRows } from './rendered-rows.ts';
import type { RowFormat } from './row-format.ts';

export interface PageFormat {
  readonly rows: RowFormat;
  /** ASCII, as the others. */
  start(table: Rows, columns: readonly number[]): string;
  readonly rowStart: string;
  readonly rowEnd: string;
  readonly rowSeparator: string;
  readonly end: string;
}

export interface RowSelection {
  readonly table: Rows;
  /** Row numbers, in the order of the page. */
  readonly rows: Uint32Array;
  /** Columns of the response, as indexes into the dataset's. */
  readonly columns: readonly number[];
  /** The table is of this page only, so that none of its rendered rows is worth keeping. */
  readonly temporary?: true;
  /** Ticker of the quote, for the units of columns; dollars without it. */
  readonly unit?: string | null;
}

/** A buffer of exactly its size, which may be cached. */
export function renderPage(page: RowSelection, format: PageFormat): Buffer {
  // A page that failed may have left something there.
  scratch.length = 0;
  for (const _ of write(scratch, page, format, Number.POSITIVE_INFINITY))
    throw new RangeError('a page that is too long');
  return scratch.copy();
}

/** Room for the row that exceeds the size of a chunk. */
export const LAST_ROW_BYTES = 4096;

/** Each chunk but the last nearly fills its buffer. The caller can let other requests run between two of them. */
export function* pageChunks(
  page: RowSelection,
  format: PageFormat,
  memory: ChunkMemory,
): Generator<Buffer, void, undefined> {
  const out = new Output(memory);
  for (const _ of write(out, page, format, memory.bytes - LAST_ROW_BYTES)) yield out.take();
  yield out.take();
}

/** Yields whenever `chunkBytes` are written. */
function* write(
  out: Output,
  { table, rows, columns, temporary }: RowSelection,
  format: PageFormat,
  chunkBytes: number,
): Generator<void, void, undefined> {
  const shown = withoutUnused(table, columns);
  const rendered = renderedRows(shown, format.rows);
  const runs = contiguousRuns(columns);
  // A page that would evict most cached rows is likely to be requested once only.
  const isSmall = rows.length * shown.columns.length * BYTES_PER_CELL < RENDERED_BYTES / 2;
  const kept = temporary ? 0 : isSmall ? rows.length : FIRST_ROWS;
  out.write(format.start(table, columns));
  for (let i = 0; i < rows.length; i++) {
    if (out.length >= chunkBytes) yield;
    if (i >= kept && i % FETCHED_ROWS === 0) rendered.fetch(rows.subarray(i, i + FETCHED_ROWS));
    if (i > 0) out.write(format.rowSeparator);
    out.write(format.rowStart);
    rendered.find(rows[i]!, i < kept);
    out.copyCells(rendered, runs);
    out.write(format.rowEnd);
  }
  out.write(format.end);
}

/** Rows of every page that are cached: a client that requests a long page and does not read it receives no more than these. */
const FIRST_ROWS = 1024;

/** As many rows as stay in the processor's cache until they are written. */
const FETCHED_ROWS = 64;

/** The size of a cell of the listing as JSON, with its name. */
const BYTES_PER_CELL = 32;

const keptRows = new WeakMap<Rows, Map<RowFormat, RenderedRows>>();

/** Frees the rendered rows of a table that few requests will use. */
export function forgetRendered(table: Rows): void {
  for (const each of [table, ...(narrowTables.get(table) ?? [])]) {
    for (const rows of keptRows.get(each)?.values() ?? []) rows.forget();
  }
}

/** From narrow to wide. */
const narrowTables = new WeakMap<Rows, readonly Rows[]>();

/**
 * The first columns of the table, if the page shows none of the others: rendering all optional columns would cost more than the rest of
 * the row.
 */
function withoutUnused(table: Rows, columns: readonly number[]): Rows {
  const narrow = narrowTables.get(table) ?? narrowTablesOf(table);
  narrowTables.set(table, narrow);
  const last = Math.max(...columns);
  return narrow.find(each => last < each.columns.length) ?? table;
}

/** One ends before the optional columns, and one after those of the first group, with the rank, which the explorer shows. */
function narrowTablesOf({ dataset, rows, columns }: Rows): Rows[] {
  const ends = [
    dataset.columns.findIndex(isOptional),
    dataset.columns.findIndex(column => isOptional(column) && column.group !== 'market'),
  ];
  return ends
    .filter(end => end >= 0)
    .map(end => ({
      dataset: { ...dataset, columns: dataset.columns.slice(0, end) },
      rows,
      columns: columns.slice(0, end),
    }));
}

/** They live as long as the table, unless `forgetRendered` frees them. */
function renderedRows(table: Rows, format: RowFormat): RenderedRows {
  const formats = keptRows.get(table) ?? new Map<RowFormat, RenderedRows>();
  keptRows.set(table, formats);
  const rows =
    formats.get(format) ??
    new RenderedRows(table, format, table.dataset.ofOneAsset ? RENDERED_ASSET_BYTES : RENDERED_BYTES);
  formats.set(format, rows);
  return rows;
}

interface Run {
  readonly from: number;
  /** Included. */
  to: number;
}

/** Adjacent cells are copied together. */
function contiguousRuns(columns: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  for (const column of columns) {
    const last = runs.at(-1);
    if (last !== undefined && last.to + 1 === column) last.to = column;
    else runs.push({ from: column, to: column });
  }
  return runs;
}

class Output {
  readonly #memory: ChunkMemory | null;
  #bytes: Buffer = Buffer.alloc(0);
  length = 0;

  constructor(memory: ChunkMemory | null) {
    this.#memory = memory;
  }

  /** ASCII. */
  write(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.length++] = text.charCodeAt(i);
  }

  /** The cells of the record that was found last; the first one without its separator. */
  copyCells({ segment, start, ends, length }: RenderedRows, runs: readonly Run[]): void {
    this.#reserve(length);
    let separator = 1;
    for (const { from, to } of runs) {
      const first = from === 0 ? 0 : segment.words[ends + from - 1]!;
      const end = segment.words[ends + to]!;
      this.length += segment.bytes.copy(this.#bytes, this.length, start + first + separator, start + end);
      separator = 0;
    }
  }

  /** Hands over what was written since the last call. A socket may hold the buffer for long. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
    return taken;
  }

  /** A copy of what was written; the buffer is reused. */
  copy(): Buffer {
    const copied = Buffer.from(this.#bytes.subarray(0, this.length));
    if (this.#bytes.length > MOST_REUSED) this.#bytes = Buffer.alloc(0);
    return copied;
  }

  #reserve(size: number): void {
    const needed = this.length + size;
    if (needed <= this.#bytes.length) return;
    if (this.#memory !== null && this.#bytes.length === 0 && needed <= this.#memory.bytes) {
      this.#bytes = this.#memory.take();
      return;
    }
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

/** Larger than any page that is rendered at once, except with very long texts. */
const MOST_REUSED = 2 ** 20;

/** The scratch buffer for whole pages. */
const scratch = new Output(null);
