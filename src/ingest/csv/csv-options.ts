// What a person can say about CSV files that the files do not say themselves.

import type { BaseInterval } from '../../domain/interval.ts';
import { CORRECTION } from '../../domain/source-bars.ts';
import { isSourceName } from '../../publish/price-settings.ts';
import { UNKNOWN_SOURCE } from '../../publish/sources-of.ts';
import { SourceUsageError } from '../source.ts';
import { checkNamedColumns, type NamedColumns } from './columns.ts';
import { dateFormat } from './date-format.ts';
import { checkPattern } from './file-symbol.ts';
import type { DecimalSign } from './numbers.ts';

/** Providers whose files are known: see file-formats.ts. */
export const FILE_FORMATS = ['yahoo', 'binance', 'kraken', 'cdd', 'coingecko'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface CsvOptions {
  /** The asset of a file that holds one and does not name it; a ticker or a pair. */
  readonly symbol?: string | undefined;
  /** The name of each file names its asset. */
  readonly symbolFromName?: boolean | undefined;
  /** Where in the name: `{symbol}-USD.csv`, or a regular expression with one group. */
  readonly namePattern?: string | undefined;
  /** The order of day, month and year, such as `MM/DD/YYYY`. */
  readonly dateFormat?: string | undefined;
  readonly decimal?: DecimalSign;
  readonly columns?: NamedColumns | undefined;
  /** One ASCII character, or `tab`. Without it the header tells: comma, semicolon, tab or bar. */
  readonly delimiter?: string | undefined;
  /** The first line is data; the columns are given by number. */
  readonly noHeader?: boolean | undefined;
  /** Whether symbols such as `BTCUSDT` and `BTC-USDT` are pairs; without it, those that look like pairs are. */
  readonly pairs?: boolean | undefined;
  /** What the column `volume` counts: units of the asset, or of the currency that prices are in. */
  readonly volumeIn?: 'base' | 'quote' | undefined;
  /** A time at midnight is the end of the day before, not the start of a day. */
  readonly closesAtMidnight?: boolean | undefined;
  /** Days that lack some of their rows are kept. */
  readonly keepIncomplete?: boolean | undefined;
  /** The files are as this provider writes them. */
  readonly format?: FileFormat | undefined;
  /** What the rows are, or what is made of finer ones; without it, their spacing tells. */
  readonly interval?: BaseInterval | undefined;
  /** The name under which the bars are kept; `csv` without it. */
  readonly source?: string | undefined;
  /** The current time in milliseconds since 1970: the day that it is in may be incomplete. */
  readonly now?: number | undefined;
}

/** Whether the caller says which asset a file holds, so that its rows need not. */
export function isSymbolGiven({ symbol, symbolFromName }: CsvOptions): boolean {
  return symbol !== undefined || symbolFromName === true;
}

/** The delimiter as one byte, null to find it out. */
export function delimiterByte(options: CsvOptions): number | null {
  if (options.delimiter === undefined) return null;
  return options.delimiter === 'tab' ? 0x09 : options.delimiter.charCodeAt(0);
}

export const NO_HEADER_FLAGS =
  'give --day-column, --close-column, and --symbol-column or --symbol or --symbol-from-name, columns by number from 1';

export function checkOptions(options: CsvOptions): void {
  const { delimiter, symbol, columns = {}, noHeader = false } = options;
  if (delimiter !== undefined && delimiter !== 'tab' && !/^[^\p{L}\p{N}"\s.+-]$|^\t$/u.test(delimiter)) {
    throw new SourceUsageError(
      `the delimiter ${JSON.stringify(delimiter)} cannot separate cells`,
      'use one sign such as , ; | or the word tab',
    );
  }
  if (delimiter !== undefined && delimiterByte(options)! > 0x7f) {
    throw new SourceUsageError(`the delimiter ${delimiter} is not ASCII`, 'use one sign such as , ; | or the word tab');
  }
  if (options.source !== undefined && !isSourceName(options.source)) {
    throw new SourceUsageError(
      `--source ${JSON.stringify(options.source)} cannot name a source`,
      'use lower-case letters, digits, dots, hyphens and underscores, at most 32, such as my-broker',
    );
  }
  if (options.source === CORRECTION || options.source === UNKNOWN_SOURCE) {
    throw new SourceUsageError(`the name ${options.source} has a meaning of its own`, 'choose another --source');
  }
  if (symbol !== undefined && symbol.trim() === '') {
    throw new SourceUsageError('--symbol is empty', 'give the ticker of the asset, such as BTC');
  }
  if (symbol !== undefined && options.symbolFromName) {
    throw new SourceUsageError('--symbol and --symbol-from-name exclude each other', 'give one of them');
  }
  if (options.namePattern !== undefined) checkPattern(options.namePattern);
  if (options.dateFormat !== undefined) dateFormat(options.dateFormat);
  checkNamedColumns(columns, noHeader);
  if (noHeader && !(columns.day && columns.close && (columns.symbol || isSymbolGiven(options)))) {
    throw new SourceUsageError('a file without a header does not say what its columns hold', NO_HEADER_FLAGS);
  }
}
