// Large pages in pieces, so that other requests get their turn between two.

import { CSV_PAGE, CSV_PAGE_WITHOUT_HEADER } from './csv.ts';
import { JSON_PAGE } from './json.ts';
import { type Page, type PageFormat, pageChunks } from './page.ts';

const CHUNK_BYTES = 64 * 2 ** 10;

const FORMATS = {
  json: JSON_PAGE,
  csv: CSV_PAGE,
  'csv-without-header': CSV_PAGE_WITHOUT_HEADER,
} as const satisfies Record<string, PageFormat>;

/** Together the very bytes of `renderRowsJson` or `renderRowsCsv`. Each piece is rendered when it is asked for. */
export function renderChunks(page: Page, format: keyof typeof FORMATS): Generator<Buffer, void, undefined> {
  return pageChunks(page, FORMATS[format], CHUNK_BYTES);
}
