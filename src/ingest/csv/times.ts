// Reads the time of a row from the bytes of its cell, in whichever of the usual forms it is written.
//
//   2024-05-12, 2024/05/12, 20240512           a day
//   2024-05-12T13:45:10.5+02:00                 an ISO time, with T or a space; without a zone it is UTC
//   2024-05-12 08-PM                            the hours of older CryptoDataDownload files
//   Sep 05, 2017; 5 September 2017; 5-Sep-2017  a day with the name of its month
//   15.11.2026                                  a day with points: wherever these are written, the day comes first
//   1715472000, 1715472000000.0, …              Unix time. Its unit follows from the digits before the point: 9 to 11 are
//                                               seconds, 12 to 14 milliseconds, 15 to 17 micro-, 18 to 20 nanoseconds, which
//                                               reads every instant from 1973 to 5138 as what it is
// What can mean several days (05/06/2024, a spreadsheet's 45424) is not guessed: `--date-format` decides.

import { MILLIS_PER_DAY } from '../../domain/day.ts';
import { type DateFormat, dateFormat, type ParsedDate } from './date-format.ts';
import { asciiText } from './numbers.ts';

const MIN_UNIX_DIGITS = 9;
const MAX_UNIX_DIGITS = 20;

const ISO_DATE = /^(\d{4})([-/]?)(\d{2})\2(\d{2})/;
const WRITTEN_DATES = ['MMM DD, YYYY', 'MMM DD YYYY', 'DD MMM YYYY', 'DD-MMM-YYYY', 'DD.MM.YYYY'].map(dateFormat);
const CLOCK = /^(?:t| +)(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?(z|utc|gmt|[+-]\d{2}(?::?\d{2})?))?$/i;
const HOUR_OF_HALF_DAY = /^ +(\d{2})-([ap])m$/i;

/**
 * Milliseconds since 1970-01-01 UTC, whole; NaN when the cell is not a time, or one outside 1970 … 9999. A named format is tried
 * before the others.
 */
export function parseInstant(bytes: Buffer, from: number, to: number, format: DateFormat | null = null): number {
  if (format !== null) {
    const named = instantOf(format(asciiText(bytes, from, to)));
    if (!Number.isNaN(named)) return named;
  }
  if (to - from === 10 && bytes[from + 4] === 0x2d && bytes[from + 7] === 0x2d) {
    const year = digits(bytes, from, 4);
    const month = digits(bytes, from + 5, 2);
    const day = digits(bytes, from + 8, 2);
    return startOfDay(year, month, day);
  }
  return isUnixTime(bytes, from, to) ? unixInstant(bytes, from, to) : writtenInstant(asciiText(bytes, from, to));
}

function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const FIRST_YEAR = 1970;
const LAST_YEAR = 9999;
/** First day of each month from 1970-01, and of the one after the last: looking up is faster than calendar arithmetic. */
const MONTH_STARTS = monthStarts();

function monthStarts(): Int32Array {
  const starts = new Int32Array((LAST_YEAR - FIRST_YEAR + 1) * 12 + 1);
  let at = 0;
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    for (const days of [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
      starts[at + 1] = starts[at++]! + days;
  }
  return starts;
}

function startOfDay(year: number, month: number, day: number): number {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  const at = (year - FIRST_YEAR) * 12 + month - 1;
  const start = MONTH_STARTS[at]! + day - 1;
  return start < MONTH_STARTS[at + 1]! ? start * MILLIS_PER_DAY : Number.NaN;
}

/** Digits, perhaps with a point and more digits, and long enough for an instant. */
function isUnixTime(bytes: Uint8Array, from: number, to: number): boolean {
  let point = to;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === 0x2e && point === to && at > from) point = at;
    else if (byte < 0x30 || byte > 0x39) return false;
  }
  return point - from >= MIN_UNIX_DIGITS && point - from <= MAX_UNIX_DIGITS && bytes[from] !== 0x30;
}

const UNIX_UNITS = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const;

/** The unit of a Unix time; null for a time in another form. */
export function unixUnit(bytes: Uint8Array, from: number, to: number): string | null {
  return isUnixTime(bytes, from, to) ? UNIX_UNITS[unitOf(wholeDigits(bytes, from, to))]! : null;
}

function wholeDigits(bytes: Uint8Array, from: number, to: number): number {
  const point = bytes.indexOf(0x2e, from);
  return (point < 0 || point > to ? to : point) - from;
}

function unitOf(digits: number): number {
  return Math.floor((digits - MIN_UNIX_DIGITS) / 3);
}

/** Cuts what is finer than a millisecond before it becomes a number: rounding could reach the next day. */
function unixInstant(bytes: Uint8Array, from: number, to: number): number {
  const whole = wholeDigits(bytes, from, to);
  const unit = unitOf(whole);
  if (unit === 0) return digits(bytes, from, whole) * 1000;
  return digits(bytes, from, whole - (unit - 1) * 3);
}

function writtenInstant(text: string): number {
  const iso = ISO_DATE.exec(text);
  if (iso !== null) {
    const [year, month, day] = [iso[1], iso[3], iso[4]].map(Number) as [number, number, number]; // its groups are digits
    return instantOf({ year, month, day, rest: text.slice(iso[0].length) });
  }
  for (const format of WRITTEN_DATES) {
    const found = format(text);
    if (found !== null) return instantOf(found);
  }
  return Number.NaN;
}

function instantOf(found: ParsedDate | null): number {
  if (found === null) return Number.NaN;
  const start = startOfDay(found.year, found.month, found.day);
  const instant = found.rest === '' ? start : start + timeOfDay(found.rest);
  return instant >= 0 ? instant : Number.NaN;
}

function timeOfDay(text: string): number {
  const half = HOUR_OF_HALF_DAY.exec(text);
  if (half !== null) {
    const hour = Number(half[1]);
    const afternoon = half[2]!.toLowerCase() === 'p';
    return hour >= 1 && hour <= 12 ? ((hour % 12) + (afternoon ? 12 : 0)) * 3_600_000 : Number.NaN;
  }
  const clock = CLOCK.exec(text);
  if (clock === null) return Number.NaN;
  const [, hour, minute, second = '0', fraction = '', zone = 'z'] = clock;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const millis = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000 + millis - zoneOffset(zone);
}

function zoneOffset(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 14 || minutes > 59) return Number.NaN;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
