// Which column of a file of facts holds what, by the names that providers give them.

import { HEADER_NAMES } from '../csv/columns.ts';
import { RowScanner, SCANNED } from '../csv/row-scanner.ts';

/** Best first, compared without case, spaces and signs. */
const NAMES = {
  id: ['id', 'assetid', 'coinid', 'slug', 'coin'],
  symbol: ['symbol', 'ticker', 'asset'],
  day: HEADER_NAMES.day,
  rank: ['rank', 'marketcaprank', 'cmcrank'],
  supply: ['circulatingsupply', 'supply', 'availablesupply'],
  marketCap: ['marketcap', 'marketcapusd', 'marketcaps', 'mcap', 'capmrktcurusd'],
} as const;

/** CoinGecko's name of a time: what is valid at midnight is that of the day which ends there. */
const MOMENT_NAME = 'snappedat';

type Role = keyof typeof NAMES;

/** Column numbers from 0; -1 is none. */
export type FactColumns = Readonly<Record<Role, number>> & { readonly endsAtMidnight: boolean };

export interface FactLayout {
  readonly delimiter: number;
  readonly header: readonly string[];
  readonly columns: FactColumns;
  /** First line that can be data. */
  readonly firstLine: number;
}

const DELIMITERS = [',', ';', '\t', '|'].map(sign => sign.charCodeAt(0));

/** `head` is the start of the file, or all of it if `whole`. A problem is for people. */
export function findFactLayout(
  head: Buffer,
  whole: boolean,
  isAssetGiven: boolean,
): FactLayout | { readonly line: number; readonly problem: string } {
  let closest: { line: number; problem: string; lacks: number } | null = null;
  for (const delimiter of DELIMITERS) {
    const row = headerRow(head, whole, delimiter);
    if (row === null) return { line: 1, problem: 'the file is empty; a header and at least one row are expected' };
    const columns = columnsOf(row.cells);
    const problems = problemsOf(columns, isAssetGiven);
    if (problems.length === 0) return { delimiter, header: row.cells, columns, firstLine: row.nextLine };
    if (closest !== null && closest.lacks <= problems.length) continue;
    const problem = `the columns are ${JSON.stringify(row.cells.slice(0, 12).join(', '))}; there is ${problems.join('; ')}`;
    closest = { line: row.line, problem, lacks: problems.length };
  }
  return closest!; // there are delimiters
}

function headerRow(head: Buffer, whole: boolean, delimiter: number) {
  const scanner = new RowScanner(delimiter);
  scanner.push(head);
  if (whole) scanner.finish();
  for (let scanned = scanner.next(); scanned !== SCANNED.more; scanned = scanner.next()) {
    if (scanned === SCANNED.broken) continue;
    const cells = Array.from({ length: scanner.cells }, (_, cell) => scanner.text(cell));
    if (cells.length > 1 || cells[0] !== '')
      return { line: scanner.line, nextLine: scanner.line + scanner.lines, cells };
  }
  return null;
}

function columnsOf(header: readonly string[]): FactColumns {
  const names = header.map(name => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  const find = (role: Role) => NAMES[role].map(name => names.indexOf(name)).find(at => at >= 0) ?? -1;
  const columns = Object.fromEntries(Object.keys(NAMES).map(role => [role, find(role as Role)])); // its keys are roles
  const found = columns as Readonly<Record<Role, number>>; // one entry per role
  return { ...found, endsAtMidnight: names[found.day] === MOMENT_NAME };
}

function problemsOf({ id, symbol, day, rank, supply, marketCap }: FactColumns, isAssetGiven: boolean): string[] {
  const problems: string[] = [];
  if (!isAssetGiven && id < 0 && symbol < 0) {
    problems.push('no column for the asset (id, symbol): name the asset of the file with --asset or --symbol');
  }
  if (day < 0) problems.push('no column for the day (date, timestamp, time)');
  if (rank < 0 && supply < 0 && marketCap < 0) {
    problems.push('no column of facts (market_cap, circulating_supply, supply, rank)');
  }
  return problems;
}
