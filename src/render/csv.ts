// Rows as CSV, RFC 4180: lines end with CR LF, null is an empty field, an empty text is `""`.
//
// A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab, a line break or NUL (or the full-width form of one of
// the signs) for a formula and runs it. Such a text gets an apostrophe in front, and so does a text that begins with an
// apostrophe, so that a reader who wants the text itself can always remove one leading apostrophe. Numbers are left alone.

import type { Table } from '../snapshot/table.ts';
import { type PageFormat, renderPage } from './page.ts';
import type { RowFormat } from './row-format.ts';

/** In bytes of UTF-8: the full-width signs are three each. */
const RUNS_AS_FORMULA = /^(?:[=+\-@\t\r\n\0']|\xef\xbc[\x8b\x8d\x9d\xa0])/;
const NEEDS_QUOTES = /[",\r\n]/;

const CSV_ROWS: RowFormat = {
  cellStart: () => ',',
  null: '',
  text: csvText,
  time: timestamp => timestamp,
  rowStart: '',
  rowEnd: '\r\n',
  rowSeparator: '',
};

export const CSV_PAGE: PageFormat = { rows: CSV_ROWS, start: header, end: '' };
export const CSV_PAGE_WITHOUT_HEADER: PageFormat = { rows: CSV_ROWS, start: () => '', end: '' };

export function renderRowsCsv(
  table: Table,
  rows: Uint32Array,
  columns: readonly number[],
  withHeader: boolean = true,
): Buffer {
  return renderPage({ table, rows, columns }, withHeader ? CSV_PAGE : CSV_PAGE_WITHOUT_HEADER);
}

function csvText(bytes: string): string {
  const safe = RUNS_AS_FORMULA.test(bytes) ? `'${bytes}` : bytes;
  return safe === '' || NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Column names are plain words, which need no quotes. */
function header(table: Table, columns: readonly number[]): string {
  return `${columns.map(column => table.dataset.columns[column]!.name).join()}\r\n`;
}
