// Pages in every format: short ones at once, large ones in chunks, so that other requests run between two of them.

import type { FormatName } from '../domain/formats.ts';
import { arrowChunks, arrowMemory, arrowParts } from './arrow/arrow.ts';
import { ChunkMemory } from './chunk-memory.ts';
import { CSV_PAGE, CSV_PAGE_WITHOUT_HEADER } from './csv.ts';
import { JSON_PAGE, NDJSON_PAGE } from './json.ts';
import { LAST_ROW_BYTES, type PageFormat, pageChunks, type RowSelection, renderPage } from './page.ts';

/** At least the high-water mark of a socket, so that Node signals back-pressure after every chunk. */
const CHUNK_BYTES = 64 * 2 ** 10;
const MOST_SPARE = 64;
const memory = new ChunkMemory(CHUNK_BYTES + LAST_ROW_BYTES, MOST_SPARE);

const TEXT_FORMATS = {
  json: JSON_PAGE,
  csv: CSV_PAGE,
  'csv-without-header': CSV_PAGE_WITHOUT_HEADER,
  ndjson: NDJSON_PAGE,
} as const satisfies Record<string, PageFormat>;

export type RenderedFormat = FormatName | keyof typeof TEXT_FORMATS;

/** Each chunk is rendered when it is requested. `described`: with the metadata of the columns, if the format has a place for it. */
export function renderChunks(
  page: RowSelection,
  format: RenderedFormat,
  described = false,
): Generator<Buffer, void, undefined> {
  return format === 'arrow' ? arrowChunks(page, described) : pageChunks(page, TEXT_FORMATS[format], memory);
}

/**
 * The same for rows that come in parts, each of them a table of its own: a long page with computed columns, of which only one part is in
 * memory. There is at least one.
 */
export function* renderParts(
  parts: Iterable<RowSelection>,
  format: RenderedFormat,
  described = false,
): Generator<Buffer, void, undefined> {
  if (format === 'arrow') {
    yield* arrowParts(parts, described);
    return;
  }
  const whole = TEXT_FORMATS[format];
  let start = whole.start;
  for (const part of parts) {
    yield* pageChunks(part, { ...whole, start, end: '' }, memory);
    start = () => whole.rowSeparator;
  }
  if (whole.end !== '') yield Buffer.from(whole.end, 'latin1');
}

/** All chunks together, in a buffer of exactly its size, which may be cached. */
export function renderWhole(page: RowSelection, format: RenderedFormat, described = false): Buffer {
  return format === 'arrow' ? Buffer.concat([...arrowChunks(page, described)]) : renderPage(page, TEXT_FORMATS[format]);
}

/** To be called with every chunk that was sent, so that its memory is reused. */
export function reuseChunk(chunk: Buffer): void {
  memory.giveBack(chunk);
  arrowMemory.giveBack(chunk);
}
