// Redenominations and migrations from a CSV file: `asset,day,ratio,from_asset,reason`.

import { readFile, stat } from 'node:fs/promises';
import { type Day, dayFromIso, dayOfMillis, isoFromDay } from '../domain/day.ts';
import { RowScanner, SCANNED } from './csv/row-scanner.ts';
import { SourceError } from './source.ts';

export interface ActionLine {
  /** `FILE:LINE`, for messages. */
  readonly where: string;
  /** Ids or tickers. */
  readonly asset: string;
  readonly fromAsset: string | null;
  readonly day: Day;
  readonly ratio: number;
  readonly reason: string;
}

/** Larger files are something else. */
const MOST_BYTES = 2 ** 22;
const COLUMNS = ['asset', 'day', 'ratio', 'from_asset', 'reason'] as const;
const LONGEST_REASON = 500;

type Column = (typeof COLUMNS)[number];

/** Fails for the first line that cannot be right: a list of actions is entered as a whole. */
export async function readActions(path: string): Promise<ActionLine[]> {
  const { size } = await stat(path).catch(error => {
    throw new SourceError(`${path} cannot be read: ${error.code ?? error.message}`, 'Name a CSV file.');
  });
  if (size > MOST_BYTES) throw new SourceError(`${path} is larger than ${MOST_BYTES} bytes`, 'Name a list of actions.');
  const lines: ActionLine[] = [];
  let columns: readonly number[] | null = null;
  for (const { line, cells } of rowsOf(await readFile(path), path)) {
    if (cells.every(cell => cell === '')) continue;
    if (columns === null) columns = columnsOf(cells, path);
    else lines.push(lineOf(cells, columns, `${path}:${line}`));
  }
  if (lines.length === 0) throw new SourceError(`${path} has no action`, `Its header is ${COLUMNS.join(',')}.`);
  return lines;
}

/** Null if it is not one. */
export function parseRatio(text: string): number | null {
  const ratio = /^\d*\.?\d+(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
  return ratio > 0 && ratio <= MOST_RATIO && ratio >= 1 / MOST_RATIO ? ratio : null;
}

/** What would change every price of an asset by mistake, or none. */
export function actionProblem(action: {
  readonly day: Day;
  readonly ratio: number;
  readonly isMigration: boolean;
}): { readonly part: 'day' | 'ratio'; readonly text: string } | null {
  const today = dayOfMillis(Date.now());
  if (today !== null && action.day > today) {
    const text = `${isoFromDay(action.day)} has not begun; enter the action on its day (it is ${isoFromDay(today)}, UTC)`;
    return { part: 'day', text };
  }
  if (action.ratio === 1 && !action.isMigration)
    return { part: 'ratio', text: '1 changes nothing: give the old units per new one, such as 1000' };
  return null;
}

/** Prices beyond it would not be prices. */
const MOST_RATIO = 1e18;

function* rowsOf(bytes: Buffer, path: string): Generator<{ line: number; cells: string[] }> {
  const scanner = new RowScanner(','.charCodeAt(0));
  scanner.push(bytes);
  scanner.finish();
  for (let scanned = scanner.next(); scanned !== SCANNED.more; scanned = scanner.next()) {
    if (scanned === SCANNED.broken)
      throw new SourceError(`${path}:${scanner.line}: ${scanner.fault}`, 'Correct the line.');
    yield { line: scanner.line, cells: Array.from({ length: scanner.cells }, (_, cell) => scanner.text(cell)) };
  }
}

function columnsOf(header: readonly string[], path: string): number[] {
  const names = header.map(name =>
    name
      .toLowerCase()
      .replace(/^\uFEFF/, '')
      .replaceAll('-', '_'),
  );
  const found = COLUMNS.map(column => names.indexOf(column));
  if (found[0]! < 0 || found[1]! < 0) {
    throw new SourceError(
      `${path}: the header lacks the column ${found[0]! < 0 ? 'asset' : 'day'}`,
      `Its first line is ${COLUMNS.join(',')}; asset and day are required.`,
    );
  }
  const unknown = names.find(name => !(COLUMNS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new SourceError(
      `${path}: unknown column ${JSON.stringify(unknown)}`,
      `The columns are ${COLUMNS.join(', ')}.`,
    );
  return found;
}

function lineOf(cells: readonly string[], columns: readonly number[], where: string): ActionLine {
  const cell = (column: Column) => cells[columns[COLUMNS.indexOf(column)]!] ?? '';
  const refuse = (what: string, right: string) => new SourceError(`${where}: ${what}`, right);
  const day = dayFromIso(cell('day'));
  if (cell('asset') === '') throw refuse('the asset is missing', 'Give its id, such as btc-bitcoin.');
  if (day === null) throw refuse(`${JSON.stringify(cell('day'))} is not a day`, 'Write it as 2024-03-01.');
  const fromAsset = cell('from_asset') === '' ? null : cell('from_asset');
  const ratio = parseRatio(cell('ratio') === '' && fromAsset !== null ? '1' : cell('ratio'));
  if (ratio === null) {
    throw refuse(
      `${JSON.stringify(cell('ratio'))} is not a ratio`,
      'Give the old units per new one, a number above 0.',
    );
  }
  const problem = actionProblem({ day, ratio, isMigration: fromAsset !== null });
  if (problem !== null) throw refuse(`the ${problem.part} cannot be right`, problem.text);
  if (cell('reason').length > LONGEST_REASON)
    throw refuse('the reason is too long', `At most ${LONGEST_REASON} characters.`);
  return { where, asset: cell('asset'), fromAsset, day, ratio, reason: cell('reason') };
}
