// Rows as JSON: the array that `result` holds, or one line per row.

import type { PageFormat } from './page.ts';
import type { RowFormat } from './row-format.ts';

/** Both formats share the rendered rows. */
const JSON_ROWS: RowFormat = {
  cellStart: column => `,${JSON.stringify(column.name)}:`,
  null: 'null',
  // Escapes quotes, backslashes and control characters, all of them ASCII; other bytes pass through.
  text: bytes => JSON.stringify(bytes),
  json: bytes => bytes,
  time: timestamp => `"${timestamp}"`,
};

export const JSON_PAGE: PageFormat = {
  rows: JSON_ROWS,
  start: () => '[',
  rowStart: '{',
  rowEnd: '}',
  rowSeparator: ',',
  end: ']',
};

export const NDJSON_PAGE: PageFormat = {
  rows: JSON_ROWS,
  start: () => '',
  rowStart: '{',
  rowEnd: '}\n',
  rowSeparator: '',
  end: '',
};
