// Finds out how a CSV file is laid out, from its first lines: the delimiter, the header, and what stands in which column.

import type { RejectReason } from '../source.ts';
import {
  COLUMN_ROLES,
  type Columns,
  columnFlag,
  columnNumber,
  findColumns,
  HEADER_NAMES,
  missingRoles,
} from './columns.ts';
import { type CsvOptions, delimiterByte, isSymbolGiven, NO_HEADER_FLAGS } from './csv-options.ts';
import { dateFormat } from './date-format.ts';
import { likelyFormat } from './file-formats.ts';
import { parseNumber } from './numbers.ts';
import { RowScanner, SCANNED } from './row-scanner.ts';
import { parseInstant } from './times.ts';

/** How much of a file is looked at, and how many lines may stand before the header (exchanges put their address there). */
export const HEAD_BYTES = 64 * 1024;
const HEAD_LINES = 20;

const DELIMITERS = [',', ';', '\t', '|'].map(sign => sign.charCodeAt(0));

export interface Layout {
  readonly delimiter: number;
  readonly columns: Columns;
  /** Cells of a row. */
  readonly width: number;
  /** The cells of the header, null without one. */
  readonly header: readonly string[] | null;
  /** First line that can be data. */
  readonly firstLine: number;
}

export interface NoLayout {
  readonly line: number;
  readonly reason: RejectReason;
  readonly problem: string;
}

interface HeadRow {
  readonly line: number;
  readonly nextLine: number;
  readonly cells: readonly string[];
}

/** `head` is the start of the file without a byte order mark, or all of it when `whole`. */
export function findLayout(head: Buffer, whole: boolean, options: CsvOptions): Layout | NoLayout {
  const given = delimiterByte(options);
  const delimiters = given === null ? DELIMITERS : [given];
  const rowsSeen: HeadRow[] = [];
  for (const delimiter of delimiters) {
    const rows = headRows(head, whole, delimiter);
    for (const row of options.noHeader ? rows.slice(0, 1) : rows) {
      const layout = layoutBy(row, delimiter, options);
      if (layout !== null) return layout;
    }
    rowsSeen.push(...rows);
  }
  if (rowsSeen.length > 0) return closest(rowsSeen, options);
  return {
    line: 1,
    reason: 'missing_column',
    problem: 'the file is empty; a header and at least one row are expected',
  };
}

/** For people: `close: column 5 "Close"`. */
export function columnWords({ columns, header }: Layout, { symbol, volumeIn }: CsvOptions): string[] {
  const place = (at: number) => `column ${at + 1}${header === null ? '' : ` ${JSON.stringify(header[at])}`}`;
  const { days, volumeOf, ...rest } = columns;
  const words: string[] = [];
  for (const role of COLUMN_ROLES) {
    if (role === 'day') words.push(`day: ${days.map(place).join(', else ')}`);
    else if (role === 'symbol' && symbol !== undefined) words.push(`symbol: ${symbol}`);
    else if (role === 'volume' && rest.volume >= 0 && volumeIn === 'quote') {
      words.push(`volume: ${place(rest.volume)}, in dollars: divided by the close`);
    } else if (rest[role] >= 0) words.push(`${role}: ${place(rest[role])}`);
    else if (role === 'volume' && volumeOf.size > 0) {
      words.push(`volume: ${[...volumeOf.values()].map(place).join(' or ')}, by the asset`);
    }
  }
  return words;
}

function headRows(head: Buffer, whole: boolean, delimiter: number): HeadRow[] {
  const scanner = new RowScanner(delimiter);
  scanner.push(head);
  if (whole) scanner.finish();
  const rows: HeadRow[] = [];
  for (let scanned = scanner.next(); scanned !== SCANNED.more && rows.length < HEAD_LINES; scanned = scanner.next()) {
    if (scanned === SCANNED.broken) continue;
    const cells = Array.from({ length: scanner.cells }, (_, cell) => scanner.text(cell));
    if (cells.length > 1 || cells[0] !== '')
      rows.push({ line: scanner.line, nextLine: scanner.line + scanner.lines, cells });
  }
  return rows;
}

