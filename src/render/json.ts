// Rows as JSON: the array that `result` holds.

import type { Rows } from '../snapshot/table.ts';
import { type PageFormat, renderPage } from './page.ts';

export const JSON_PAGE: PageFormat = {
  rows: {
    cellStart: column => `,${JSON.stringify(column.name)}:`,
    null: 'null',
    // Escapes quotes, backslashes and control characters, all of them ASCII; other bytes pass through.
    text: bytes => JSON.stringify(bytes),
    json: bytes => bytes,
    time: timestamp => `"${timestamp}"`,
    rowStart: '{',
    rowEnd: '}',
    rowSeparator: ',',
  },
  start: () => '[',
  end: ']',
};

export function renderRowsJson(table: Rows, rows: Uint32Array, columns: readonly number[]): Buffer {
  return renderPage({ table, rows, columns }, JSON_PAGE);
}
