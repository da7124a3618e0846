// Large pages in chunks, so that other requests run between two of them.

import { ChunkMemory } from './chunk-memory.ts';
import { CSV_PAGE, CSV_PAGE_WITHOUT_HEADER } from './csv.ts';
import { JSON_PAGE } from './json.ts';
import { LAST_ROW_BYTES, type PageFormat, pageChunks, type RowSelection } from './page.ts';

/** At least the high-water mark of a socket, so that Node signals back-pressure after every chunk. */
const CHUNK_BYTES = 64 * 2 ** 10;
const MOST_SPARE = 64;
const memory = new ChunkMemory(CHUNK_BYTES + LAST_ROW_BYTES, MOST_SPARE);

const FORMATS = {
  json: JSON_PAGE,
  csv: CSV_PAGE,
  'csv-without-header': CSV_PAGE_WITHOUT_HEADER,
} as const satisfies Record<string, PageFormat>;

/** Together, the bytes of `renderRowsJson` or `renderRowsCsv`. Each chunk is rendered when it is requested. */
export function renderChunks(page: RowSelection, format: keyof typeof FORMATS): Generator<Buffer, void, undefined> {
  return pageChunks(page, FORMATS[format], memory);
}

/** To be called with every chunk that was sent, so that its memory is reused. */
export function reuseChunk(chunk: Buffer): void {
  memory.giveBack(chunk);
}