function layoutBy(row: HeadRow, delimiter: number, options: CsvOptions): Layout | null {
  const columns = findColumns(options.noHeader ? row.cells.map(() => '') : row.cells, options.columns ?? {});
  if (missingRoles(columns, isSymbolGiven(options)).length > 0) return null;
  const isData =
    options.noHeader || (allByNumber(options) && columns.days.some(day => isTime(row.cells[day]!, options)));
  return {
    delimiter,
    columns: isData
      ? findColumns(
          row.cells.map(() => ''),
          options.columns ?? {},
        )
      : columns,
    width: row.cells.length,
    header: isData ? null : row.cells,
    firstLine: isData ? row.line : row.nextLine,
  };
}

/** Such a file needs no header, so that its first line can be data. */
function allByNumber(options: CsvOptions): boolean {
  const { columns = {} } = options;
  const isNumber = (reference: string | undefined): boolean =>
    reference !== undefined && columnNumber(reference) !== null;
  return isNumber(columns.day) && isNumber(columns.close) && (isSymbolGiven(options) || isNumber(columns.symbol));
}

function isTime(cell: string, options: CsvOptions): boolean {
  const bytes = Buffer.from(cell);
  const format = options.dateFormat === undefined ? null : dateFormat(options.dateFormat);
  return !Number.isNaN(parseInstant(bytes, 0, bytes.length, format));
}

/** Names are neither times nor prices. */
function looksLikeData({ cells }: HeadRow, options: CsvOptions): boolean {
  const isNumber = (cell: string): boolean => {
    const bytes = Buffer.from(cell);
    return !Number.isNaN(parseNumber(bytes, 0, bytes.length, options.decimal));
  };
  return cells.some(cell => isTime(cell, options)) && cells.some(isNumber);
}

/** What the line that comes nearest to a header lacks. */
function closest(rows: readonly HeadRow[], options: CsvOptions): NoLayout {
  const judged = rows.map(row => ({
    row,
    missing: missingRoles(findColumns(row.cells, options.columns ?? {}), isSymbolGiven(options)),
  }));
  // Of equals the one with most cells, then the first: a banner has one cell, and a line cut by the wrong delimiter has others inside them.
  judged.sort((a, b) => a.missing.length - b.missing.length || wholeCells(b.row) - wholeCells(a.row));
  const { row, missing } = judged[0]!;
  const lacks = missing.map(role => {
    const named = options.columns?.[role];
    if (named !== undefined) return `no column ${named}, which ${columnFlag(role)} names`;
    const names = HEADER_NAMES[role].slice(0, 4).join(', ');
    const instead =
      role === 'symbol'
        ? `${columnFlag(role)}, or the asset with --symbol, or take it from file names with --symbol-from-name`
        : columnFlag(role);
    return `no column for the ${role} (${names}): name it with ${instead}`;
  });
  const reason = 'missing_column';
  const isData = looksLikeData(row, options) && !options.noHeader;
  const found = isData
    ? `the first line is ${shortList(row.cells)}, not a header`
    : `the columns are ${shortList(row.cells)}`;
  const format = options.format === undefined ? likelyFormat(row.cells, isData) : null;
  if (format !== null)
    return { line: row.line, reason, problem: `${found}; such files are read with --format ${format}` };
  if (isData)
    return { line: row.line, reason, problem: `${found}; if the file has none: --no-header, and ${NO_HEADER_FLAGS}` };
  return { line: row.line, reason, problem: `${found}; there is ${lacks.join('; ')}` };
}

/** The cells of a row in which no other delimiter stands. */
function wholeCells({ cells }: HeadRow): number {
  return cells.filter(cell => !/[,;\t|]/.test(cell)).length;
}

function shortList(cells: readonly string[]): string {
  const shown = cells.slice(0, 12).map(cell => (cell.length > 24 ? `${cell.slice(0, 23)}…` : cell));
  return JSON.stringify(shown.join(', ') + (cells.length > 12 ? ', …' : ''));
}
