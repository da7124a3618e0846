// How far apart the rows of a file are, found from its first rows.

import { MILLIS_PER_DAY } from '../../domain/day.ts';
import type { DateFormat } from './date-format.ts';
import type { Layout } from './layout.ts';
import { RowScanner, SCANNED } from './row-scanner.ts';
import { parseInstant } from './times.ts';

export interface Spacing {
  /** `few`: too few rows to say. `irregular`: finer than days, and without a step that most rows keep. */
  readonly kind: 'steps' | 'days' | 'irregular' | 'few';
  /** Milliseconds from one row to the next; of irregular rows what is usual, and 0 if there are too few. */
  readonly step: number;
  /** For people. */
  readonly words: string;
}

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Longest first. All of them divide a day. */
const STEPS: readonly (readonly [string, number])[] = [
  ['12 hours', 12 * HOUR],
  ['8 hours', 8 * HOUR],
  ['6 hours', 6 * HOUR],
  ['4 hours', 4 * HOUR],
  ['3 hours', 3 * HOUR],
  ['2 hours', 2 * HOUR],
  ['1 hour', HOUR],
  ['30 minutes', 30 * MINUTE],
  ['15 minutes', 15 * MINUTE],
  ['10 minutes', 10 * MINUTE],
  ['5 minutes', 5 * MINUTE],
  ['3 minutes', 3 * MINUTE],
  ['1 minute', MINUTE],
  ['30 seconds', 30 * SECOND],
  ['15 seconds', 15 * SECOND],
  ['10 seconds', 10 * SECOND],
  ['5 seconds', 5 * SECOND],
  ['1 second', SECOND],
];

/** Of the distances, this share must be whole steps: the last row of many files is of the moment of the download. */
const SHARE = 0.9;
/** Distances without which nothing can be said. */
const FEW = 2;
/** Rows per day from which on a file is finer than days. */
const ROWS_PER_DAY = 1.2;
/** The same of a shuffled file, of whose days the first rows have few hours each, but many hours of the day. */
const ROWS_PER_DAY_SHUFFLED = 1.03;
const MANY_TIMES = 5;

/** `head` is the start of the file, or all of it when `whole`. Rows may come in any order. */
export function findSpacing(head: Buffer, whole: boolean, layout: Layout, format: DateFormat | null): Spacing {
  const instants = instantsOf(head, whole, layout, format);
  const gaps = [...instants.values()].flatMap(distances).sort((a, b) => a - b);
  if (gaps.length < FEW) return { kind: 'few', step: 0, words: 'not known' };
  const median = gaps[gaps.length >> 1]!;
  if (!isFinerThanDays(instants)) {
    const days = Math.round(median / MILLIS_PER_DAY);
    return { kind: 'days', step: median, words: days === 1 ? '1 day' : `${days} days` };
  }
  const found = STEPS.find(([, millis]) => gaps.filter(gap => gap % millis === 0).length >= SHARE * gaps.length);
  if (found !== undefined) return { kind: 'steps', step: found[1], words: found[0] };
  return { kind: 'irregular', step: median, words: 'irregular' };
}

/** By asset. */
function instantsOf(
  head: Buffer,
  whole: boolean,
  { delimiter, columns, width, firstLine }: Layout,
  format: DateFormat | null,
): Map<string, Set<number>> {
  const scanner = new RowScanner(delimiter);
  scanner.push(head);
  if (whole) scanner.finish();
  const found = new Map<string, Set<number>>();
  for (let scanned = scanner.next(); scanned !== SCANNED.more; scanned = scanner.next()) {
    if (scanned === SCANNED.broken || scanner.line < firstLine || scanner.cells < width) continue;
    const cells = columns.days.map(day => Buffer.from(scanner.text(day), 'latin1'));
    const instant = cells.map(cell => parseInstant(cell, 0, cell.length, format)).find(each => !Number.isNaN(each));
    if (instant === undefined) continue;
    const symbol = columns.symbol < 0 ? '' : scanner.text(columns.symbol);
    const own = found.get(symbol) ?? new Set();
    found.set(symbol, own.add(instant));
  }
  return found;
}

function distances(instants: ReadonlySet<number>): number[] {
  const sorted = [...instants].sort((a, b) => a - b);
  return sorted.slice(1).map((instant, i) => instant - sorted[i]!);
}

function isFinerThanDays(instants: ReadonlyMap<string, ReadonlySet<number>>): boolean {
  const times = new Set<number>();
  let [rows, days] = [0, 0];
  for (const own of instants.values()) {
    rows += own.size;
    days += new Set(Array.from(own, instant => Math.floor(instant / MILLIS_PER_DAY))).size;
    for (const instant of own) times.add(instant % MILLIS_PER_DAY);
  }
  return rows / days >= (times.size >= MANY_TIMES ? ROWS_PER_DAY_SHUFFLED : ROWS_PER_DAY);
}
