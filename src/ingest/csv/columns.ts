// Which column of a CSV file holds what: the names that headers use, and the columns that a person names instead.

import { SourceUsageError } from '../source.ts';

export const COLUMN_ROLES = ['symbol', 'day', 'open', 'high', 'low', 'close', 'volume'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** A column by its name in the header, or by its number from 1. */
export type NamedColumns = Readonly<Partial<Record<ColumnRole, string | undefined>>>;

/**
 * Best first, compared without case, spaces and signs. For the day the readable names come before `unix`: exchange files mix
 * seconds and milliseconds there, while a date can be checked by eye. All of a file's day columns are kept: a row is read by the
 * first of them that holds a time in that row.
 */
export const HEADER_NAMES: Readonly<Record<ColumnRole, readonly string[]>> = {
  symbol: ['symbol', 'ticker', 'pair', 'asset', 'market'],
  day: ['day', 'date', 'datetime', 'time', 'timestamp', 'opentime', 'snappedat', 'unix'],
  open: ['open'],
  high: ['high'],
  low: ['low'],
  close: ['close', 'price', 'priceusd'],
  volume: ['volume'],
};

/** Names of a symbol column that holds pairs. */
const PAIR_NAMES: readonly string[] = ['pair', 'market'];

/** Column numbers from 0; -1 is none. */
export interface Columns {
  readonly symbol: number;
  /** In the order in which a row tries them. */
  readonly days: readonly number[];
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** `Volume BTC`: the column by ticker in upper case. Only the one of the row's base asset counts what is traded of it. */
  readonly volumeOf: ReadonlyMap<string, number>;
  /** The header says that symbols are pairs. */
  readonly pairs: boolean;
}

/** Number from 0 when the reference is a number, otherwise null. */
export function columnNumber(reference: string): number | null {
  return /^\d+$/.test(reference.trim()) ? Number(reference) - 1 : null;
}

/** What is wrong with the columns that a person named can be said before any file is read. */
export function checkNamedColumns(named: NamedColumns, noHeader: boolean): void {
  for (const role of COLUMN_ROLES) {
    const reference = named[role];
    if (reference === undefined) continue;
    const number = columnNumber(reference);
    if (reference.trim() === '' || number === -1) {
      throw new SourceUsageError(`${columnFlag(role)} is ${JSON.stringify(reference)}`, 'columns are counted from 1');
    }
    if (noHeader && number === null) {
      throw new SourceUsageError(
        `${columnFlag(role)} names the column ${reference}, but a file without a header has no names`,
        'give its number, counted from 1',
      );
    }
  }
}

export function columnFlag(role: ColumnRole): string {
  return `--${role}-column`;
}

export function findColumns(header: readonly string[], named: NamedColumns): Columns {
  const names = header.map(normalized);
  const all = (role: ColumnRole): number[] => {
    const reference = named[role];
    if (reference === undefined) return HEADER_NAMES[role].map(name => names.indexOf(name)).filter(at => at >= 0);
    const at = columnNumber(reference) ?? names.indexOf(normalized(reference));
    return at >= 0 && at < header.length ? [at] : [];
  };
  const first = (role: ColumnRole): number => all(role)[0] ?? -1;
  const symbol = first('symbol');
  return {
    symbol,
    days: all('day'),
    open: first('open'),
    high: first('high'),
    low: first('low'),
    close: first('close'),
    volume: first('volume'),
    volumeOf: volumeColumns(header),
    pairs: PAIR_NAMES.includes(names[symbol] ?? ''),
  };
}

/** The roles without which no row can be a bar. */
export function missingRoles(columns: Columns, symbolGiven: boolean): ColumnRole[] {
  const missing: ColumnRole[] = [];
  if (columns.symbol < 0 && !symbolGiven) missing.push('symbol');
  if (columns.days.length === 0) missing.push('day');
  if (columns.close < 0) missing.push('close');
  return missing;
}

function volumeColumns(header: readonly string[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const [at, name] of header.entries()) {
    const ticker = /^volume[\s_]*[\s_(]\(?([\p{L}\p{N}]+)\)?$/iu.exec(name.trim())?.[1];
    if (ticker !== undefined && !columns.has(ticker.toUpperCase())) columns.set(ticker.toUpperCase(), at);
  }
  return columns;
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
