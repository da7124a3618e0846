// Reads the rows of one file: each becomes part of a bar, or a reject that says what is wrong with it.

import { isUtf8 } from 'node:buffer';
import { MILLIS_PER_DAY } from '../../domain/day.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import { dropImpossible } from '../impossible.ts';
import type { RejectReason } from '../source.ts';
import type { BarBatcher } from './bar-batcher.ts';
import { type BarRow, emptyRow, isSound, periodOf } from './bar-row.ts';
import { isAutumnNight } from './clock-change.ts';
import { type ColumnRole, columnFlag } from './columns.ts';
import type { CsvOptions } from './csv-options.ts';
import { type DateFormat, dateFormat, possibleFormats } from './date-format.ts';
import type { Layout } from './layout.ts';
import { type DecimalSign, isAmbiguousNumber, parseNumber, saysUnknown } from './numbers.ts';
import { type RowScanner, SCANNED } from './row-scanner.ts';
import { NO_SYMBOL, Symbols } from './symbols.ts';
import { parseInstant, unixUnit } from './times.ts';

export interface BadRow {
  readonly line: number;
  readonly reason: RejectReason;
  readonly detail: string;
}

export type Stop = 'more' | 'full' | BadRow;

export class RowReader {
  readonly #scanner: RowScanner;
  readonly #layout: Layout;
  readonly #batcher: BarBatcher;
  readonly #symbols: Symbols;
  readonly #givenSymbol: string | undefined;
  readonly #decimal: DecimalSign;
  readonly #dateFormat: DateFormat | null;
  readonly #volumeInQuote: boolean;
  readonly #closesAtMidnight: boolean;
  /** Before this day, each row of such a file must be of midnight. */
  readonly #wholeDaysUntil: number;
  readonly #interval: BaseInterval;
  readonly #bar: BarRow = emptyRow();
  /** The length of the last time, and the unit of the last one that was a Unix time. */
  #timeLength = 0;
  #timeUnit: string | null = null;
  /** The first row whose time is in another unit than those before, and both units. */
  otherUnit: { readonly line: number; readonly before: string; readonly now: string } | null = null;

  constructor(
    scanner: RowScanner,
    layout: Layout,
    batcher: BarBatcher,
    options: CsvOptions & { readonly interval: BaseInterval },
  ) {
    this.#scanner = scanner;
    this.#layout = layout;
    this.#batcher = batcher;
    this.#symbols = new Symbols(layout, batcher, options);
    this.#givenSymbol = options.symbol;
    this.#decimal = options.decimal;
    this.#dateFormat = options.dateFormat === undefined ? null : dateFormat(options.dateFormat);
    // A column named for its unit (`Volume BTC`) needs no flag.
    this.#volumeInQuote = options.volumeIn === 'quote' && layout.columns.volume >= 0;
    this.#closesAtMidnight = options.closesAtMidnight === true;
    const wholeUntil = this.#closesAtMidnight && !options.keepIncomplete ? (options.now ?? 0) : 0;
    this.#wholeDaysUntil = Math.floor(wholeUntil / MILLIS_PER_DAY);
    this.#interval = options.interval;
  }

  get symbols(): Pick<Symbols, 'guessedPairs' | 'doubtful'> {
    return this.#symbols;
  }

