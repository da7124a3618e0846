// Large pages in pieces, so that other requests get their turn between two.

import { ChunkMemory } from './chunk-memory.ts';
import { CSV_PAGE, CSV_PAGE_WITHOUT_HEADER } from './csv.ts';
import { JSON_PAGE } from './json.ts';
import { LAST_ROW_BYTES, type PageFormat, pageChunks, type RowSelection } from './page.ts';

/** Not less than what Node buffers for a client before it asks for a pause, so that it asks after every piece. */
const CHUNK_BYTES = 64 * 2 ** 10;
const MOST_SPARE = 64;
const memory = new ChunkMemory(CHUNK_BYTES + LAST_ROW_BYTES, MOST_SPARE);

const FORMATS = {
  json: JSON_PAGE,
  csv: CSV_PAGE,
  'csv-without-header': CSV_PAGE_WITHOUT_HEADER,
} as const satisfies Record<string, PageFormat>;

/** Together the very bytes of `renderRowsJson` or `renderRowsCsv`. Each piece is rendered when it is asked for. */
export function renderChunks(page: RowSelection, format: keyof typeof FORMATS): Generator<Buffer, void, undefined> {
  return pageChunks(page, FORMATS[format], memory);
}

/** To be told of every piece that was sent, so that its memory is used again. */
export function reuseChunk(chunk: Buffer): void {
  memory.giveBack(chunk);
}
