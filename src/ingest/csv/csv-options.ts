// What a person can say about CSV files that the files do not say themselves.

import { SourceError } from '../source.ts';
import { checkNamedColumns, type NamedColumns } from './columns.ts';

export interface CsvOptions {
  /** The asset of files that hold one each and do not name it; a ticker or a pair. */
  readonly symbol?: string | undefined;
  readonly columns?: NamedColumns | undefined;
  /** One ASCII character, or `tab`. Without it the header tells: comma, semicolon, tab or bar. */
  readonly delimiter?: string | undefined;
  /** The first line is data; the columns are given by number. */
  readonly noHeader?: boolean | undefined;
  /** Symbols such as `BTCUSDT` and `BTC-USDT` are pairs, also where the header does not prove it. */
  readonly pairs?: boolean | undefined;
}

/** The delimiter as one byte, null to find it out. */
export function delimiterByte(options: CsvOptions): number | null {
  if (options.delimiter === undefined) return null;
  return options.delimiter === 'tab' ? 0x09 : options.delimiter.charCodeAt(0);
}

export function checkOptions(options: CsvOptions): void {
  const { delimiter, symbol, columns = {}, noHeader = false } = options;
  if (delimiter !== undefined && delimiter !== 'tab' && !/^[^\p{L}\p{N}"\s.+-]$|^\t$/u.test(delimiter)) {
    throw new SourceError(
      `the delimiter ${JSON.stringify(delimiter)} cannot separate cells`,
      'use one sign such as , ; | or the word tab',
    );
  }
  if (delimiter !== undefined && delimiterByte(options)! > 0x7f) {
    throw new SourceError(`the delimiter ${delimiter} is not ASCII`, 'use one sign such as , ; | or the word tab');
  }
  if (symbol !== undefined && symbol.trim() === '') {
    throw new SourceError('--symbol is empty', 'give the ticker of the asset, such as BTC');
  }
  checkNamedColumns(columns, noHeader);
  if (noHeader && !(columns.day && columns.close && (columns.symbol || symbol))) {
    throw new SourceError(
      'without a header nobody knows what the columns hold',
      'give --day-column, --close-column, and --symbol-column or --symbol, by number from 1',
    );
  }
}