  /** Reads rows until the bytes are used up, the batch is full, or a row is bad. */
  read(): Stop {
    const scanner = this.#scanner;
    const batcher = this.#batcher;
    const { firstLine } = this.#layout;
    while (!batcher.full) {
      const scanned = scanner.next();
      if (scanned === SCANNED.more) return 'more';
      if (scanner.line < firstLine) continue;
      if (scanned === SCANNED.broken) return this.#bad('broken_row', scanner.fault);
      const bad = this.#row();
      if (bad === null) continue;
      if (this.#swallowedRows()) scanner.rescanFromSecondLine();
      return bad;
    }
    return 'full';
  }

  #row(): BadRow | null {
    const scanner = this.#scanner;
    const { columns, width } = this.#layout;
    if (scanner.cells !== width) {
      if (this.#isBlank()) return null;
      if (!this.#isPaddedRow()) return this.#wrongWidth();
    }
    if (this.#swallowedRows()) return this.#bad('broken_row', 'a quote is not closed on its line');
    const symbol = columns.symbol < 0 ? this.#symbols.find(scanner.bytes, 0, 0) : this.#symbol(columns.symbol);
    if (symbol < 0) return this.#badSymbol(symbol);
    const bar = this.#bar;
    bar.instant = this.#instant();
    if (Number.isNaN(bar.instant)) return this.#badDay();
    bar.close = this.#number(columns.close);
    if (Number.isNaN(bar.close)) return this.#badNumber('close', columns.close);
    bar.open = this.#number(columns.open);
    if (Number.isNaN(bar.open) && !this.#isUnknown(columns.open)) return this.#badNumber('open', columns.open);
    bar.high = this.#number(columns.high);
    if (Number.isNaN(bar.high) && !this.#isUnknown(columns.high)) return this.#badNumber('high', columns.high);
    bar.low = this.#number(columns.low);
    if (Number.isNaN(bar.low) && !this.#isUnknown(columns.low)) return this.#badNumber('low', columns.low);
    const volumeColumn = this.#symbols.volumeColumn[symbol]!;
    bar.volume = this.#number(volumeColumn);
    if (Number.isNaN(bar.volume) && !this.#isUnknown(volumeColumn)) return this.#badNumber('volume', volumeColumn);
    if (this.#isEarly(bar)) return this.#earlyClose(bar.instant);
    bar.asset = this.#symbols.asset[symbol]!;
    bar.line = scanner.line;
    // The bar of a close that is not a price is refused as a whole.
    const faults = isSound(bar) ? dropImpossible(bar) : null;
    if (this.#volumeInQuote) bar.volume /= bar.close;
    const outcome = this.#batcher.add(bar, faults?.contradiction ?? null);
    if (outcome === 'late') return this.#outOfOrder(bar.instant);
    if (outcome === 'off_grid') return this.#offGrid(bar.instant);
    if (outcome === 'mixed') return this.mixed(scanner.line);
    if (faults !== null) return this.#bad('impossible_number', faults.text);
    return outcome === 'added' ? null : this.#repeated();
  }

  #symbol(column: number): number {
    const { bytes, from, to } = this.#scanner;
    const end = trimEnd(bytes, from[column]!, to[column]!);
    return this.#symbols.find(bytes, trimStart(bytes, from[column]!, end), end);
  }

  #instant(): number {
    const { days } = this.#layout.columns;
    const { bytes, from, to } = this.#scanner;
    for (let i = 0; i < days.length; i++) {
      const end = trimEnd(bytes, from[days[i]!]!, to[days[i]!]!);
      const start = trimStart(bytes, from[days[i]!]!, end);
      const instant = parseInstant(bytes, start, end, this.#dateFormat);
      if (Number.isNaN(instant)) continue;
      if (end - start !== this.#timeLength) this.#noteUnit(start, end);
      // A millisecond before midnight is in the day that ends there.
      return this.#closesAtMidnight ? instant - 1 : instant;
    }
    return Number.NaN;
  }

  /** The unit of a Unix time follows from its digits. */
  #noteUnit(from: number, to: number): void {
    this.#timeLength = to - from;
    const unit = unixUnit(this.#scanner.bytes, from, to);
    if (unit === null) return;
    const before = this.#timeUnit;
    if (before !== null && before !== unit) this.otherUnit ??= { line: this.#scanner.line, before, now: unit };
    this.#timeUnit = unit;
  }

  /** The day went on after this price, and has ended since. */
  #isEarly(bar: BarRow): boolean {
    return periodOf(bar, MILLIS_PER_DAY) < this.#wholeDaysUntil && (bar.instant + 1) % MILLIS_PER_DAY !== 0;
  }

  #number(column: number): number {
    if (column < 0) return Number.NaN;
    const { bytes, from, to } = this.#scanner;
    return parseNumber(bytes, from[column]!, to[column]!, this.#decimal);
  }

  #isUnknown(column: number): boolean {
    if (column < 0) return true;
    const { bytes, from, to } = this.#scanner;
    return saysUnknown(bytes, from[column]!, to[column]!);
  }

  #isBlank(): boolean {
    return this.#scanner.cells === 1 && this.#scanner.text(0) === '';
  }

  /** Some programs end each row, but not the header, with delimiters. */
  #isPaddedRow(): boolean {
    const { cells } = this.#scanner;
    if (cells < this.#layout.width) return false;
    for (let cell = this.#layout.width; cell < cells; cell++) if (this.#scanner.text(cell) !== '') return false;
    return true;
  }

  /**
   * Whether a cell with line ends in it holds what are rows themselves: two unclosed quotes some lines apart look like one quoted
   * cell, and the rows between them must not go with it.
   */
  #swallowedRows(): boolean {
    if (this.#scanner.lines === 1) return false;
    const { columns, delimiter, width } = this.#layout;
    return this.#scanner.laterLines().some(line => {
      const cells = line.split(String.fromCharCode(delimiter)).map(cell => Buffer.from(cell.trim(), 'latin1'));
      const close = cells[columns.close];
      if (cells.length !== width || close === undefined) return false;
      const hasDay = columns.days.some(
        day => !Number.isNaN(parseInstant(cells[day]!, 0, cells[day]!.length, this.#dateFormat)),
      );
      return hasDay && !Number.isNaN(parseNumber(close, 0, close.length, this.#decimal));
    });
  }

  #bad(reason: RejectReason, detail: string): BadRow {
    return { line: this.#scanner.line, reason, detail };
  }

  #wrongWidth(): BadRow {
    const { cells } = this.#scanner;
    const expected = this.#layout.header === null ? 'the first row' : 'the header';
    return this.#bad(
      'broken_row',
      `${cells} ${cells === 1 ? 'cell' : 'cells'}, where ${expected} has ${this.#layout.width}`,
    );
  }

  #badSymbol(fault: number): BadRow {
    const column = this.#layout.columns.symbol;
    if (fault === NO_SYMBOL.empty)
      return this.#bad('missing_symbol', 'the cell is empty; a ticker such as BTC is expected');
    if (fault === NO_SYMBOL.notUtf8) return this.#notUtf8('symbol', column);
    const found = shortened(this.#scanner.text(column));
    if (fault === NO_SYMBOL.strayQuote) {
      return this.#bad('broken_row', `a quote inside ${found}; a cell with quotes is quoted as a whole, on one line`);
    }
    return this.#bad(
      'missing_symbol',
      `${found} is not the symbol of the rows before, and --symbol ${this.#givenSymbol} is for a file of one asset`,
    );
  }

  #badDay(): BadRow | null {
    const { columns, header } = this.#layout;
    // Files that were joined together repeat the header.
    if (header?.every((name, cell) => this.#scanner.text(cell) === name)) return null;
    const cell = columns.days[0]!;
    if (!this.#cellIsUtf8(cell)) return this.#notUtf8('day', cell);
    const text = this.#scanner.text(cell);
    const formats = possibleFormats(text).map(format => `--date-format ${format}`);
    const right =
      formats.length > 0
        ? `say in which order: ${formats.join(' or ')}`
        : 'write 2024-05-31, an ISO time, or a Unix time in seconds or milliseconds, or give --date-format';
    return this.#bad('bad_day', `${shortened(text)} is not a day; ${right}`);
  }

  #badNumber(role: ColumnRole, column: number): BadRow {
    if (!this.#cellIsUtf8(column)) return this.#notUtf8(role, column);
    if (this.#isUnknown(column)) {
      const found = shortened(this.#scanner.text(column));
      return this.#bad('bad_number', `the ${role} is ${found}; a bar needs one, such as 1234.5 or 2.25e-05`);
    }
    const text = this.#scanner.text(column);
    const [fault, right] = isAmbiguousNumber(text)
      ? ['can be read in two ways', 'say which sign comes before the decimals: --decimal . or --decimal ,']
      : ['is not a number', `write 1234.5 or 2.25e-05 (another column: ${columnFlag(role)})`];
    return this.#bad('bad_number', `the ${role} ${shortened(text)} ${fault}; ${right}`);
  }

  #outOfOrder(instant: number): BadRow {
    const time = new Date(instant).toISOString();
    return this.#bad(
      'out_of_order',
      `${time} comes too late for the bar of its day; rows of one asset and day must stand together, in order of time: sort the file`,
    );
  }

  #offGrid(instant: number): BadRow {
    const time = new Date(instant).toISOString();
    const unit = this.#interval === '1h' ? 'an hour' : 'a minute';
    return this.#bad(
      'off_grid',
      `${time} is not the start of ${unit}, and the rows are read as bars of ${this.#interval}; write the time at which each bar begins, in UTC`,
    );
  }

  mixed(line: number): BadRow {
    const detail = `the row is further from the one before than ${this.#interval}, and so are the ones around it; load rows of another interval from a file of their own`;
    return { line, reason: 'mixed_spacing', detail };
  }

  #earlyClose(instant: number): BadRow {
    const time = new Date(instant + 1).toISOString();
    return this.#bad(
      'incomplete_day',
      `${time} is before the end of its day; --keep-incomplete stores it as the close`,
    );
  }

  #repeated(): BadRow {
    const { earlier } = this.#batcher;
    const { instant, close } = this.#bar;
    const time = new Date(instant).toISOString().replace('T00:00:00.000Z', '');
    const isDoubled = this.#interval !== '1d' && isAutumnNight(instant);
    const note = isDoubled ? '. Clocks change in this night: are the times local? They are read as UTC' : '';
    if (earlier === null) return this.#bad('repeated', `an earlier row of ${time}; this one takes its place${note}`);
    const line = `line ${earlier.line} of ${time}`;
    if (earlier.close === close) {
      return this.#bad('repeated', `${line}; this row with the same close takes its place${note}`);
    }
    const detail = `${line} with the close ${earlier.close}; this row with ${close} takes its place${note}`;
    return this.#bad('repeated_differs', detail);
  }

  #cellIsUtf8(cell: number): boolean {
    const { bytes, from, to } = this.#scanner;
    return isUtf8(bytes.subarray(from[cell]!, to[cell]!));
  }

  #notUtf8(role: ColumnRole, cell: number): BadRow {
    const found = shortened(this.#scanner.text(cell));
    return this.#bad('bad_encoding', `the ${role} ${found} holds bytes that are not UTF-8; save the file as UTF-8`);
  }
}

function trimStart(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at]! <= 0x20) at++;
  return at;
}

function trimEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = to;
  while (at > from && bytes[at - 1]! <= 0x20) at--;
  return at;
}

const SHOWN_CHARACTERS = 40;

function shortened(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}
