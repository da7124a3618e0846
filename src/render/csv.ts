// Rows as CSV, RFC 4180: lines end with CR LF, null is an empty field, an empty text is `""`.

import type { Rows } from '../snapshot/table.ts';
import { withoutFormulas } from './csv-formulas.ts';
import type { PageFormat } from './page.ts';
import type { RowFormat } from './row-format.ts';

const NEEDS_QUOTES = /[",\r\n]/;

const CSV_ROWS: RowFormat = {
  cellStart: () => ',',
  null: '',
  text: csvText,
  json: csvText,
  time: timestamp => timestamp,
};
const LINES = { rows: CSV_ROWS, rowStart: '', rowEnd: '\r\n', rowSeparator: '', end: '' };

export const CSV_PAGE: PageFormat = { ...LINES, start: header };
export const CSV_PAGE_WITHOUT_HEADER: PageFormat = { ...LINES, start: () => '' };

function csvText(bytes: string): string {
  const safe = withoutFormulas(bytes);
  return safe === '' || NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Column names need no quotes. */
function header(table: Rows, columns: readonly number[]): string {
  return `${columns.map(column => table.dataset.columns[column]!.name).join()}\r\n`;
}
