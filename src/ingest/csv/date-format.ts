// Dates in an order that the user states with `--date-format`, such as MM/DD/YYYY.

import { SourceUsageError } from '../source.ts';

const PARTS = {
  YYYY: ['year', '(\\d{4})'],
  YY: ['year', '(\\d{2})'],
  MMMM: ['month', '(\\p{L}{3,9})\\.?'],
  MMM: ['month', '(\\p{L}{3,9})\\.?'],
  MM: ['month', '(\\d{1,2})'],
  M: ['month', '(\\d{1,2})'],
  DD: ['day', '(\\d{1,2})'],
  D: ['day', '(\\d{1,2})'],
} as const;
type PartName = keyof typeof PARTS;

/** The signs of `strftime`, which many know from other programs. */
const STRFTIME: Readonly<Record<string, PartName>> = {
  Y: 'YYYY',
  y: 'YY',
  m: 'MM',
  d: 'DD',
  b: 'MMM',
  B: 'MMMM',
  e: 'D',
};

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

export interface ParsedDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  /** What follows the date: a time of day, or nothing. */
  readonly rest: string;
}

/** The date at the start of a text, null when there is none in this format. */
export type DateFormat = (text: string) => ParsedDate | null;

/** From 1; NaN for what is not the name of a month, in full or its first three letters. */
export function monthNumber(name: string): number {
  const found = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return found < 0 ? Number.NaN : found + 1;
}

/** Of `MM/DD/YYYY`, `D MMM YYYY`, `%d.%m.%y` and the like: a day, a month and a year, each once. */
export function dateFormat(format: string): DateFormat {
  const names: string[] = [];
  const tokens = format.replace(/%-?([YymdbBe])/g, (_, sign: string) => STRFTIME[sign]!).toUpperCase();
  const pattern = tokens.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|D|[^\p{L}\p{N}\s]|\s+/gu, token => {
    if (!(token in PARTS)) return token.trim() === '' ? '\\s+' : RegExp.escape(token);
    const [name, source] = PARTS[token as PartName]; // as the line above asks
    names.push(name);
    return source;
  });
  if ([...names].sort().join() !== 'day,month,year') {
    throw new SourceUsageError(
      `--date-format ${JSON.stringify(format)} does not have a day, a month and a year, each once`,
      'write it with YYYY or YY, MM or MMM, and DD, such as MM/DD/YYYY, DD.MM.YYYY or "MMM DD, YYYY"',
    );
  }
  const expression = new RegExp(`^${pattern}`, 'iu');
  return text => {
    const found = expression.exec(text);
    if (found === null) return null;
    const part = (name: string): string => found[1 + names.indexOf(name)]!;
    const [year, month] = [part('year'), part('month')];
    return {
      year: year.length === 2 ? 2000 + Number(year) : Number(year),
      month: /^\d/.test(month) ? Number(month) : monthNumber(month),
      day: Number(part('day')),
      rest: text.slice(found[0].length),
    };
  };
}

/** How a date such as 03/24/2024 can be meant, as values of `--date-format`; empty when the text is not such a date. */
export function possibleFormats(text: string): string[] {
  const found = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(text);
  if (found === null) return [];
  const [, first, sign, second, year] = found;
  const end = `${sign}${year!.length === 2 ? 'YY' : 'YYYY'}`;
  const formats: string[] = [];
  if (Number(first) <= 12) formats.push(`MM${sign}DD${end}`);
  if (Number(second) <= 12) formats.push(`DD${sign}MM${end}`);
  return formats;
}
